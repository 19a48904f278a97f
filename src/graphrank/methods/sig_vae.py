"""SIG-VAE: a variational graph auto-encoder whose posterior is free to take any shape.

Reference: Hasanzadeh, Hajiramezanali, Duffield, Narayanan, Zhou & Qian, "Semi-Implicit Graph
Variational Auto-Encoders", NeurIPS 2019.

Noise enters beside the features and is spread by graph convolutions, so that the mean of a node's
Gaussian is random and depends on the noise around it: the posterior is a mixture without end,
whose density is estimated by a few of its means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import torch
from torch import Tensor, nn

from graphrank.augment.views import View, clean_view
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.dropout import coin_flips
from graphrank.nn.edge_reconstruction import LinkDecoderName, mean_link_cost
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.reconstruction import ReconstructionName, form_of, log_form
from graphrank.nn.variational import SemiImplicit, WarmUp, log_prior


class SIGVAEModule(nn.Module):
    """Convolutions of features and noise, those to mean and variance, the decoder's rates.

    Args:
        in_channels: number of feature columns.
        noise_channels: bits of noise at each node.
        hidden_channels: width of the hidden layers.
        out_channels: width of the embedding.
        has_rates: whether the decoder weighs each column of the embedding.
        warm_up: the weight of the divergence.
    """

    def __init__(
        self,
        in_channels: int,
        noise_channels: int,
        hidden_channels: int,
        out_channels: int,
        has_rates: bool,
        warm_up: WarmUp,
    ) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_channels, hidden_channels))
        self.noise_weight = nn.Parameter(torch.empty(noise_channels, hidden_channels))
        self.to_mean = nn.Parameter(torch.empty(hidden_channels, out_channels))
        self.to_log_variance = nn.Parameter(torch.empty(hidden_channels, out_channels))
        for parameter in self.parameters():
            nn.init.xavier_uniform_(parameter)
        self.rate_logit = (
            nn.Parameter(torch.empty(out_channels).uniform_(-6, 0)) if has_rates else None
        )
        self.warm_up = warm_up
        # Weights of the noise drawn as if it stood beside the features in one matrix.
        self.noise_scale = (
            (noise_channels + hidden_channels) / (in_channels + hidden_channels)
        ) ** 0.5

    def hidden(self, view: View) -> Tensor:
        """What the features give, ``[nodes, hidden_channels]``."""
        return torch.relu(view.propagate(view.project(self.weight)))

    def means(self, view: View, hidden: Tensor, draws: int) -> Tensor:
        """Means under fresh noise, ``[nodes, draws, out_channels]``; all draws in one product."""
        nodes, noise_channels = hidden.size(0), self.noise_weight.size(0)
        # Spread before it meets the weights: what has no gradient is not spread backwards.
        spread = view.propagate(coin_flips((nodes, draws * noise_channels), hidden))
        noise = spread.view(nodes, draws, -1) @ (self.noise_scale * self.noise_weight)
        mean = (hidden.unsqueeze(1) + torch.relu(noise)) @ self.to_mean
        return view.propagate(mean.flatten(1)).view(nodes, draws, -1)

    def log_std(self, view: View, hidden: Tensor) -> Tensor:
        """Logarithms of the deviations, ``[nodes, out_channels]``; the noise has no say in them."""
        return 0.5 * view.propagate(hidden @ self.to_log_variance)

    def weighed(self, embedding: Tensor) -> Tensor:
        """Embeddings whose products are what the decoder asks for."""
        if self.rate_logit is None:
            return embedding
        return embedding * torch.sigmoid(self.rate_logit).sqrt()


@dataclass(kw_only=True, eq=False, repr=False)
class SIGVAE(TrainedMethod[SIGVAEModule]):
    """Embeddings as mean positions under noise that spreads over the graph."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="sig-vae",
        title="SIG-VAE",
        level="node",
        family="generative",
        paper="Hasanzadeh et al., Semi-Implicit Graph Variational Auto-Encoders, NeurIPS 2019",
        time="O(JN²d + (J+K)(N+E)d); sampled: O((J+K)(N+E)d)",
        memory="O(J(K+d)N + E)",
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # Ours: wider, slower steps and fewer of them; better at links than the authors' widths.
        "wide": {
            "hidden_channels": 256,
            "channels": 128,
            "draws": 4,
            "mixture": 4,
            "learning_rate": 1e-3,
            "epochs": 100,
        },
    }

    noise_channels: Annotated[int, Option("bits of noise at each node", low=1)] = 32
    hidden_channels: Annotated[int, Option("width of the hidden layers", low=1)] = 32
    channels: Annotated[int, Option("width of the embedding", low=1)] = 16
    decoder: Annotated[
        LinkDecoderName, Option("chance of a link: sigmoid of a product, or of a Poisson count")
    ] = "inner"
    draws: Annotated[int, Option("samples of the embedding in a step (the paper's J)", low=1)] = 20
    mixture: Annotated[
        int, Option("further means that the posterior is estimated from (K)", low=1)
    ] = 15
    warm_up: Annotated[int, Option("epochs until the divergence has its full weight", low=0)] = 300
    reconstruction: Annotated[
        ReconstructionName,
        Option("compare all pairs (dense) or a sample of them; auto: by their number"),
    ] = "auto"
    epochs: Annotated[int, Option("passes over the graph", low=0)] = 200
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 0.01

    def build(self, num_features: int) -> SIGVAEModule:
        """Encoder and decoder."""
        return SIGVAEModule(
            num_features,
            self.noise_channels,
            self.hidden_channels,
            self.channels,
            self.decoder == "bernoulli-poisson",
            WarmUp(self.warm_up),
        )

    def initialize(self, module: SIGVAEModule, graph: GraphInput) -> None:
        """Say how much is compared."""
        shape = graph.adjacency.pattern.shape
        log_form(f"{self.info.title}: links", form_of(self.reconstruction, shape), shape)

    def training_step(self, module: SIGVAEModule, graph: GraphInput) -> Tensor:
        """Sample embeddings under noise, rebuild the links, and stay near the prior."""
        view = clean_view(graph)
        hidden = module.hidden(view)
        means = module.means(view, hidden, self.draws + self.mixture)
        posterior = SemiImplicit.draw(means, module.log_std(view, hidden), self.draws)
        divergence = posterior.log_density() - log_prior(posterior.sample)
        form = form_of(self.reconstruction, graph.adjacency.pattern.shape)
        samples = module.weighed(posterior.sample).unbind(dim=1)
        links = mean_link_cost(graph.adjacency, samples, form, decoder=self.decoder)
        weight = module.warm_up.weight / graph.num_nodes
        return links + weight * divergence.mean()

    def after_step(self, module: SIGVAEModule, epoch: int) -> None:
        """Let the weight of the divergence grow."""
        module.warm_up.start(epoch + 1)

    def encode(self, module: SIGVAEModule, graph: GraphInput) -> Tensor:
        """The mean over draws of the noise, as the decoder weighs it."""
        view = clean_view(graph)
        means = module.means(view, module.hidden(view), self.draws)
        return module.weighed(means.mean(dim=1))

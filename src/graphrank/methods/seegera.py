"""SeeGera: nodes and attributes embedded together under noise, and rebuilt from what is masked.

Reference: Li, Ye, Shan, Li & Gao, "SeeGera: Self-supervised Semi-implicit Graph
Variational Auto-encoders with Masking", WWW 2023.

A semi-implicit posterior for the nodes, as in SIG-VAE; from it one for the attributes, each the
average of the nodes that have it. Links are rebuilt by products of nodes, features by graph
convolutions of nodes and attributes, while some edges and some features are hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import Corruption, View, clean_view, corrupt
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.attribute_reconstruction import (
    AttributeLossName,
    attribute_cost,
    attribute_loss_of,
)
from graphrank.nn.dropout import Dropout, coin_flips, dropped_out
from graphrank.nn.edge_reconstruction import link_cost
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.masked_networks import FeatureDecoder, NodeNetwork
from graphrank.nn.reconstruction import ReconstructionName, form_of, log_form
from graphrank.nn.variational import SemiImplicit, WarmUp, log_prior


class SeeGeraModule(nn.Module):
    """Means and variances of nodes and of attributes, the decoder, and the warm-up."""

    def __init__(
        self,
        node_mean: NodeNetwork,
        node_log_variance: NodeNetwork,
        attribute_mean: nn.Module,
        attribute_log_variance: nn.Module,
        decoder: FeatureDecoder,
        warm_up: WarmUp,
    ) -> None:
        super().__init__()
        self.node_mean, self.node_log_variance = node_mean, node_log_variance
        self.attribute_mean = attribute_mean
        self.attribute_log_variance = attribute_log_variance
        self.decoder, self.warm_up = decoder, warm_up


@dataclass(kw_only=True, eq=False, repr=False)
class SeeGera(TrainedMethod[SeeGeraModule]):
    """Embeddings of nodes that, beside those of the attributes, rebuild links and features."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="seegera",
        title="SeeGera",
        level="node",
        family="generative",
        paper="Li et al., SeeGera: Self-supervised Semi-implicit Graph Variational Auto-encoders "
        "with Masking, WWW 2023",
        time="O(N(N+F)d + (N+F)d²); sampled: O((E+X)d + (N+F)d²), X non-zero features",
        memory="O((N+F)d+E+X)",
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # The authors' settings for link prediction on Cora; those for other datasets are in their
        # files. They train for at most 3,500 epochs and stop on validation edges, which a method
        # does not see.
        "links": {
            "decoder_layers": 3,
            "weight_decay": 5e-5,
            "edge_mask": 0.3,
            "attribute_mask": 0.0,
        },
    }
    task_presets: ClassVar[Mapping[str, str]] = {"link-prediction": "links"}

    encoder: Annotated[Literal["gcn", "mlp"], Option("of the nodes: GCN or perceptron")] = "gcn"
    encoder_layers: Annotated[int, Option("layers of the nodes' encoders", low=1)] = 2
    decoder_layers: Annotated[int, Option("convolutions of the features' decoder", low=1)] = 2
    hidden_channels: Annotated[int, Option("width of all hidden layers", low=1)] = 512
    channels: Annotated[int, Option("width of the embedding", low=1)] = 512
    noise_channels: Annotated[int, Option("bits of noise beside the features", low=1)] = 5
    dropout: Annotated[float, Option("dropout before each layer", low=0, below=1)] = 0.3
    edge_mask: Annotated[float, Option("share of edges to hide", low=0, below=1)] = 0.2
    attribute_mask: Annotated[
        float, Option("share of non-zero features to hide", low=0, below=1)
    ] = 0.1
    mixture: Annotated[int, Option("further means that the posterior is estimated from", low=1)] = 1
    warm_up: Annotated[int, Option("epochs until the divergence has its full weight", low=0)] = 300
    reconstruction: Annotated[
        ReconstructionName,
        Option("compare all pairs (dense) or a sample of them; auto: by their number"),
    ] = "auto"
    attribute_loss: Annotated[
        AttributeLossName,
        Option("attributes are there or not (bce) or numbers (mse); auto: mse if most are filled"),
    ] = "auto"
    epochs: Annotated[int, Option("passes over the graph", low=0)] = 500
    weight_decay: Annotated[float, Option("L2 penalty on the weights", low=0)] = 1e-3

    def build(self, num_features: int) -> SeeGeraModule:
        """Encoders of nodes and of attributes, and the decoder of the features."""
        hidden, width = self.hidden_channels, self.channels
        node_mean, node_log_variance = (
            NodeNetwork(
                num_features, noise, hidden, width, self.encoder_layers, self.dropout,
                self.encoder == "gcn",
            )
            for noise in (self.noise_channels, 0)
        )  # fmt: skip
        attribute_mean, attribute_log_variance = (
            nn.Sequential(
                Dropout(self.dropout),
                nn.Linear(width, hidden),
                nn.Tanh(),
                Dropout(self.dropout),
                nn.Linear(hidden, width),
            )
            for _ in range(2)
        )
        return SeeGeraModule(
            node_mean,
            node_log_variance,
            attribute_mean,
            attribute_log_variance,
            FeatureDecoder(2 * width, hidden, num_features, self.decoder_layers, self.dropout),
            WarmUp(self.warm_up),
        )

    def initialize(self, module: SeeGeraModule, graph: GraphInput) -> None:
        """Say how much is compared."""
        shapes = {"links": graph.adjacency.pattern.shape, "features": graph.features.shape}
        for what, shape in shapes.items():
            log_form(f"{self.info.title}: {what}", form_of(self.reconstruction, shape), shape)

    def training_step(self, module: SeeGeraModule, graph: GraphInput) -> Tensor:
        """Hide, embed nodes and attributes, rebuild links and features, stay near the prior."""
        view = self._masked(graph)
        nodes = self._nodes(module, view)
        attributes = self._attributes(module, view.graph.features, nodes)
        embedding = dropped_out(nodes.sample[:, 0], self.dropout)
        known = dropped_out(attributes.sample[:, 0], self.dropout)
        links = link_cost(
            graph.adjacency,
            embedding,
            form_of(self.reconstruction, graph.adjacency.pattern.shape),
            num_edges=_edges_left(view),
        )
        words = _average_of_columns(view.graph.features, known)
        left, right = module.decoder(view, torch.cat([embedding, words], dim=1))
        features = attribute_cost(
            view.graph.features,
            left,
            right,
            form_of(self.reconstruction, graph.features.shape),
            loss=attribute_loss_of(self.attribute_loss, graph.features),
            rectified=module.decoder.is_rectified,
        )
        return links + features + module.warm_up.weight * _divergence(nodes, attributes)

    def after_step(self, module: SeeGeraModule, epoch: int) -> None:
        """Let the weight of the divergence grow."""
        module.warm_up.start(epoch + 1)

    def encode(self, module: SeeGeraModule, graph: GraphInput) -> Tensor:
        """The nodes' means, every bit of the noise at its mean."""
        noise = torch.full(
            (graph.num_nodes, self.noise_channels), 0.5,
            dtype=graph.features.dtype, device=graph.device,
        )  # fmt: skip
        mean: Tensor = module.node_mean(clean_view(graph), noise)
        return mean

    def _masked(self, graph: GraphInput) -> View:
        """The graph without some of its edges and of its features' entries."""
        view = corrupt(graph, Corruption(edge_drop=self.edge_mask))
        if self.attribute_mask == 0:
            return view
        features = graph.features.mapped(
            lambda values: values * (torch.rand_like(values) >= self.attribute_mask)
        )
        return replace(view, graph=GraphInput(features, graph.adjacency))

    def _nodes(self, module: SeeGeraModule, view: View) -> SemiImplicit:
        """The posterior of the nodes, each mean under noise of its own."""
        features = view.graph.features
        like = torch.empty(0, dtype=features.dtype, device=features.device)
        shape = (features.shape[0], self.noise_channels)
        noises = [coin_flips(shape, like) for _ in range(1 + self.mixture)]
        means = module.node_mean.under_each(view, noises)
        return SemiImplicit.draw(torch.stack(means, dim=1), 0.5 * module.node_log_variance(view))

    def _attributes(
        self, module: SeeGeraModule, features: FeatureMatrix, nodes: SemiImplicit
    ) -> SemiImplicit:
        """The posterior of the attributes, from the nodes that have them."""
        means = _average_of_rows(features, nodes.means.flatten(1))
        log_variance = _average_of_rows(features, 2 * nodes.log_std)
        return SemiImplicit.draw(
            module.attribute_mean(means.view(-1, *nodes.means.shape[1:])),
            0.5 * module.attribute_log_variance(log_variance),
        )


def _average_of_rows(features: FeatureMatrix, rows: Tensor) -> Tensor:
    """For each attribute the mean over the nodes that have it, weighted by how much they do."""
    size = features.mapped(torch.abs).project_transposed(rows.new_ones(rows.size(0), 1))
    return features.project_transposed(rows) / size.clamp_min(1e-12)


def _average_of_columns(features: FeatureMatrix, columns: Tensor) -> Tensor:
    """For each node the mean over its attributes, weighted by how much it has of them."""
    size = features.mapped(torch.abs).project(columns.new_ones(columns.size(0), 1))
    return features.project(columns) / size.clamp_min(1e-12)


def _edges_left(view: View) -> int:
    """Number of edges that are not hidden; a loop of each node is never hidden."""
    pattern = view.graph.adjacency.pattern
    kept = pattern.num_entries if view.edge_kept is None else int(view.edge_kept.sum())
    return kept - pattern.shape[0]


def _divergence(nodes: SemiImplicit, attributes: SemiImplicit) -> Tensor:
    """Estimated divergence of both posteriors from the prior, scaled as the authors do."""
    prior = sum(log_prior(part.sample).mean() / part.sample.size(0) for part in (nodes, attributes))
    density = torch.cat([nodes.log_density(), attributes.log_density()])
    return density.mean() / density.size(0) - prior

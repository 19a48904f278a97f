"""BGRL: predict what a slowly moving copy of the encoder says of the same node in another view.

Reference: Thakoor, Tallec, Azar, Azabou, Dyer, Munos, Veličković & Valko, "Large-Scale
Representation Learning on Graphs via Bootstrapping", ICLR 2022. There are no negatives: what keeps
the embedding from collapsing is that the target is not trained but follows the trained encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import Corruption, clean_view, corrupt
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.batch_norm import NodeBatchNorm
from graphrank.nn.bootstrap import bootstrap_loss, cosine_decay, follow
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.graph_input import GraphInput

# The weight of the newest statistics, as torch counts it: they are those of the last view seen.
_NORM_MOMENTUM = 0.99


class BGRLModule(nn.Module):
    """Two networks of one shape: the online one learns, the target one follows it.

    Args:
        online: encoder that is trained and that embeds.
        target: encoder of the same shape with weights of its own, which are not trained.
        predictor: from the online network's embedding to the target's.
    """

    def __init__(self, online: nn.Module, target: nn.Module, predictor: nn.Module) -> None:
        super().__init__()
        self.online, self.target, self.predictor = online, target, predictor
        self.target.requires_grad_(False)


@dataclass(kw_only=True, eq=False, repr=False)
class BGRL(TrainedMethod[BGRLModule]):
    """Embeddings learnt by bootstrapping; the defaults are the authors' for Amazon Computers.

    Example:
        >>> from graphrank.methods.bgrl import BGRL
        >>> BGRL(epochs=2, channels=16).fit_transform("karate").shape
        torch.Size([34, 16])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="bgrl",
        title="BGRL",
        level="node",
        family="bootstrap",
        paper="Thakoor et al., Large-Scale Representation Learning on Graphs via Bootstrapping, "
        "ICLR 2022",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )

    hidden_channels: Annotated[int, Option("width of the first layer", low=1)] = 256
    channels: Annotated[int, Option("width of the embedding", low=1)] = 128
    predictor_channels: Annotated[int, Option("inner width of the predictor", low=1)] = 512
    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.5
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.4
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.2
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.1
    target_decay: Annotated[
        float, Option("how much of itself the target keeps at first; 1 at the end", low=0, high=1)
    ] = 0.99
    warmup: Annotated[
        int, Option("epochs of a rising learning rate; at most a tenth of all epochs", low=0)
    ] = 1000

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 10_000
    learning_rate: Annotated[float, Option("highest step size of AdamW", low=0)] = 5e-4
    weight_decay: Annotated[float, Option("decoupled decay of the weights", low=0)] = 1e-5
    scale_features: Annotated[
        Literal["auto", "none", "standard", "rows"],
        Option("rows: each row sums to one, as the authors have it; standard: z-scores"),
    ] = "rows"

    def build(self, num_features: int) -> BGRLModule:
        """Online and target encoder, each with its own first weights, and the predictor."""
        predictor = nn.Sequential(
            nn.Linear(self.channels, self.predictor_channels),
            nn.PReLU(),
            nn.Linear(self.predictor_channels, self.channels),
        )
        online, target = (self._build_encoder(num_features) for _ in range(2))
        return BGRLModule(online, target, predictor)

    def training_step(self, module: BGRLModule, graph: GraphInput) -> Tensor:
        """Each view predicts what the target network says of the other one."""
        view_1 = corrupt(graph, self._corruption(1))
        view_2 = corrupt(graph, self._corruption(2))
        prediction_1 = module.predictor(module.online(view_1))
        prediction_2 = module.predictor(module.online(view_2))
        with torch.no_grad():
            # In this order, which decides what the running statistics end with.
            target_2, target_1 = module.target(view_2), module.target(view_1)
        return bootstrap_loss(prediction_1, target_2) + bootstrap_loss(prediction_2, target_1)

    def optimizer(self, module: BGRLModule) -> torch.optim.Optimizer:
        """AdamW of what is trained: neither the target nor a bias that a norm takes out again."""
        trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
        return torch.optim.AdamW(
            trained, lr=self.learning_rate, weight_decay=self.weight_decay, fused=True
        )

    def learning_rate_at(self, epoch: int) -> float:
        """A linear warm-up, then half a cosine down to zero at the last epoch."""
        warmup = min(self.warmup, self.epochs // 10)
        return self.learning_rate * cosine_decay(epoch, self.epochs, warmup)

    def after_step(self, module: BGRLModule, epoch: int) -> None:
        """Let the target follow the online encoder, more slowly with every epoch."""
        decay = 1 - (1 - self.target_decay) * cosine_decay(epoch, self.epochs)
        follow(module.target, module.online, decay)

    def encode(self, module: BGRLModule, graph: GraphInput) -> Tensor:
        """Embed the clean graph with the online encoder."""
        embedding: Tensor = module.online(clean_view(graph))
        return embedding

    def _corruption(self, number: int) -> Corruption:
        return Corruption(
            edge_drop=getattr(self, f"edge_drop_{number}"),
            feature_mask=getattr(self, f"feature_mask_{number}"),
            pairwise=False,  # the authors drop each direction of an edge for itself
        )

    def _build_encoder(self, num_features: int) -> GCNEncoder:
        """Two convolutions, each with batch norm and PReLU."""
        widths = (self.hidden_channels, self.channels)
        encoder = GCNEncoder(num_features, *widths, num_layers=2, act="prelu", last_act=True)
        encoder.norms = nn.ModuleList(NodeBatchNorm(b, momentum=_NORM_MOMENTUM) for b in widths)
        # A norm takes the bias before it out again. Its gradient is rounding noise, which Adam
        # would blow up to steps of full size.
        encoder.biases.requires_grad_(False)
        return encoder

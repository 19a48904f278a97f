"""Controls: what is had without any training. Only what beats them counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.methods.base import Method
from graphrank.methods.feature_scaling import FeatureScaling
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.graphrank_module import GraphRankModule
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.readout import Part, side_by_side, walk
from graphrank.nn.svd import right_singular_vectors
from graphrank.training.history import History
from graphrank.training.loop import Run


@dataclass(kw_only=True, eq=False, repr=False)
class RawFeatures(Method[nn.Module]):
    """The features as they are: no graph, no training."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="raw-features",
        title="Raw features",
        level="node",
        family="control",
        paper="none",
        time="O(1)",
        memory="O(NF)",
    )

    def build(self, num_features: int) -> nn.Module:
        """Nothing to build."""
        return nn.Module()

    def encode(self, module: nn.Module, graph: GraphInput) -> Tensor:
        """The features themselves, ``[nodes, features]``."""
        return graph.features.to_dense()


@dataclass(kw_only=True, eq=False, repr=False)
class Untrained(GraphRank):
    """GraphRank's own encoder and readout with random weights: all but the training."""

    info: ClassVar[MethodInfo] = MethodInfo(
        name="untrained",
        title="Untrained encoder",
        level="node",
        family="control",
        paper="none",
        time="O(0)",
        memory="O((N+E)d)",
    )

    init: Annotated[Literal["random", "svd"], Option("first weights of `linear`")] = "random"

    def learn(self, module: GraphRankModule, graph: GraphInput, run: Run) -> History:
        """Find the features' basis, which the readout needs; leave the encoder as it was drawn."""
        self.initialize(module, graph)
        self.settle(module, graph)
        return History()


class SmoothingModule(nn.Module):
    """The basis that features are projected on."""

    basis: Tensor

    def __init__(self, num_features: int, rank: int) -> None:
        super().__init__()
        self.register_buffer("basis", torch.zeros(num_features, min(rank, num_features)))


@dataclass(kw_only=True, eq=False, repr=False)
class Smoothing(Method[SmoothingModule]):
    """Truncated SVD of the features; hops 0, 1, 2 row-normalised and concatenated; no training.

    The strong control, and the instant mode: seconds on any graph that fits in memory.
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="smoothing",
        title="SVD smoothing",
        level="node",
        family="control",
        paper="none",
        time="O((N+E)d)",
        memory="O((N+E)d)",
    )

    scale_features: FeatureScaling = "auto-words"
    rank: Annotated[int, Option("width of the truncated SVD", low=1)] = 512
    num_hops: Annotated[int, Option("hops concatenated beside the features", low=0)] = 2

    def build(self, num_features: int) -> SmoothingModule:
        """An empty basis."""
        return SmoothingModule(num_features, self.rank)

    def learn(self, module: SmoothingModule, graph: GraphInput, run: Run) -> History:
        """Set the basis to the leading right singular vectors of the features."""
        width = module.basis.size(1)
        module.basis.copy_(right_singular_vectors(graph.features, width))
        return History()

    def encode(self, module: SmoothingModule, graph: GraphInput) -> Tensor:
        """Hops of the projected features, side by side."""
        view = clean_view(graph)
        steps = walk(view, view.project(module.basis), self.num_hops)
        columns = module.basis.size(1) * (1 + self.num_hops)
        return side_by_side((Part(step, 1.0) for step in steps), columns)

"""What methods on Weisfeiler-Leman colours share: first labels, refinement, the known colours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
import torch
from torch import Tensor

from graphrank.data import GraphSet
from graphrank.errors import ModelError
from graphrank.methods.graph_level import GraphLevelMethod
from graphrank.methods.inputs import graph_set
from graphrank.methods.options import Option
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_batch import GraphBatch
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.scaling import ColumnScaling
from graphrank.nn.sized_by_data import SizedByData
from graphrank.nn.wl import ColorCounts, Numbers, refine


class ColorModule(SizedByData):
    """The colours that training has seen, and whether node labels were the first of them."""

    vocabulary: Tensor
    from_labels: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("vocabulary", torch.empty(0, dtype=torch.long))
        self.register_buffer("from_labels", torch.tensor(False))


ColorModuleT = TypeVar("ColorModuleT", bound=ColorModule)


@dataclass(kw_only=True, eq=False, repr=False)
class ColorMethod(GraphLevelMethod[ColorModuleT]):
    """A method that sees a graph as the colours of its nodes after each round of refinement."""

    iterations: Annotated[int, Option("rounds of Weisfeiler-Leman refinement", low=0)] = 5
    labels: Annotated[
        Literal["auto", "degree", "constant"],
        Option(
            "colours before the first round: node labels or, where there are none, degrees "
            "(auto); degrees; or one for all nodes"
        ),
    ] = "auto"

    def learn_colors(
        self, module: ColorModuleT, graphs: GraphBatch, min_count: int = 1
    ) -> ColorCounts:
        """Count the colours of all texts, and take those that occur often enough as known."""
        may_be_labels = self.labels == "auto" and self.feature_source_ != "degree"
        is_labelled = may_be_labels and _one_hot_column(graphs.features) is not None
        module.remember("from_labels", torch.tensor(is_labelled))
        counts = self.text_counts(module, graphs)
        module.remember("vocabulary", torch.from_numpy(counts.vocabulary(min_count)))
        return counts

    def text_counts(self, module: ColorModuleT, graphs: GraphBatch) -> ColorCounts:
        """How often each colour occurs in each text that is learnt from: the graphs themselves."""
        return self.color_counts(module, graphs)

    def color_counts(self, module: ColorModuleT, graphs: GraphBatch) -> ColorCounts:
        """How often each colour occurs in each graph, known or not."""
        pattern = graphs.adjacency.pattern
        row_pointer, column = pattern.row_pointer.cpu().numpy(), pattern.column.cpu().numpy()
        colors = refine(self._first(module, graphs), row_pointer, column, self.iterations)
        return ColorCounts.of(colors, graphs.graph_of_node.cpu().numpy(), graphs.num_graphs)

    def _first(self, module: ColorModuleT, graphs: GraphBatch) -> Numbers:
        """``[nodes]`` the colours to begin with."""
        if self.labels == "constant":
            return np.zeros(graphs.num_nodes, dtype=np.int64)
        if not bool(module.from_labels):
            return (graphs.adjacency.pattern.row_pointer.diff() - 1).cpu().numpy()
        column = _one_hot_column(graphs.features)
        if column is None:
            raise ModelError(
                "the model was trained on node labels, one column for each, and here a node has "
                "another number of them than one; give every node one label"
            )
        return column

    def _prepare(self, data: Any) -> GraphInput:
        return super()._prepare(_labels_first(graph_set(data)))

    def _known_input(self, data: Any) -> GraphInput:
        self._check_fitted()
        graphs = graph_set(data)
        return super()._known_input(
            graphs if self.feature_source_ == "given" else _labels_first(graphs)
        )

    def _measure_scaling(self, x: Tensor) -> ColumnScaling | None:
        """Labels are names, not sizes: there is nothing to scale."""
        return None

    def _scaled(self, x: Tensor) -> Tensor:
        return x


def _labels_first(graphs: GraphSet) -> GraphSet:
    """The set without its features where it has node labels: features are no colours."""
    return graphs if graphs.node_label is None else replace(graphs, x=None)


def _one_hot_column(features: FeatureMatrix) -> Numbers | None:
    """``[nodes]`` the column of the single one in each row; none where rows are not like that."""
    pattern, values = features.entries()
    if not bool((pattern.row_pointer.diff() == 1).all()) or not bool((values == 1).all()):
        return None
    return pattern.column.cpu().numpy()

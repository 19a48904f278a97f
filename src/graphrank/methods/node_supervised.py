"""Supervised methods of nodes: ``fit(graph, y, split)``, one graph with some labelled nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Self

import torch.nn.functional as F
from torch import Tensor

from graphrank.augment.views import clean_view
from graphrank.data import NodeSplit
from graphrank.methods.labelled import LabelledInput
from graphrank.methods.options import Option
from graphrank.methods.supervised import Classifier, SupervisedMethod, labels_of
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.scaling import FeatureScalingName
from graphrank.training.loop import Run


@dataclass(kw_only=True, eq=False, repr=False)
class SupervisedNodeMethod(SupervisedMethod):
    """Base of all methods that learn classes of nodes from the labels of some.

    The network is one from a view to ``[nodes, classes]``. After :meth:`fit`: ``prediction_``
    ``[nodes]``, ``classes_``, ``history_``, ``module_``.
    """

    scale_features: Annotated[
        FeatureScalingName,
        Option(
            "rows: each row sums to one; l2: it has length one; standard: z-score the columns; "
            "auto: where needed"
        ),
    ] = "rows"
    dropout: Annotated[
        float, Option("dropout on features and hidden activations", low=0, below=1)
    ] = 0.5

    def fit(
        self,
        data: Any,
        y: Any = None,
        split: NodeSplit | None = None,
        *,
        run: Run | None = None,
    ) -> Self:
        """Learn classes from the labels of the training nodes.

        Args:
            data: anything :func:`graphrank.load` takes; labels and masks in it are not looked at.
            y: ``[nodes]`` whole numbers, negative where a node has no label.
            split: training nodes, validation nodes to stop by, and test nodes, whose labels are
                not looked at.
            run: where to save checkpoints, whether to resume, what to call after each epoch.
        """
        if y is None or split is None:
            raise self._lacks_labels("graph", "labels", "nodes")
        self._learn_classes(LabelledInput.of(self._prepare(data), y, split), run)
        return self

    def training_step(self, module: Classifier, graph: GraphInput) -> Tensor:
        """Cross-entropy of the training nodes, behind dropout on the features."""
        labels = labels_of(graph)
        view = clean_view(replace(graph, features=graph.features.dropped_out(self.dropout)))
        scores = module.network(view).index_select(0, labels.train)
        return F.cross_entropy(scores, labels.train_class)

    def encode(self, module: Classifier, graph: GraphInput) -> Tensor:
        """Class scores of the clean graph, ``[nodes, classes]``."""
        scores: Tensor = module.network(clean_view(graph))
        return scores

    def scores_of(self, module: Classifier, graph: GraphInput, chosen: Tensor) -> Tensor:
        """Class scores of some nodes, within the whole graph."""
        return self.encode(module, graph).index_select(0, chosen)

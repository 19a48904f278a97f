"""The contract of supervised methods: ``fit(graph, y, split)`` and ``predict``.

They stand beside the self-supervised ones to show what labels are worth, and share with them
options, loop, checkpoints and files. A supervised method says which network it has
(:meth:`SupervisedMethod.network`) and which weights are penalised. It learns from the labels of
the training nodes, stops and keeps weights by those of the validation nodes, and sees no others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.augment.views import clean_view
from graphrank.data import NodeSplit
from graphrank.errors import ConfigError, ModelError
from graphrank.methods.labelled import LabelledInput
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.graph_input import GraphInput
from graphrank.training.checkpoint import StoredModel
from graphrank.training.history import History
from graphrank.training.loop import Run
from graphrank.training.stopping import is_best_validation, no_better


class Classifier(nn.Module):
    """A network from a view to class scores, and the labels that its columns stand for.

    Args:
        network: from a view to ``[nodes, classes]``.
        classes: ``[classes]`` labels.
    """

    classes: Tensor

    def __init__(self, network: nn.Module, classes: Tensor) -> None:
        super().__init__()
        self.network = network
        self.register_buffer("classes", classes)


@dataclass(kw_only=True, eq=False, repr=False)
class SupervisedMethod(TrainedMethod[Classifier]):
    """Base of all methods that learn classes of nodes from the labels of some.

    After :meth:`fit`: ``prediction_`` ``[nodes]``, ``classes_``, ``history_``, ``module_``. There
    is no ``embedding_``, and :meth:`transform` is refused: what was learnt from labels must not
    pass for an embedding learnt without.
    """

    scale_features: Annotated[
        Literal["auto", "none", "standard", "rows"],
        Option("rows: each row sums to one; standard: z-score the columns; auto: where needed"),
    ] = "rows"
    # Other stops than those of methods without labels.
    stop: Annotated[
        Literal["none", "validation"],
        Option("when validation no longer improves; the weights of its best epoch are kept"),
    ] = "validation"  # type: ignore[assignment]
    patience: Annotated[
        int, Option("epochs without a better validation loss or accuracy before it stops", low=1)
    ] = 100
    dropout: Annotated[
        float, Option("dropout on features and hidden activations", low=0, below=1)
    ] = 0.5

    # -- what a method says of itself -------------------------------------------------------

    @abstractmethod
    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """The network from a view to class scores, from shapes alone."""

    def penalized(self, network: nn.Module) -> Iterable[nn.Parameter]:
        """The weights that ``weight_decay`` applies to: all, unless a method says otherwise."""
        return network.parameters()

    # -- scikit-learn's habits ---------------------------------------------------------------

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
            name = self.info.name
            raise ConfigError(
                f"{name} is supervised and needs labels and a split of the nodes; measure it with "
                f"`graphrank evaluate GRAPH --task node-classification --method {name}`, or call "
                "fit(graph, y, split)"
            )
        graph = LabelledInput.of(self._prepare(data), y, split)
        # Another set of labels is another run, as another graph is.
        self.fingerprint_ += graph.label_fingerprint()
        self.classes_ = graph.classes.cpu()
        self._train(graph, run or Run())
        self.prediction_ = self._classes_of(self.embed(self.module_, graph))
        return self

    def predict(self, data: Any) -> Tensor:
        """The class of every node of a graph, seen or unseen: ``[nodes]``."""
        return self._classes_of(self._scores(data))

    def predict_proba(self, data: Any) -> Tensor:
        """The probability of each class of ``classes_``: ``[nodes, classes]``."""
        return self._scores(data).softmax(dim=1)

    def transform(self, data: Any) -> Tensor:
        """Refused: class scores are no embedding."""
        raise ModelError(
            f"{self.info.name} is supervised and predicts classes; use predict, or a "
            "self-supervised method for embeddings"
        )

    # -- the loop ----------------------------------------------------------------------------

    def build(self, num_features: int) -> Classifier:
        """The network, as wide at its end as there are classes."""
        return Classifier(self.network(num_features, self.classes_.numel()), self.classes_)

    def training_step(self, module: Classifier, graph: GraphInput) -> Tensor:
        """Cross-entropy of the training nodes, behind dropout on the features."""
        labelled = _with_labels(graph)
        view = clean_view(replace(graph, features=graph.features.dropped_out(self.dropout)))
        scores = module.network(view).index_select(0, labelled.train)
        return F.cross_entropy(scores, labelled.train_class)

    def encode(self, module: Classifier, graph: GraphInput) -> Tensor:
        """Class scores of the clean graph, ``[nodes, classes]``."""
        scores: Tensor = module.network(clean_view(graph))
        return scores

    def optimizer(self, module: Classifier) -> torch.optim.Optimizer:
        """Adam, with the penalty on some of the weights only."""
        chosen = list(self.penalized(module.network))
        known = {id(parameter) for parameter in chosen}
        others = [each for each in module.network.parameters() if id(each) not in known]
        groups: list[dict[str, Any]] = [{"params": chosen, "weight_decay": self.weight_decay}]
        if others:
            groups.append({"params": others, "weight_decay": 0.0})
        return torch.optim.Adam(groups, lr=self.learning_rate, fused=True)

    def after_epoch(self, module: Classifier, graph: GraphInput, history: History) -> None:
        """Write loss and accuracy of the validation nodes into the history."""
        labelled = _with_labels(graph)
        module.eval()
        with torch.no_grad():
            scores = self.encode(module, graph).index_select(0, labelled.val)
        right = scores.argmax(dim=1) == labelled.val_class
        history.validation_loss.append(float(F.cross_entropy(scores, labelled.val_class)))
        history.validation_accuracy.append(float(right.double().mean()))

    def is_finished(self, history: History) -> bool:
        """Whether neither loss nor accuracy of validation has become better for long."""
        mistakes = [1 - accuracy for accuracy in history.validation_accuracy]
        return (
            self.stop == "validation"
            and no_better(history.validation_loss, self.patience)
            and no_better(mistakes, self.patience)
        )

    @property
    def keeps_best(self) -> bool:
        """The weights of the best validation epoch, whatever ends the training."""
        return True

    def is_best(self, history: History) -> bool:
        """The highest validation accuracy; of equal ones the lowest validation loss."""
        return is_best_validation(history.validation_loss, history.validation_accuracy)

    # -- inside ------------------------------------------------------------------------------

    def _scores(self, data: Any) -> Tensor:
        graph = self._known_input(data)
        return self.embed(self.module_, graph)

    def _classes_of(self, scores: Tensor) -> Tensor:
        return self.classes_[scores.argmax(dim=1)]

    def _restore(self, stored: StoredModel) -> None:
        """The classes first: the network's shape depends on them."""
        self.classes_ = stored.weights["classes"]
        super()._restore(stored)


def _with_labels(graph: GraphInput) -> LabelledInput:
    if not isinstance(graph, LabelledInput):
        raise AssertionError("supervised training runs on a graph with labels")
    return graph

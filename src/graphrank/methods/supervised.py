"""The contract of supervised methods: ``fit(data, y, split)`` and ``predict``.

They stand beside the self-supervised ones to show what labels are worth, and share with them
options, loop, checkpoints and files. A supervised method says which network it has
(:meth:`SupervisedMethod.network`) and which weights are penalised. It learns from the labels of
the training part, stops and keeps weights by those of the validation part, and sees no others.
What differs between classes of nodes and of whole graphs is in ``node_supervised.py`` and
``graph_supervised.py``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.errors import ConfigError, ModelError
from graphrank.methods.labelled import SeenLabels
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.graph_input import GraphInput
from graphrank.training.checkpoint import StoredModel
from graphrank.training.history import History
from graphrank.training.loop import Run
from graphrank.training.stopping import is_best_validation, no_better


class Classifier(nn.Module):
    """A network to class scores, and the labels that its columns stand for.

    Args:
        network: to ``[nodes, classes]`` or ``[graphs, classes]``.
        classes: ``[classes]`` labels.
    """

    classes: Tensor

    def __init__(self, network: nn.Module, classes: Tensor) -> None:
        super().__init__()
        self.network = network
        self.register_buffer("classes", classes)


@dataclass(kw_only=True, eq=False, repr=False)
class SupervisedMethod(TrainedMethod[Classifier]):
    """Base of all methods that learn classes from the labels of some nodes or graphs.

    After ``fit``: ``prediction_``, ``classes_``, ``history_``, ``module_``. There is no
    ``embedding_``, and :meth:`transform` is refused: what was learnt from labels must not pass for
    an embedding learnt without.
    """

    # Other stops than those of methods without labels.
    stop: Annotated[
        Literal["none", "validation"],
        Option("when validation no longer improves; the weights of its best epoch are kept"),
    ] = "validation"  # type: ignore[assignment]
    patience: Annotated[
        int, Option("epochs without a better validation loss or accuracy before it stops", low=1)
    ] = 100

    # -- what a method says of itself -------------------------------------------------------

    @abstractmethod
    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """The network to class scores, from shapes alone."""

    def penalized(self, network: nn.Module) -> Iterable[nn.Parameter]:
        """The weights that ``weight_decay`` applies to: all, unless a method says otherwise."""
        return network.parameters()

    @abstractmethod
    def scores_of(self, module: Classifier, graph: GraphInput, chosen: Tensor) -> Tensor:
        """Class scores of some nodes or graphs of the clean input, ``[chosen, classes]``."""

    # -- scikit-learn's habits ---------------------------------------------------------------

    def predict(self, data: Any) -> Tensor:
        """The class of every node, or of every graph of a set, seen or unseen."""
        return self._classes_of(self._scores(data))

    def predict_proba(self, data: Any) -> Tensor:
        """The probability of each class of ``classes_``: ``[nodes or graphs, classes]``."""
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
        """Write loss and accuracy of the validation part into the history."""
        labels = labels_of(graph)
        module.eval()
        with torch.no_grad():
            scores = self.scores_of(module, graph, labels.val)
        right = scores.argmax(dim=1) == labels.val_class
        history.validation_loss.append(float(F.cross_entropy(scores, labels.val_class)))
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

    def _learn_classes(self, graph: GraphInput, run: Run | None) -> None:
        """Train on an input with labels and keep what it predicts."""
        labels = labels_of(graph)
        # Another set of labels is another run, as another graph is.
        self.fingerprint_ += labels.label_fingerprint()
        self.classes_ = labels.classes.cpu()
        self._train(graph, run or Run())
        scores = self.embed(self.module_, graph)
        self.prediction_ = self._classes_of(scores)
        # Of two classes, how much likelier the second one is.
        self.ranking_ = scores[:, 1] - scores[:, 0] if scores.size(1) == 2 else None

    def _lacks_labels(self, data: str, labels: str, parts: str) -> ConfigError:
        """What to say of a fit without labels or without a split."""
        name = self.info.name
        return ConfigError(
            f"{name} is supervised and needs {labels} and a split of the {parts}; measure it with "
            f"`graphrank evaluate {data.upper()} --task {self.info.level}-classification --method "
            f"{name}`, or call fit({data}, y, split)"
        )

    def _scores(self, data: Any) -> Tensor:
        graph = self._known_input(data)
        return self.embed(self.module_, graph)

    def _classes_of(self, scores: Tensor) -> Tensor:
        return self.classes_[scores.argmax(dim=1)]

    def _restore(self, stored: StoredModel) -> None:
        """The classes first: the network's shape depends on them."""
        self.classes_ = stored.weights["classes"]
        super()._restore(stored)


def labels_of(graph: GraphInput) -> SeenLabels:
    """The labels beside the graph; only supervised training has them."""
    if not isinstance(graph, SeenLabels):
        raise AssertionError("supervised training runs on an input with labels")
    return graph

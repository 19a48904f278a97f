"""Methods that are trained by gradient steps, on the one training loop.

A method says how one step computes its loss; the hooks for batches, optimisers, schedules and
stops have defaults that most methods keep.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import torch
from torch import Tensor

from graphrank.methods.base import Method, ModuleT
from graphrank.methods.options import Option
from graphrank.nn.graph_input import GraphInput
from graphrank.training.history import History
from graphrank.training.loop import Run, train
from graphrank.training.stopping import is_best, no_better, on_plateau


@dataclass(kw_only=True, eq=False, repr=False)
class TrainedMethod(Method[ModuleT]):
    """A method that minimises a loss by gradient steps, one or more an epoch."""

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 100
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 1e-3
    weight_decay: Annotated[float, Option("L2 penalty on the weights", low=0)] = 0.0
    stop: Annotated[
        Literal["none", "plateau", "best"],
        Option(
            "label-free stop: when the smoothed loss stands still (plateau), or when no epoch "
            "betters the least loss, whose weights are then taken (best)"
        ),
    ] = "none"
    patience: Annotated[int, Option("epochs without progress before training stops", low=1)] = 20

    @abstractmethod
    def training_step(self, module: ModuleT, graph: GraphInput) -> Tensor:
        """The loss of one step, a scalar with gradient."""

    def batches(self, graph: GraphInput) -> Iterator[GraphInput]:
        """What one epoch runs over: the whole graph, unless a method says otherwise."""
        yield graph

    def optimizer(self, module: ModuleT) -> torch.optim.Optimizer:
        """The optimiser of all parameters."""
        return torch.optim.Adam(
            module.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay, fused=True
        )

    def learning_rate_at(self, epoch: int) -> float:
        """The learning rate of an epoch, a function of its number so that resuming is exact."""
        return self.learning_rate

    def before_epoch(self, module: ModuleT, epoch: int) -> None:
        """Called before the first step of an epoch (schedules of the objective)."""

    def after_step(self, module: ModuleT, epoch: int) -> None:
        """Called after each optimiser step (moving averages)."""

    def after_epoch(self, module: ModuleT, graph: GraphInput, history: History) -> None:
        """Called after each epoch, before it may be saved (a look at validation)."""

    def is_finished(self, history: History) -> bool:
        """Whether training ends before its last epoch, as ``stop`` says."""
        if self.stop == "best":
            return no_better(history.loss, self.patience)
        return self.stop == "plateau" and on_plateau(history.loss, self.patience)

    @property
    def keeps_best(self) -> bool:
        """Whether training ends with the weights of its best epoch, not with the last ones."""
        return self.stop == "best"

    def is_best(self, history: History) -> bool:
        """Whether the last epoch is better than all before it; asked where the best is kept."""
        return is_best(history.loss)

    def initialize(self, module: ModuleT, graph: GraphInput) -> None:
        """Start from more than random weights, where a method knows better; no labels there."""

    def settle(self, module: ModuleT, graph: GraphInput) -> None:
        """Called when training is over: measure on the clean graph what embedding needs to know."""

    def learn(self, module: ModuleT, graph: GraphInput, run: Run) -> History:
        """Run the shared training loop."""
        self.initialize(module, graph)
        history = train(self, module, graph, run)
        self.settle(module, graph)
        return history

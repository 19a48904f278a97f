"""The training loop of every method: steps, progress, checkpoints, interruption, resumption."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from graphrank.errors import TrainingError
from graphrank.training.checkpoint import read_training, write_training
from graphrank.training.history import History
from graphrank.training.interrupt import HoldInterrupt
from graphrank.training.outlook import tell_if_long
from graphrank.training.progress import epoch_progress

if TYPE_CHECKING:
    from graphrank.methods.trained import TrainedMethod
    from graphrank.nn.graph_input import GraphInput

EpochCallback = Callable[[int, Callable[[], Tensor]], None]


@dataclass(frozen=True)
class Run:
    """How a training is run, apart from what is trained.

    Args:
        directory: where the model and its checkpoints go; none keeps all in memory.
        resume: go on from the checkpoint in ``directory``.
        checkpoint_every: seconds between two checkpoints.
        on_epoch: called after each epoch with the number of finished epochs and a function that
            embeds the clean graph with the weights of that moment.
        progress: show a progress bar where standard error is a terminal, and say so where it will
            take long.
        title: what the bar says beside the method's name, where it is one fit of several.
    """

    directory: Path | None = None
    resume: bool = False
    checkpoint_every: float = 60.0
    on_epoch: EpochCallback | None = None
    progress: bool = True
    title: str = ""


def train(method: TrainedMethod[Any], module: nn.Module, graph: GraphInput, run: Run) -> History:
    """Minimise a method's loss; called inside the method's seeded block.

    Resumed from a checkpoint, it ends with the same bits as an uninterrupted run: weights,
    optimiser and random state are restored, and everything else is a function of the epoch.
    Where the method keeps its best epoch, it ends with the weights of that one.
    """
    optimizer = method.optimizer(module)
    history = History()
    best: dict[str, Tensor] = {}
    if run.resume and run.directory is not None:
        history, kept = read_training(run.directory, method, module, optimizer, graph.device)
        best = kept if method.keeps_best else {}
    saved_at = time.monotonic()
    look_ahead = tell_if_long(method)
    with (
        HoldInterrupt() as interrupt,
        epoch_progress(method, history, run.progress, run.title) as advance,
    ):
        while history.epochs < method.epochs and not method.is_finished(history):
            _run_epoch(method, module, graph, optimizer, history)
            method.after_epoch(module, graph, history)
            if method.keeps_best and (not best or method.is_best(history)):
                best = {name: value.clone() for name, value in module.state_dict().items()}
            advance(history)
            if run.progress:
                look_ahead(history)
            if run.on_epoch is not None:
                run.on_epoch(history.epochs, lambda: method.embed(module, graph))
            due = time.monotonic() - saved_at > run.checkpoint_every
            if interrupt.requested:
                history.stopped = "interrupted"
            if run.directory is not None and (interrupt.requested or due):
                write_training(
                    run.directory, method, module, optimizer, history, graph.device, best
                )
                saved_at = time.monotonic()
            interrupt.raise_if_requested()
    history.stopped = method.stop if history.epochs < method.epochs else "epochs"
    if run.directory is not None:
        write_training(run.directory, method, module, optimizer, history, graph.device, best)
    if best:
        module.load_state_dict(best)
    return history


def _run_epoch(
    method: TrainedMethod[Any],
    module: nn.Module,
    graph: GraphInput,
    optimizer: torch.optim.Optimizer,
    history: History,
) -> None:
    """All steps of one epoch, its mean loss and time appended to the history."""
    started = time.perf_counter()
    module.train()
    epoch = history.epochs
    for group in optimizer.param_groups:
        group["lr"] = method.learning_rate_at(epoch)
    method.before_epoch(module, epoch)
    losses: list[Tensor] = []
    for batch in method.batches(graph):
        loss = method.training_step(module, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        method.after_step(module, epoch)
        losses.append(loss.detach())
    mean = float(torch.stack(losses).mean())
    if not math.isfinite(mean):
        raise TrainingError(
            f"the loss is {mean} at epoch {epoch + 1}; try a smaller learning_rate, "
            "similarity=cosine, or features scaled to the range of 0 to 1"
        )
    history.loss.append(mean)
    history.seconds.append(time.perf_counter() - started)

"""A progress bar for trainings that people wait for; silent where nobody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from graphrank.terminal import free_terminal, moves_on
from graphrank.training.history import History

if TYPE_CHECKING:
    from graphrank.methods.trained import TrainedMethod


@contextmanager
def epoch_progress(
    method: TrainedMethod[Any], history: History, shown: bool, title: str = ""
) -> Iterator[Callable[[History], None]]:
    """Give a function to call after each epoch; it shows loss, epochs a second and time left."""
    console = free_terminal(shown)
    if console is None:
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} epochs  loss {task.fields[loss]}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    name = f"{method.info.title}, {title}" if title else method.info.title
    with moves_on(console), Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(name, total=method.epochs, completed=history.epochs, loss="-", rate="")

        def advance(now: History) -> None:
            recent = now.seconds[-10:]
            rate = f"{len(recent) / max(sum(recent), 1e-9):.1f} epochs/s"
            bar.update(task, completed=now.epochs, loss=f"{now.loss[-1]:.4f}", rate=rate)

        yield advance

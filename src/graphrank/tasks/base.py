"""The contract of a task: split, show the method what it may see, then judge its embedding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from torch import Tensor

from graphrank.data import without_labels
from graphrank.errors import ConfigError, unknown_name
from graphrank.methods.base import Method
from graphrank.methods.info import Level

SplitT = TypeVar("SplitT")
# A PyG ``Data``, or a ``GraphSet`` where the task is about whole graphs; a task says which.
TaskData: TypeAlias = Any


@dataclass(frozen=True)
class Protocol:
    """A named way to judge, documented in docs/evaluation.md.

    Args:
        name: the value of ``--protocol``.
        summary: what is split and scored, in one line.
        selects_on: what choices are made on.
        diagnostic: whether it uses labels or edges that an honest comparison may not use; such a
            figure explains others and is marked wherever it is shown.
    """

    name: str
    summary: str
    selects_on: str
    diagnostic: bool = False


@dataclass(frozen=True)
class Task(ABC, Generic[SplitT]):
    """One way to use embeddings, with its named protocols.

    A task is a frozen dataclass; its fields are its options (which probe, which scorer), checked
    in ``__post_init__``, and go into the configuration of every result.

    The order of calls keeps leaks out: :meth:`split` first, then the method is fitted on what
    :meth:`visible` lets through, then :meth:`evaluate` gets its embedding.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    level: ClassVar[Level] = "node"
    metrics: ClassVar[tuple[str, ...]]
    protocols: ClassVar[Mapping[str, Protocol]]

    def protocol(self, name: str | None, data: TaskData) -> Protocol:
        """The protocol of that name, or the one that is usual for the dataset."""
        name = name or self.default_protocol(data)
        if name not in self.protocols:
            raise ConfigError(unknown_name(f"protocol of {self.name}", name, self.protocols))
        return self.protocols[name]

    def suited_to(self, method: type[Method[Any]]) -> Self:
        """The task with what it leaves open decided for a method; results say what it was."""
        return self

    @abstractmethod
    def default_protocol(self, data: TaskData) -> str:
        """The protocol that the field uses on this dataset."""

    @abstractmethod
    def split(self, data: TaskData, protocol: Protocol, seed: int) -> SplitT:
        """Decide what is held out, from the seed alone."""

    def visible(self, data: TaskData, split: SplitT) -> TaskData:
        """The graph that a self-supervised method may see."""
        return without_labels(data)

    @abstractmethod
    def evaluate(
        self, embedding: Tensor, data: TaskData, split: SplitT, seed: int
    ) -> dict[str, float]:
        """Score an embedding on what was held out; figures in per cent."""

    @abstractmethod
    def validate(self, embedding: Tensor, data: TaskData, split: SplitT, seed: int) -> float:
        """Score an embedding on the validation part alone, for choices such as the epoch."""

"""What is known of a method before it runs: its paper, its level, its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["node", "graph"]


@dataclass(frozen=True)
class MethodInfo:
    """The facts that ``graphrank list methods`` shows.

    Args:
        name: the name on the command line.
        title: the name as its paper writes it.
        level: what it embeds.
        family: the kind of objective in one word: rank, contrastive, generative, control.
        paper: citation.
        time: complexity of one epoch; N nodes, E edges, d width.
        memory: complexity of its memory.
        inductive: whether it embeds nodes that it has not seen in training.
    """

    name: str
    title: str
    level: Level
    family: str
    paper: str
    time: str
    memory: str
    inductive: bool = True

"""What is known of a method before it runs: its paper, its level, its cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Level = Literal["node", "graph"]


def in_short(cost: str) -> str:
    """A cost without its conditions and explanations.

    Example:
        >>> in_short("O(N²d); sampled: O(Ed)")
        'O(N²d)'
    """
    return re.split("[;,] ", cost)[0]


@dataclass(frozen=True)
class MethodInfo:
    """The facts that ``graphrank list methods`` shows.

    Args:
        name: the name on the command line.
        title: the name as its paper writes it.
        level: what it embeds.
        family: the kind of objective in one word: rank, contrastive, generative, supervised,
            control.
        paper: citation.
        time: complexity of one epoch; N nodes, E edges, d width.
        memory: complexity of its memory.
        inductive: whether it embeds nodes that it has not seen in training.
        draws_epochs: whether an epoch draws so many nodes of a graph, or graphs of a set, however
            many there are.
    """

    name: str
    title: str
    level: Level
    family: str
    paper: str
    time: str
    memory: str
    inductive: bool = True
    draws_epochs: bool = False

    @property
    def is_quadratic(self) -> bool:
        """Whether an epoch grows with the square of the nodes, on graphs of every size.

        Example:
            >>> costs = ("O(N²d+Ed)", "O(N²d) dense, O(Nkd) top-k")
            >>> [MethodInfo("x", "X", "node", "", "", cost, "O(N)").is_quadratic for cost in costs]
            [True, False]
        """
        return re.fullmatch(r"O\([^()]*N²[^()]*\)", self.time) is not None

    @property
    def short_paper(self) -> str:
        """The first author and the year alone; what is no citation stays as it is.

        Example:
            >>> paper = "Doe & Roe, On X, ICML 2024"
            >>> MethodInfo("x", "X", "node", "rank", paper, "O(N)", "O(N)").short_paper
            'Doe 2024'
        """
        found = re.match(r"(\S+)( et al\.| & \S+)?, .* ?(\d{4})$", self.paper)
        return f"{found[1]} {found[3]}" if found else self.paper

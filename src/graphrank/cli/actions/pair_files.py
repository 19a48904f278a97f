"""Nodes by the ids of the user, one by one or as a table of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import torch
from torch import Tensor

from graphrank.data.columns import ColumnNames, edge_columns, usual_ends
from graphrank.data.keys import check_complete, key_column
from graphrank.data.raw import NodeIds
from graphrank.data.tables import Layout, describe, read
from graphrank.errors import DataError

_COMPARED = 20_000
_SHOWN = 3


class NodeNames:
    """The ids of a graph, to be found by their text.

    Args:
        ids: one id for each node.
    """

    def __init__(self, ids: NodeIds) -> None:
        self.place = {str(name): place for place, name in enumerate(ids)}

    def find(self, names: Sequence[str], where: str = "") -> Tensor:
        """Positions ``[n]`` of some ids.

        Raises:
            DataError: On the first id that no node has, with the nearest one.
        """
        for name in names:
            if name not in self.place:
                raise DataError(self._unknown(name, where))
        return torch.tensor([self.place[name] for name in names], dtype=torch.int64)

    def _unknown(self, name: str, where: str) -> str:
        """Say that there is no such node; a large graph is searched among ids that begin alike."""
        begin = [known for known in self.place if known[:1] == name[:1]]
        some = (begin if len(self.place) > _COMPARED else list(self.place))[:_COMPARED]
        near = get_close_matches(name, some, n=1, cutoff=0.5)
        known = ", ".join(list(self.place)[:_SHOWN])
        remedy = f"did you mean {near[0]!r}?" if near else f"its nodes are {known}, …"
        return f"{where}there is no node {name!r} in the graph; {remedy}"


def read_pairs(path: Path, names: NodeNames) -> Tensor:
    """Read a table of pairs: ``[2, P]`` positions of nodes, in the order of the table.

    Raises:
        DataError: If it has no two columns of ids, or an id that no node has.
    """
    if not path.is_file():
        raise DataError(f"there is no file {str(path)!r}; check the path")
    layout = _layout(path, names)
    columns = _columns(layout)
    frame = read(layout, columns, [])
    keys = [key_column(frame[column]) for column in columns]
    for key, column in zip(keys, columns, strict=True):
        check_complete(key, column, layout.label)
    ends = [
        names.find(key.names, f"in column {column!r} of {layout.label} ")[
            torch.from_numpy(key.codes)
        ]
        for key, column in zip(keys, columns, strict=True)
    ]
    return torch.stack(ends)


def _layout(path: Path, names: NodeNames) -> Layout:
    """How the table is written; a first row of ids of the graph is a pair, not names."""
    layout = describe(path, None, leading=2)
    first = layout.names[:2]
    if layout.guessed and len(first) == 2 and all(name in names.place for name in first):
        return describe(path, False, leading=2)
    return layout


def _columns(layout: Layout) -> list[str]:
    """The two columns of ids: those of the usual names, or the first two where none has one."""
    listed = ", ".join(layout.names)
    if len(layout.names) < 2:
        raise DataError(
            f"{layout.label} has one column ({listed}) and pairs take two; name them source and "
            "target"
        )
    one_usual = usual_ends([*layout.names, "source"]) or usual_ends([*layout.names, "target"])
    if one_usual and not usual_ends(layout.names):
        raise DataError(
            f"{layout.label} names only one end of its pairs (its columns are {listed}); name "
            "the two columns of ids source and target"
        )
    source, target, _ = edge_columns(layout.names, ColumnNames(), layout.label)
    return [source, target]

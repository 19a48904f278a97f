"""Graphs given as PyG ``HeteroData``: nodes and edges of several types, read as one graph."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from torch_geometric.data import HeteroData

from graphrank.data.features import feature_matrix
from graphrank.data.raw import CsrMatrix, IntArray, NodeIds, RawGraph
from graphrank.data.readers.pyg import ids_of, labels_of, masks_of, read_edges, weights_of
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")


@dataclass(frozen=True)
class _Places:
    """Where the nodes of each type lie in the one graph: those of a type stand together."""

    starts: dict[str, int]
    sizes: dict[str, int]

    @property
    def total(self) -> int:
        """How many nodes there are."""
        return sum(self.sizes.values())

    def of(self, node_type: str) -> slice:
        """Those of one type."""
        start = self.starts[node_type]
        return slice(start, start + self.sizes[node_type])


def read_hetero(data: HeteroData, name: str | None = None) -> RawGraph:
    """Read a PyG graph of several types; nodes are called by theirs, as in ``user:0``.

    Every type has columns of its own for its features, and a column that marks it: what ``x[0]``
    of a user says is another thing than what it says of an item. Edges of all types are edges.
    Two types of nodes that are only joined to each other are the two kinds of
    :mod:`graphrank.data.kinds`.

    Args:
        data: The graph, which is not changed.
        name: How the graph is called; by default its ``name``.

    Raises:
        DataError: If a type has no known number of nodes, or an edge type no ``edge_index``.
    """
    name = name or getattr(data, "name", None) or "graph"
    places = _places(data, name)
    row, col, weight = _edges(data, places, name)
    labelled = _labelled_type(data, name)
    x, feature_names = _features(data, places)
    kind, kind_names = _kinds(data, places)
    return RawGraph(
        row, col, places.total, name,
        weight=weight, x=x, feature_names=feature_names, node_id=_ids(data, places),
        y=_labels(data, places, labelled, name), masks=_masks(data, places, labelled),
        class_names=None if labelled is None else data[labelled].get("class_names"),
        kind=kind, kind_names=kind_names,
    )  # fmt: skip


def _places(data: HeteroData, name: str) -> _Places:
    """Count the nodes of each type.

    Raises:
        DataError: If that is not known.
    """
    ends = {end for source, _, target in data.edge_types for end in (source, target)}
    types = [*data.node_types, *sorted(ends - set(data.node_types))]
    sizes: dict[str, int] = {}
    for each in types:
        known = each in data.node_types and data[each].can_infer_num_nodes
        if not known:
            raise DataError(
                f"{name} has nodes of type {each!r}, but not how many; set data[{each!r}].num_nodes"
            )
        sizes[each] = int(data[each].num_nodes)
    starts = np.cumsum([0, *sizes.values()]).tolist()
    return _Places(dict(zip(sizes, starts, strict=False)), sizes)


def _edges(
    data: HeteroData, places: _Places, name: str
) -> tuple[IntArray, IntArray, NDArray[np.float64] | None]:
    """Edges of all types; those without weights count one where others have some."""
    none = np.empty(0, dtype=np.int64)
    rows, cols, weights = [none], [none], [none.astype(np.float64)]
    is_weighted = False
    for edge_type in data.edge_types:
        source, _, target = edge_type
        where = f"edge type {edge_type} of {name}"
        row, col = read_edges(data[edge_type], where)
        _check_ends(row, places.sizes[source], source, where)
        _check_ends(col, places.sizes[target], target, where)
        weight = weights_of(data[edge_type], where)
        is_weighted |= weight is not None
        rows.append(row + places.starts[source])
        cols.append(col + places.starts[target])
        weights.append(np.ones(len(row)) if weight is None else weight)
    weight = np.concatenate(weights) if is_weighted else None
    return np.concatenate(rows), np.concatenate(cols), weight


def _check_ends(ends: IntArray, nodes: int, node_type: str, where: str) -> None:
    """Refuse an end that would be a node of another type in the one graph."""
    outside = (ends < 0) | (ends >= nodes)
    if outside.any():
        raise DataError(
            f"{where} has an edge to {node_type} {ends[outside][0]}, outside 0..{nodes - 1};"
            " mend edge_index or set num_nodes"
        )


def _features(data: HeteroData, places: _Places) -> tuple[CsrMatrix | None, list[str] | None]:
    """Features of every type in columns of its own, and its mark; nothing where none has any."""
    blocks, names = [], []
    if not any("x" in data[each] for each in data.node_types):
        return None, None
    for each, size in places.sizes.items():
        mark = sparse.csr_array(np.ones((size, 1), dtype=np.float32))
        names.append(f"type={each}")
        x = data[each].get("x")
        if x is None:
            blocks.append(mark)
            continue
        own = feature_matrix(x)
        if own.shape[0] != size:
            raise DataError(f"there are {size} {each} but {own.shape[0]} rows of features of them")
        known = data[each].get("feature_names") or range(own.shape[1])
        names += [f"{each}:{column}" for column in known]
        blocks.append(sparse.hstack([mark, sparse.csr_array(own)], format="csr"))
    return sparse.csr_array(sparse.block_diag(blocks, format="csr")), names


def _ids(data: HeteroData, places: _Places) -> NodeIds:
    """The ids of the nodes, or their numbers, behind their types."""
    called: list[str] = []
    for each, size in places.sizes.items():
        own = ids_of(data[each].get("node_id"))
        called += [f"{each}:{node}" for node in (range(size) if own is None else own)]
    return called


def _kinds(
    data: HeteroData, places: _Places
) -> tuple[IntArray, tuple[str, str]] | tuple[None, None]:
    """The two kinds of a graph with two types that are only joined to each other."""
    if len(places.sizes) != 2 or any(source == target for source, _, target in data.edge_types):
        return None, None
    first, second = places.sizes
    return np.repeat(np.arange(2), list(places.sizes.values())), (first, second)


def _labelled_type(data: HeteroData, name: str) -> str | None:
    """The type whose nodes have classes: classes of several would be no one thing to learn."""
    labelled = [each for each in data.node_types if "y" in data[each]]
    split = [each for each in labelled if "train_mask" in data[each]]
    chosen = split if len(split) == 1 else labelled
    if len(chosen) > 1:
        _LOGGER.warning(
            "%s: nodes of types %s have labels, which are left out; keep y of one of them",
            name, ", ".join(chosen),
        )  # fmt: skip
    return chosen[0] if len(chosen) == 1 else None


def _labels(data: HeteroData, places: _Places, labelled: str | None, name: str) -> IntArray | None:
    """Classes of the labelled type; all other nodes have none."""
    if labelled is None:
        return None
    own = labels_of(data[labelled], places.sizes[labelled], f"{labelled} of {name}")
    if own is None:
        return None
    y = np.full(places.total, -1, dtype=np.int64)
    y[places.of(labelled)] = own
    return y


def _masks(data: HeteroData, places: _Places, labelled: str | None) -> dict[str, NDArray[np.bool_]]:
    """The published split of the labelled type."""
    if labelled is None:
        return {}
    masks = {}
    for key, own in masks_of(data[labelled]).items():
        if len(own) != places.sizes[labelled]:
            raise DataError(f"{key} of {labelled} is not one for each node; mend it")
        masks[key] = np.zeros(places.total, dtype=bool)
        masks[key][places.of(labelled)] = own
    return masks

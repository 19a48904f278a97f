"""Sets of graphs in the text layout of the TU Dortmund collection, folder or zip archive."""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow
from pyarrow import csv

from graphrank.data.edges import clean_edges
from graphrank.data.graphset import GraphSet
from graphrank.data.packed import PackedGraphs, cached
from graphrank.data.raw import IntArray
from graphrank.errors import DataError

_LOGGER = logging.getLogger("graphrank")
_NUMBER = pyarrow.int32()
_REAL = pyarrow.float32()


def read_tu(source: Path, name: str, *, published: bool = False) -> GraphSet:
    """Read a set of graphs and, where there are any, their classes and what their nodes are.

    The files are ``NAME_A.txt``, ``NAME_graph_indicator.txt`` and perhaps
    ``NAME_graph_labels.txt``, ``NAME_node_labels.txt`` and ``NAME_node_attributes.txt``. The text
    is parsed once; the result is kept in the cache and read from there afterwards. As in the
    literature, continuous attributes are left out where the nodes have labels.

    Args:
        source: The folder or the zip archive.
        name: ``NAME``.
        published: Whether the graphs are known to have classes.

    Raises:
        DataError: If a file is missing or does not fit the others.
    """
    graphs = cached(source, name, lambda: _parse(source, name, published)).unpack(name)
    edges = graphs.edge_index.size(1)
    counts = (name, len(graphs), graphs.num_nodes, edges)
    _LOGGER.info("%s: %d graphs, %d nodes, %d edge entries", *counts)
    if graphs.node_label is not None and _holds(source, name, "node_attributes"):
        _LOGGER.info("%s: node attributes are left out, since the nodes have labels", name)
    return graphs


def _parse(source: Path, name: str, published: bool) -> PackedGraphs:
    """Read the text files."""
    _LOGGER.info("%s: reading the published text, once", name)
    try:
        graph_of = _numbers(source, name, "graph_indicator")[0]
        classes = _numbers(source, name, "graph_labels", optional=not published)
        row, col = (part - 1 for part in _numbers(source, name, "A"))
        labels = _numbers(source, name, "node_labels", optional=True)
        attributes = (
            [] if labels else _numbers(source, name, "node_attributes", _REAL, optional=True)
        )
    except DataError:  # is a ValueError too, and says already what to do
        raise
    except (pyarrow.ArrowException, zipfile.BadZipFile, OSError, ValueError) as error:
        raise DataError(f"the files of {name} are damaged ({error}); replace them") from error
    y = classes[0] if classes else np.empty(0, dtype=np.int64)
    graphs = len(y) or int(graph_of.max(initial=0))
    _check(name, graph_of, graphs, (row, col), [*labels, *attributes])
    order = np.argsort(graph_of, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    adjacency = clean_edges(place[row], place[col], None, len(order), directed=False).adjacency
    sizes = np.bincount(graph_of - 1, minlength=graphs)
    start = np.repeat(np.cumsum(sizes) - sizes, sizes)
    degree = np.diff(adjacency.indptr)
    node_label = labels[0][order] if labels else np.empty(0, dtype=np.int64)
    return PackedGraphs(
        sizes=sizes,
        degree=degree,
        neighbour=adjacency.indices - np.repeat(start, degree),
        y=_from_zero(y),
        node_label=_from_zero(node_label),
        label_value=np.unique(node_label),
        attribute=np.stack(attributes, axis=1)[order] if attributes else np.empty((0, 0)),
    )


def _check(
    name: str,
    graph_of: IntArray,
    graphs: int,
    ends: tuple[IntArray, IntArray],
    of_nodes: list[IntArray],
) -> None:
    """Refuse files that do not fit each other."""
    nodes, (row, col) = len(graph_of), ends
    fits = (
        nodes > 0
        and graph_of.min() >= 1
        and graph_of.max() <= graphs
        and min(row.min(initial=0), col.min(initial=0)) >= 0
        and max(row.max(initial=0), col.max(initial=0)) < nodes
        and bool((graph_of[row] == graph_of[col]).all())
        and all(len(column) == nodes for column in of_nodes)
    )
    if not fits:
        raise DataError(f"the files of {name} do not fit each other; replace them")


def _from_zero(values: IntArray) -> IntArray:
    """Number the different values in their order."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _numbers(
    source: Path,
    name: str,
    part: str,
    kind: pyarrow.DataType = _NUMBER,
    *,
    optional: bool = False,
) -> list[IntArray]:
    """Return the columns of ``NAME_part.txt``; none if it is optional and missing."""
    file = f"{name}_{part}.txt"
    with _opened(source, file) as stream:
        if stream is not None:
            table = csv.read_csv(
                stream, read_options=csv.ReadOptions(autogenerate_column_names=True)
            )
            return [column.cast(kind).to_numpy() for column in table.columns]
    if optional:
        return []
    raise DataError(f"{file} is missing in {source.name}; add the published one")


def _holds(source: Path, name: str, part: str) -> bool:
    """Tell whether there is a file ``NAME_part.txt``."""
    with _opened(source, f"{name}_{part}.txt") as stream:
        return stream is not None


@contextmanager
def _opened(source: Path, file: str) -> Iterator[IO[bytes] | None]:
    """Open one file of a folder or an archive, whatever folder of the archive it lies in."""
    if source.is_dir():
        path = source / file
        with path.open("rb") if path.is_file() else nullcontext() as stream:
            yield stream
        return
    with zipfile.ZipFile(source) as archive:
        member = next((m for m in archive.namelist() if Path(m).name == file), None)
        with archive.open(member) if member else nullcontext() as stream:
            yield stream

"""One function for every kind of graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from torch_geometric.data import Data

from graphrank.data.assemble import assemble
from graphrank.data.attach import NodeValues, attach_features, attach_labels
from graphrank.data.columns import ColumnNames
from graphrank.data.graphset import GraphSet
from graphrank.data.pack import pack
from graphrank.data.raw import RawGraph
from graphrank.data.readers.arrays import is_edge_list
from graphrank.data.source import GraphSource, read_source
from graphrank.data.synthetic import is_synthetic
from graphrank.errors import DataError

ReadT = TypeVar("ReadT", bound=RawGraph | GraphSet)


def load(
    source: GraphSource,
    *,
    features: NodeValues | None = None,
    labels: NodeValues | None = None,
    directed: bool | None = None,
    weighted: bool = True,
    data_root: str | Path | None = None,
    columns: ColumnNames | None = None,
    structural_features: bool = True,
) -> Data | GraphSet:
    """Load a graph, or a set of graphs, from whatever holds it.

    The graph comes back as a PyG ``Data`` with ``x`` (float32, dense or CSR ``[N, F]``),
    ``edge_index`` (int64 ``[2, E]``, sorted, without loops and duplicates, both directions unless
    directed), ``name``, ``directed``, ``feature_source`` and ``load_report``; and, where there
    are any, ``edge_weight``, ``y`` (-1: no label), ``class_names``, ``node_id``,
    ``feature_names``, ``node_kind`` and ``kind_names``, and masks. Isolated nodes are kept.

    Args:
        source: The name of a dataset (see :data:`graphrank.data.CATALOG`); a synthetic graph such
            as ``"sbm:nodes=1000,classes=5"``; a file: an edge list (csv, tsv, parquet, txt), npz,
            mat, mtx, graphml, gml, gexf, json, pt, and for a set of graphs JSON lines (jsonl), pt,
            or a folder or zip archive in the TU layout; or an object: a data frame or a list of
            edges, a networkx graph, an adjacency matrix of SciPy or NumPy, an ``edge_index``, a PyG
            ``Data`` or ``HeteroData``, or a list of networkx graphs or of ``Data`` for a set. A
            name wins over a file of the same name unless it has an ending.
        features: Features from elsewhere: a table with an id column, JSON or a table of what each
            node has, or rows in node order.
        labels: Labels from elsewhere: a table with id and label, or one a node in node order.
        directed: Whether to keep directions. By default each edge goes both ways, with the larger
            of both weights; only a graph that was loaded with its directions has them still.
        weighted: Whether edges keep their weights; otherwise each counts one.
        data_root: Folder of published datasets, only read; by default ``GRAPHRANK_DATA``.
        columns: Names of table columns where they are not the usual ones.
        structural_features: Whether a graph without features gets structural ones.

    Raises:
        DataError: If the source cannot be found or used, with the remedy.

    Example:
        >>> load("karate").num_nodes
        34
    """
    if isinstance(source, GraphSet):
        return source
    if directed is None:
        directed = isinstance(source, Data) and bool(source.get("directed"))
    columns = columns or ColumnNames()
    if isinstance(source, list | tuple) and not is_edge_list(source):
        return _with_kinds(pack(source, directed=directed), columns)
    read = _with_kinds(read_source(source, data_root, columns), columns)
    raw = _attach(read, features, labels, columns)
    if isinstance(raw, GraphSet):
        return _without_directions(raw, directed)
    raw = raw if weighted else replace(raw, weight=None)
    data = assemble(raw, directed=directed, structural=structural_features)
    if data.num_edges == 0 and isinstance(source, str | Path) and not is_synthetic(str(source)):
        raise DataError(f"{source} has no edge between two different nodes; check its columns")
    return data


def _with_kinds(read: ReadT, columns: ColumnNames) -> ReadT:
    """What was read, or a refusal where it cannot tell two kinds of nodes apart and is to."""
    if columns.bipartite and (isinstance(read, GraphSet) or read.kind is None):
        raise DataError(
            f"{read.name} has no two columns of nodes; two kinds are read from edge tables, lists "
            "of edges and matrices, so leave out --bipartite or give one of these"
        )
    return read


def _without_directions(graphs: GraphSet, directed: bool) -> GraphSet:
    """A set as a file holds it, which has no directions to keep."""
    if directed:
        raise DataError(
            f"{graphs.name} is a set of graphs, and those of a file go both ways; leave out"
            " --directed, or give a list of graphs in Python"
        )
    return graphs


def _attach(
    raw: RawGraph | GraphSet,
    features: NodeValues | None,
    labels: NodeValues | None,
    columns: ColumnNames,
) -> RawGraph | GraphSet:
    """Add features and labels from elsewhere, which only a single graph can have."""
    if isinstance(raw, GraphSet):
        if features is not None or labels is not None:
            raise DataError(f"{raw.name} is a set of graphs; features and labels need one graph")
        return raw
    has_features, has_labels = features is not None, labels is not None
    if has_features:
        raw = attach_features(raw, features, columns, labels_elsewhere=has_labels)
    if has_labels:
        raw = attach_labels(raw, labels, columns, features_elsewhere=has_features)
    return raw

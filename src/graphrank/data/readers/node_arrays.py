"""Features and labels of files that hold several arrays, found by the names that are usual."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrank.data.features import feature_matrix
from graphrank.data.labels import encode_labels, known_labels
from graphrank.data.raw import RawGraph

# In lower case; the first that is there is taken.
ADJACENCY = (
    "network", "homo", "adj", "adj_matrix", "adjacency", "net", "graph", "a", "w",
)  # fmt: skip
FEATURES = (
    "attributes", "features", "x", "node_features", "attr_matrix", "node_attr", "node_feat",
    "attribute", "feature", "attrb", "feat", "fea", "attr",
)  # fmt: skip
# ``class`` goes before ``label``: files for anomaly detection call the anomalies ``Label``.
LABELS = (
    "class", "y", "label", "labels", "node_labels", "node_label", "gnd", "group",
)  # fmt: skip

# May have as many rows as there are nodes, and are no features.
_OTHERS = ("edges", "edge_index", "train_mask", "val_mask", "test_mask")

_LOGGER = logging.getLogger(__name__)

Arrays = Mapping[str, Any]


def first_of(found: Arrays, names: Sequence[str]) -> Any:
    """What the file holds under the first of these names, or ``None``."""
    return next((found[name] for name in names if name in found), None)


def with_node_arrays(raw: RawGraph, found: Arrays, file: str, x: object = None) -> RawGraph:
    """The graph with the features and labels that its file has for its nodes.

    Args:
        raw: the edges.
        found: what the file holds, by names in lower case.
        file: name of the file.
        x: features that are known already.
    """
    x = first_of(found, FEATURES) if x is None else x
    labels = first_of(found, LABELS)
    if x is None:
        _tell_of_other_tables(found, raw.num_nodes, file)
    else:
        raw = replace(raw, x=feature_matrix(x))
    return raw if labels is None else _labelled(raw, labels, file)


def _tell_of_other_tables(found: Arrays, nodes: int, file: str) -> None:
    """Say which matrices with a row for each node might be the features, under another name."""
    known = {*ADJACENCY, *LABELS, *_OTHERS}
    shapes = {name: _shape(found, name) for name in sorted(found) if name not in known}
    tables = [name for name, shape in shapes.items() if len(shape) == 2 and shape[0] == nodes]
    if tables:
        _LOGGER.warning(
            "%s: %s is not read; if it holds the features, call it %s",
            file, ", ".join(tables), FEATURES[0],
        )  # fmt: skip


def _shape(found: Arrays, name: str) -> tuple[int, ...]:
    """Shape of what has this name; none of what is no array, or one of objects."""
    try:
        return tuple(getattr(found[name], "shape", ()))
    except ValueError:  # An archive refuses objects, which would have to be unpickled.
        return ()


def _labelled(raw: RawGraph, labels: Any, file: str) -> RawGraph:
    """With one class for each node: a row or a column of classes, or columns that mark them."""
    marked = sparse.issparse(labels)
    table: NDArray[Any] = sparse.csr_array(labels).toarray() if marked else np.asarray(labels)
    if table.ndim == 2 and 1 not in table.shape:
        if not bool(((table != 0).sum(axis=1) == 1).all()):
            _LOGGER.warning("%s: nodes have several labels each, which are left out", file)
            return raw
        table = (table != 0).argmax(axis=1)
    classes, names = encode_labels(known_labels(table.ravel().tolist()))
    return replace(raw, y=classes, class_names=names)

"""The citation graphs Cora, CiteSeer and PubMed in the files of the Planetoid paper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphrank.data.features import canonical_csr
from graphrank.data.raw import CsrMatrix, IntArray, RawGraph
from graphrank.data.unpickle import load_arrays
from graphrank.errors import DataError

_VALIDATION_NODES = 500


def read_planetoid(folder: Path, name: str) -> RawGraph:
    """Read ``ind.<name>.*`` with the public split.

    The test nodes are stored apart and in another order than in the graph. Nodes of CiteSeer
    that ``test.index`` leaves out are isolated; they get zero features and, as everywhere in the
    literature, the first class.

    Args:
        folder: Where the eight files are.
        name: ``"Cora"``, ``"CiteSeer"`` or ``"PubMed"``.

    Raises:
        DataError: If a file is damaged or does not fit the others.
    """
    parts = {p: load_arrays(folder / f"ind.{name.lower()}.{p}") for p in _expected()}
    for part, kind in _expected().items():
        if not isinstance(parts[part], kind):
            raise DataError(
                f"ind.{name.lower()}.{part} is damaged; replace it by the published file"
            )
    try:
        lines = (folder / f"ind.{name.lower()}.test.index").read_text().split()
        test = np.array([int(line) for line in lines], dtype=np.int64)
        x, y = _stack(parts["allx"], parts["tx"], parts["ally"], parts["ty"], test)
        row, col = _edges(parts["graph"])
    except (ValueError, IndexError, TypeError) as error:
        raise DataError(
            f"the files of {name} do not fit together ({error}); replace them"
        ) from error
    nodes = len(y)
    first = len(parts["y"])
    masks = {
        "train_mask": _mask(np.arange(first), nodes),
        "val_mask": _mask(np.arange(first, first + _VALIDATION_NODES), nodes),
        "test_mask": _mask(test, nodes),
    }
    return RawGraph(row, col, nodes, name, x=x, y=y, masks=masks)


def _expected() -> dict[str, type]:
    """Return the parts that are read and what each must be."""
    return {
        "allx": sparse.csr_matrix,
        "tx": sparse.csr_matrix,
        "y": np.ndarray,
        "ally": np.ndarray,
        "ty": np.ndarray,
        "graph": dict,
    }


def _stack(
    allx: CsrMatrix, tx: CsrMatrix, ally: IntArray, ty: IntArray, test: IntArray
) -> tuple[CsrMatrix, IntArray]:
    """Put the test rows where the graph has them, below the rows of ``allx``."""
    known = allx.shape[0]
    nodes = max(known, int(test.max()) + 1)
    # row i of tx belongs to node test[i]; nodes that no row belongs to stay zero
    place = sparse.csr_array(
        (np.ones(len(test)), (test - known, np.arange(len(test)))),
        shape=(nodes - known, tx.shape[0]),
    )
    x = canonical_csr(sparse.vstack([allx, place @ tx]))
    labels = np.concatenate([ally, place @ ty]).argmax(axis=1)
    return x, labels.astype(np.int64)


def _edges(graph: Mapping[int, list[int]]) -> tuple[IntArray, IntArray]:
    """Turn a dictionary of neighbours into two arrays."""
    counts = [len(neighbours) for neighbours in graph.values()]
    row = np.repeat(np.fromiter(graph.keys(), dtype=np.int64, count=len(graph)), counts)
    return row, np.concatenate([np.asarray(n, dtype=np.int64) for n in graph.values()])


def _mask(index: IntArray, nodes: int) -> NDArray[np.bool_]:
    """Return a boolean mask that is true at ``index``."""
    mask = np.zeros(nodes, dtype=np.bool_)
    mask[index[index < nodes]] = True
    return mask

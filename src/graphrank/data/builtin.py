"""Graphs that are always there: handwritten digits and the karate club."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from graphrank.data.raw import RawGraph

_NEIGHBOURS = 10
_DIGIT_MAXIMUM = 16.0


def digits() -> RawGraph:
    """Return scikit-learn's 1,797 handwritten digits as a graph of ten nearest neighbours."""
    # Slow to import, and few loads are of this graph.
    from sklearn.datasets import load_digits  # noqa: PLC0415
    from sklearn.neighbors import kneighbors_graph  # noqa: PLC0415

    images, y = load_digits(return_X_y=True)
    x = (images / _DIGIT_MAXIMUM).astype(np.float32)
    graph = kneighbors_graph(x, _NEIGHBOURS, mode="connectivity").tocoo()
    row, col = graph.row.astype(np.int64), graph.col.astype(np.int64)
    return RawGraph(row, col, len(x), "digits", x=x, y=y.astype(np.int64))


def karate() -> RawGraph:
    """Return Zachary's karate club with its four communities and no features."""
    from torch_geometric.datasets import KarateClub  # noqa: PLC0415 - slow to import

    data = KarateClub()[0]
    row, col = data.edge_index.numpy()
    return RawGraph(row, col, int(data.num_nodes), "karate", y=data.y.numpy())


BUILT_IN: dict[str, Callable[[], RawGraph]] = {"digits": digits, "karate": karate}
"""The graphs that need no file, by name."""

"""The form that every reader hands over, before it is cleaned, checked and made a PyG graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float32]
NodeIds: TypeAlias = list[str] | list[int]
CsrMatrix: TypeAlias = "sparse.csr_array[Any, Any]"
SparseMatrix: TypeAlias = Any  # any SciPy matrix or array: the two families share no type
FeatureMatrix: TypeAlias = "FloatArray | sparse.csr_array[Any, Any]"


@dataclass(frozen=True)
class RawGraph:
    """One graph as a file or an object holds it: nothing merged, removed or checked yet.

    Attributes:
        row: Source node of every edge, as a position in ``0..num_nodes-1``.
        col: Target node of every edge.
        num_nodes: Number of nodes; isolated ones count.
        name: How the graph is called in logs and results.
        weight: One weight for each edge, or None.
        x: Features, dense ``[N, F]`` or CSR, or None.
        y: Class of every node, -1 where it is not known, or None.
        class_names: Original names of the classes where they were not ``0..C-1``.
        node_id: Original ids, or None when they are ``0..N-1``.
        feature_names: Names of the columns of ``x``.
        masks: Published splits, by the name of the PyG attribute.
        kind: Kind of every node, 0 or 1, -1 where it is not known; or None where all are alike.
        kind_names: What the two kinds are called.
        ordered: Whether the order of the nodes is the user's; False for edge lists, whose nodes
            are merely sorted by id.
    """

    row: IntArray
    col: IntArray
    num_nodes: int
    name: str
    weight: NDArray[Any] | None = None
    x: FeatureMatrix | None = None
    y: IntArray | None = None
    class_names: list[str] | None = None
    node_id: NodeIds | None = None
    feature_names: list[str] | None = None
    masks: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    kind: IntArray | None = None
    kind_names: tuple[str, str] | None = None
    ordered: bool = True

    def ids_as_text(self) -> list[str]:
        """Return the id of every node as text, for matching with tables."""
        return [str(i) for i in (range(self.num_nodes) if self.node_id is None else self.node_id)]

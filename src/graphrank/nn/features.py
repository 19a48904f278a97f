"""Node features that are multiplied and never copied: sparse or dense, whichever is faster."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from graphrank.nn.dropout import dropped_out
from graphrank.nn.sparse import SparsePattern, spmm

# Below this share of non-zero entries the sparse product wins clearly; they draw at about 15 %
# (benchmarks/features.py).
SPARSE_BELOW = 0.12


class FeatureMatrix:
    """The matrix X of node features, ``[nodes, features]``, without gradient.

    Args:
        x: dense ``[nodes, features]`` tensor or sparse CSR tensor of that shape.
        device: where the products are computed.

    Example:
        >>> FeatureMatrix(torch.eye(3)).project(torch.ones(3, 2)).shape
        torch.Size([3, 2])
    """

    def __init__(self, x: Tensor, device: torch.device | str = "cpu") -> None:
        self.shape = (x.size(0), x.size(1))
        self._dense: Tensor | None = None
        self._pattern: SparsePattern | None = None
        if x.layout == torch.sparse_csr and density(x) >= SPARSE_BELOW:
            x = x.to_dense()
        elif x.layout == torch.strided and density(x) < SPARSE_BELOW:
            x = x.to_sparse_csr()
        if x.layout == torch.sparse_csr:
            row_pointer, column = x.crow_indices().to(device), x.col_indices().to(device)
            self._pattern = SparsePattern(row_pointer, column, self.shape)
            self._values = x.values().to(device)
        else:
            self._dense = x.to(device)

    @property
    def is_sparse(self) -> bool:
        """Whether products use the sparse form."""
        return self._dense is None

    @property
    def device(self) -> torch.device:
        """Device of the matrix."""
        return self._values.device if self._dense is None else self._dense.device

    @property
    def dtype(self) -> torch.dtype:
        """Number type of the entries."""
        return self._values.dtype if self._dense is None else self._dense.dtype

    def project(self, weight: Tensor) -> Tensor:
        """``X @ weight``, differentiable in ``weight`` ``[features, width]``."""
        if self._pattern is None:
            assert self._dense is not None
            return self._dense @ weight
        return spmm(self._pattern, self._values, weight)

    def project_transposed(self, dense: Tensor) -> Tensor:
        """``X.T @ dense``, ``[features, width]``, differentiable in ``dense``."""
        if self._pattern is None:
            assert self._dense is not None
            return self._dense.T @ dense
        turned, order = self._pattern.transpose
        return spmm(turned, self._values[order], dense)

    def to_dense(self) -> Tensor:
        """The matrix as an ordinary dense tensor (for small graphs and controls)."""
        if self._pattern is None:
            assert self._dense is not None
            return self._dense
        pattern = self._pattern
        return torch.sparse_csr_tensor(
            pattern.row_pointer, pattern.column, self._values, pattern.shape
        ).to_dense()

    def entries(self) -> tuple[SparsePattern, Tensor]:
        """Places and values of the entries that are not zero, whatever the form."""
        if self._pattern is None:
            assert self._dense is not None
            sparse = self._dense.to_sparse_csr()
            pattern = SparsePattern(sparse.crow_indices(), sparse.col_indices(), self.shape)
            return pattern, sparse.values()
        filled = self._values != 0
        if bool(filled.all()):
            return self._pattern, self._values
        before = F.pad(filled.cumsum(0), (1, 0))
        row_pointer, column = before[self._pattern.row_pointer], self._pattern.column[filled]
        return SparsePattern(row_pointer, column, self.shape), self._values[filled]

    def select_rows(self, rows: Tensor) -> FeatureMatrix:
        """Some rows in their order, in the form of the whole; linear in what is selected."""
        chosen = object.__new__(FeatureMatrix)
        chosen.shape = (rows.numel(), self.shape[1])
        chosen._pattern = chosen._dense = None
        if self._pattern is None:
            assert self._dense is not None
            chosen._dense = self._dense[rows]
        else:
            chosen._pattern, places = self._pattern.select_rows(rows)
            chosen._values = self._values[places]
        return chosen

    def row_normalized(self) -> FeatureMatrix:
        """Each row scaled to length one; zero rows stay zero."""
        if self._pattern is None:
            assert self._dense is not None
            return self._with(F.normalize(self._dense, dim=1))
        length = self._pattern.row_sums(self._values.square()).sqrt().clamp_min(1e-12)
        return self._with(self._values / length[self._pattern.row])

    def dropped_out(self, rate: float) -> FeatureMatrix:
        """Entries set to zero with chance ``rate``, the others scaled up: dropout on the input."""
        return self._with(dropped_out(self._values if self._dense is None else self._dense, rate))

    def mapped(self, function: Callable[[Tensor], Tensor]) -> FeatureMatrix:
        """Every entry changed by ``function``, which must leave a zero at zero."""
        return self._with(function(self._values if self._dense is None else self._dense))

    def _with(self, values: Tensor) -> FeatureMatrix:
        """The same form with other numbers: a dense matrix, or values of the same pattern."""
        changed = object.__new__(FeatureMatrix)
        changed.shape, changed._pattern, changed._dense = self.shape, self._pattern, None
        if self._pattern is None:
            changed._dense = values
        else:
            changed._values = values
        return changed

    def __repr__(self) -> str:
        kind = "sparse" if self.is_sparse else "dense"
        return f"FeatureMatrix({self.shape[0]} x {self.shape[1]}, {kind}, {self.device})"


def density(x: Tensor) -> float:
    """Share of non-zero entries of a dense or CSR tensor."""
    filled = x.values().numel() if x.layout == torch.sparse_csr else int(x.count_nonzero())
    return filled / max(1, x.size(0) * x.size(1))

"""Feature matrices between NumPy, SciPy and torch; sparse ones stay sparse all the way."""

from __future__ import annotations

import warnings

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from graphrank.data.raw import CsrMatrix, FeatureMatrix, SparseMatrix
from graphrank.errors import DataError


def csr_tensor(matrix: CsrMatrix) -> Tensor:
    """Turn a SciPy matrix into a float32 torch CSR tensor of the same shape."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr.astype(np.int64)),
            torch.from_numpy(matrix.indices.astype(np.int64)),
            torch.from_numpy(matrix.data.astype(np.float32)),
            size=matrix.shape,
            check_invariants=True,
        )


def feature_tensor(x: FeatureMatrix) -> Tensor:
    """Turn dense features into a dense tensor, sparse ones into a CSR tensor, both float32."""
    if isinstance(x, np.ndarray):
        return torch.from_numpy(np.require(x, dtype=np.float32, requirements=["C", "W"]))
    return csr_tensor(x)


def scipy_csr(x: Tensor) -> CsrMatrix:
    """Turn a sparse tensor of any layout into a SciPy CSR matrix, float32."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        x = x.detach().cpu().to_sparse_csr()
    parts = (x.values().numpy(), x.col_indices().numpy(), x.crow_indices().numpy())
    return canonical_csr(sparse.csr_array(parts, shape=(x.size(0), x.size(1))))


def canonical_csr(matrix: SparseMatrix) -> CsrMatrix:
    """Return a checked float32 CSR copy with sorted indices and no stored zeros.

    Raises:
        DataError: If the indices point outside the matrix.
    """
    try:
        result: CsrMatrix = sparse.csr_array(matrix, dtype=np.float32, copy=True)
        result.check_format(full_check=True)
    except (ValueError, TypeError, IndexError) as error:
        raise DataError(f"a sparse matrix is damaged ({error}); write it again") from error
    result.sum_duplicates()
    result.eliminate_zeros()
    result.sort_indices()
    return result


def feature_matrix(given: object) -> FeatureMatrix:
    """Accept features as a NumPy array, a tensor or a SciPy matrix, ``[N, F]``.

    Raises:
        DataError: If they are not a table of numbers.
    """
    if isinstance(given, Tensor):
        given = scipy_csr(given) if given.layout != torch.strided else given.detach().cpu().numpy()
    if sparse.issparse(given):
        return canonical_csr(given)
    try:
        array = np.asarray(given, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise DataError("features must be numbers, one row a node; remove text columns") from error
    if array.ndim != 2:
        raise DataError(
            f"features must be a table [nodes, features], not of shape {list(array.shape)};"
            " reshape them"
        )
    return array

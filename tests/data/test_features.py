import numpy as np
import pytest
import torch
from scipy import sparse

from graphrank.data.features import canonical_csr, csr_tensor, feature_matrix, scipy_csr
from graphrank.errors import DataError


def test_csr_round_trip():
    matrix = sparse.random_array((7, 5), density=0.4, rng=np.random.default_rng(0), format="csr")
    tensor = csr_tensor(matrix)
    assert tensor.layout == torch.sparse_csr
    assert tensor.dtype == torch.float32
    np.testing.assert_allclose(scipy_csr(tensor).toarray(), matrix.toarray(), rtol=1e-6)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.coo_array, sparse.csc_array])
def test_sparse_features_stay_sparse(kind):
    found = feature_matrix(kind(np.eye(3)))
    assert sparse.issparse(found)
    assert found.dtype == np.float32


def test_sparse_tensor_of_any_layout():
    tensor = torch.eye(3).to_sparse_coo()
    assert sparse.issparse(feature_matrix(tensor))


def test_dense_features():
    found = feature_matrix(torch.ones(2, 3, dtype=torch.float64, requires_grad=True))
    assert found.dtype == np.float32
    assert found.shape == (2, 3)


def test_text_is_refused():
    with pytest.raises(DataError, match="must be numbers"):
        feature_matrix(np.array([["a", "b"]]))


def test_wrong_shape_is_refused():
    with pytest.raises(DataError, match=r"not of shape \[3\]"):
        feature_matrix(np.ones(3))


def test_indices_outside_are_refused():
    matrix = sparse.csr_matrix(np.eye(3))
    matrix.indices[0] = 99
    with pytest.raises(DataError, match="damaged"):
        canonical_csr(matrix)

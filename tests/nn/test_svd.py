import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import subspace_angles

from graphrank.nn import svd
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.svd import right_singular_vectors


def matrix_with(values, rows, columns, seed=0):
    """A matrix with these singular values, and its right singular vectors."""
    random = np.random.default_rng(seed)
    left = np.linalg.qr(random.normal(size=(rows, len(values))))[0]
    right = np.linalg.qr(random.normal(size=(columns, len(values))))[0]
    return torch.from_numpy(left * np.array(values) @ right.T)


def leading(x, rank):
    return np.linalg.svd(x.double().numpy(), full_matrices=False)[2][:rank].T


SHAPES = [(60, 8), (12, 50), (9, 9), (200, 150), (150, 200)]


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_spans_the_leading_subspace(rows, columns, dtype):
    values = [2.0**-power for power in range(min(rows, columns, 20))]
    x = matrix_with(values, rows, columns).to(dtype)
    torch.manual_seed(0)
    found = right_singular_vectors(FeatureMatrix(x), 4)
    assert found.shape == (columns, 4) and found.dtype == dtype
    tolerance = 1e-3 if dtype == torch.float32 else 1e-5
    assert subspace_angles(found.double().numpy(), leading(x, 4)).max() < tolerance
    gram = (found.T @ found).double()
    torch.testing.assert_close(gram, torch.eye(4).double(), rtol=0, atol=tolerance)
    # In order: the columns belong to falling singular values.
    lengths = (x @ found).norm(dim=0).double()
    torch.testing.assert_close(lengths, torch.tensor(values[:4]).double(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("columns", [30, 300])
def test_sparse_features_give_the_same_subspace(columns):
    random = torch.Generator().manual_seed(0)
    x = torch.rand(120, columns, generator=random)
    x[torch.rand(120, columns, generator=random) > 0.05] = 0.0
    x[:, :3] *= 20  # a gap behind the third singular value
    x[::2, 0] = 20.0
    features = FeatureMatrix(x)
    assert features.is_sparse
    torch.manual_seed(0)
    found = right_singular_vectors(features, 1)
    assert subspace_angles(found.double().numpy(), leading(x, 1)).max() < 1e-2


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 4), st.integers(0, 50))
def test_rank_deficient(rows, columns, true_rank, seed):
    """Whatever the shape, projecting keeps all there is and invents nothing."""
    random = torch.Generator().manual_seed(seed)
    true_rank = min(true_rank, rows, columns)
    x = torch.randn(rows, true_rank, generator=random, dtype=torch.double) @ torch.randn(
        true_rank, columns, generator=random, dtype=torch.double
    )
    found = right_singular_vectors(FeatureMatrix(x), columns)
    assert found.shape == (columns, columns)
    torch.testing.assert_close(x @ found @ found.T, x, rtol=1e-5, atol=1e-6)
    assert int((found.norm(dim=0) > 0).sum()) == torch.linalg.matrix_rank(x)


def test_rank_deficient_and_too_large_for_the_exact_way():
    x = matrix_with([3.0, 2.0, 1.0], 90, 80).float()
    torch.manual_seed(0)
    found = right_singular_vectors(FeatureMatrix(x), 10)
    assert found.norm(dim=0).gt(0).tolist() == [True] * 3 + [False] * 7
    torch.testing.assert_close(x @ found @ found.T, x, rtol=1e-4, atol=1e-5)


def test_a_matrix_of_zeros():
    found = right_singular_vectors(FeatureMatrix(torch.zeros(4, 6)), 3)
    assert torch.equal(found, torch.zeros(6, 3))


@pytest.mark.parametrize("filled", [1.0, 0.05])
def test_of_very_many_rows_some_at_a_time_it_is_the_same(filled, monkeypatch):
    x = matrix_with([4.0, 2.0, 1.0, 0.5], 60, 8)
    x[torch.rand(60, 8, generator=torch.Generator().manual_seed(0)) > filled] = 0.0
    features = FeatureMatrix(x)
    assert features.is_sparse == (filled < 1)
    whole = right_singular_vectors(features, 4)
    monkeypatch.setattr(svd, "_ROWS_AT_ONCE", 7)
    parted = right_singular_vectors(features, 4)
    torch.testing.assert_close(whole @ whole.T, parted @ parted.T)

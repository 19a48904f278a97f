import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn import features as module
from graphrank.nn.features import SPARSE_BELOW, FeatureMatrix
from tests.nn.reference import masks


def both_forms(x):
    """The same matrix, once kept dense and once kept sparse."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SPARSE_BELOW", -1.0)
        dense = FeatureMatrix(x)
        patch.setattr(module, "SPARSE_BELOW", 2.0)
        sparse = FeatureMatrix(x.to_sparse_csr())
    assert sparse.is_sparse and not dense.is_sparse
    return dense, sparse


def draw(*shape, seed):
    return torch.randn(shape, dtype=torch.double, generator=torch.Generator().manual_seed(seed))


@given(masks(), st.integers(0, 100))
def test_sparse_and_dense_give_the_same(filled, seed):
    x = draw(*filled.shape, seed=seed) * filled
    upstream, right = draw(filled.size(0), 3, seed=seed + 1), draw(filled.size(0), 2, seed=seed + 2)
    gradients = []
    for matrix in both_forms(x):
        weight = draw(filled.size(1), 3, seed=seed + 3).requires_grad_()
        projected = matrix.project(weight)
        torch.testing.assert_close(projected, x @ weight)
        (projected * upstream).sum().backward()
        gradients.append(weight.grad)
        torch.testing.assert_close(matrix.project_transposed(right), x.T @ right)
        assert torch.equal(matrix.to_dense(), x)
        assert matrix.dtype == torch.double
        assert matrix.device == torch.device("cpu")
        assert matrix.shape == tuple(x.shape)
    for gradient in gradients:
        torch.testing.assert_close(gradient, x.T @ upstream)


@given(masks(), st.integers(0, 100))
def test_row_normalized(filled, seed):
    x = draw(*filled.shape, seed=seed) * filled
    expected = x.clone()
    for row in range(x.size(0)):
        length = float((x[row] * x[row]).sum()) ** 0.5
        if length > 0:
            expected[row] = x[row] / length
    for matrix in both_forms(x):
        scaled = matrix.row_normalized()
        torch.testing.assert_close(scaled.to_dense(), expected)
        assert scaled.is_sparse == matrix.is_sparse
        torch.testing.assert_close(matrix.to_dense(), x)  # the given matrix is not touched


@pytest.mark.parametrize("as_csr", [False, True])
@pytest.mark.parametrize(("share", "sparse"), [(SPARSE_BELOW - 0.01, True), (SPARSE_BELOW, False)])
def test_density_decides_the_form(as_csr, share, sparse):
    x = torch.zeros(10, 10)
    x.view(-1)[: round(100 * share)] = 1.0
    matrix = FeatureMatrix(x.to_sparse_csr() if as_csr else x)
    assert matrix.is_sparse == sparse
    assert torch.equal(matrix.to_dense(), x)
    assert ("sparse" if sparse else "dense") in repr(matrix)


def test_given_features_are_not_copied():
    x = torch.rand(5, 4)
    assert FeatureMatrix(x).to_dense().data_ptr() == x.data_ptr()
    sparse = (torch.eye(20)).to_sparse_csr()
    kept = FeatureMatrix(sparse)
    assert kept._values.data_ptr() == sparse.values().data_ptr()


def test_dropout_zeroes_entries_and_keeps_the_mean_in_both_forms():
    x = torch.ones(60, 50)
    for matrix in both_forms(x):
        torch.manual_seed(3)
        dropped = matrix.dropped_out(0.75)
        assert dropped.is_sparse == matrix.is_sparse
        values = dropped.to_dense()
        assert set(values.unique().tolist()) == {0.0, 4.0}
        assert abs(float(values.mean()) - 1.0) < 0.1
        assert torch.equal(matrix.to_dense(), x)


def rows_of(pattern, values):
    return pattern.row.tolist(), pattern.column.tolist(), values.tolist()


@given(masks(), st.integers(0, 100))
def test_entries_are_those_that_are_not_zero(filled, seed):
    x = draw(*filled.shape, seed=seed) * filled
    for matrix in both_forms(x):
        for one in (matrix, matrix.mapped(lambda values: values * (values > 0))):
            pattern, values = one.entries()
            expected = one.to_dense()
            found = {(i, j): v for i, j, v in zip(*rows_of(pattern, values), strict=True)}
            assert found == {(i, j): expected[i, j].item() for i, j in expected.nonzero().tolist()}
            assert len(found) == pattern.num_entries and pattern.shape == x.shape


def test_gradcheck_of_the_transposed_product():
    x = draw(5, 4, seed=1) * (draw(5, 4, seed=2) > 0)
    right = draw(5, 3, seed=3).requires_grad_()
    for matrix in both_forms(x):
        assert torch.autograd.gradcheck(matrix.project_transposed, right)

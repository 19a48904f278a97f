import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn import sparse
from graphrank.nn.sparse import sampled_product, spmm
from tests.nn.reference import masks, pattern_of, places, to_dense


def draw_values(pattern, seed):
    """Random values, about a third of them stored zeros."""
    random = torch.Generator().manual_seed(seed)
    values = torch.randn(pattern.num_entries, generator=random, dtype=torch.double)
    return values * (torch.rand(pattern.num_entries, generator=random) > 0.3)


def draw_dense(rows, width, seed):
    random = torch.Generator().manual_seed(seed + 1)
    return torch.randn(rows, width, generator=random, dtype=torch.double)


@given(masks(), st.integers(1, 5), st.integers(0, 100))
def test_product_equals_the_dense_one(filled, width, seed):
    pattern = pattern_of(filled)
    values, dense = draw_values(pattern, seed), draw_dense(filled.size(1), width, seed)
    expected = to_dense(pattern, values) @ dense
    torch.testing.assert_close(spmm(pattern, values, dense), expected)
    single = spmm(pattern, values.float(), dense.float())
    assert single.dtype == torch.float32
    torch.testing.assert_close(single, expected.float(), rtol=1e-4, atol=1e-5)


@given(masks(), st.integers(1, 3), st.integers(0, 100))
def test_gradients_equal_the_dense_ones(filled, width, seed):
    pattern = pattern_of(filled)
    values, dense = draw_values(pattern, seed), draw_dense(filled.size(1), width, seed)
    upstream = draw_dense(filled.size(0), width, seed + 7)
    found, expected = [], []
    for product, gradients in (
        (lambda v, d: spmm(pattern, v, d), found),
        (lambda v, d: to_dense(pattern, v) @ d, expected),
    ):
        v, d = values.clone().requires_grad_(), dense.clone().requires_grad_()
        (product(v, d) * upstream).sum().backward()
        gradients += [v.grad if v.grad is not None else torch.zeros_like(v), d.grad]
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("seed", range(4))
def test_gradcheck(seed):
    filled = torch.rand(6, 5, generator=torch.Generator().manual_seed(seed)) < 0.5
    pattern = pattern_of(filled)
    values = draw_values(pattern, seed).requires_grad_()
    dense = draw_dense(5, 3, seed).requires_grad_()
    assert torch.autograd.gradcheck(lambda v, d: spmm(pattern, v, d), (values, dense))


def test_non_contiguous_operands():
    pattern = pattern_of(torch.ones(3, 4, dtype=torch.bool))
    values = draw_values(pattern, 0)
    dense = draw_dense(5, 4, 0).T.clone().T.requires_grad_()  # column major
    assert not dense.T[:4].is_contiguous() or dense.stride(0) == 1
    out = spmm(pattern, values, dense[:4])
    out.T.contiguous().sum().backward()
    expected = to_dense(pattern, values)
    torch.testing.assert_close(out, expected @ dense[:4])
    torch.testing.assert_close(dense.grad[:4], expected.sum(dim=0)[:, None].expand(4, 4))


@given(masks(square=True), st.integers(0, 100))
def test_symmetric_matrix_needs_no_transpose(filled, seed):
    filled = filled | filled.T
    pattern = pattern_of(filled)
    whole = draw_dense(filled.size(0), filled.size(0), seed)
    whole = whole + whole.T
    values = torch.stack([whole[i, j] for i, j in places(pattern)] or [torch.zeros(())]).double()
    values = values[: pattern.num_entries]
    upstream = draw_dense(filled.size(0), 2, seed)
    gradients = []
    for symmetric in (False, True):
        dense = draw_dense(filled.size(0), 2, seed + 3).requires_grad_()
        (spmm(pattern, values, dense, symmetric=symmetric) * upstream).sum().backward()
        gradients.append(dense.grad)
    torch.testing.assert_close(*gradients)


def test_symmetric_is_a_promise_that_is_not_checked():
    pattern = pattern_of(torch.tensor([[False, True], [False, False]]))
    dense = torch.eye(2, dtype=torch.double, requires_grad=True)
    upstream = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.double)
    out = spmm(pattern, torch.ones(1, dtype=torch.double), dense, symmetric=True)
    (out * upstream).sum().backward()
    expected = torch.tensor([[3.0, 4.0], [0.0, 0.0]], dtype=torch.double)  # A g, where A.T g is due
    torch.testing.assert_close(dense.grad, expected)


@given(masks(), st.integers(0, 100))
def test_transpose(filled, seed):
    pattern = pattern_of(filled)
    values = draw_values(pattern, seed)
    turned, order = pattern.transpose
    assert turned.shape == (filled.size(1), filled.size(0))
    torch.testing.assert_close(to_dense(turned, values[order]), to_dense(pattern, values).T)
    assert places(turned) == sorted(places(turned))
    assert sorted(order.tolist()) == list(range(pattern.num_entries))


@given(masks(), st.integers(0, 100))
def test_selected_entries_are_those_of_the_dense_matrix(filled, seed):
    pattern = pattern_of(filled)
    kept = draw_values(pattern, seed)
    left, places_of_left = pattern.select_entries(kept)
    assert left.num_entries == int((kept != 0).sum()) and left.shape == pattern.shape
    values = torch.arange(1.0, pattern.num_entries + 1, dtype=torch.double)
    expected = to_dense(pattern, values * (kept != 0))
    torch.testing.assert_close(to_dense(left, values[places_of_left]), expected)


@given(masks(), st.integers(0, 100))
def test_sums(filled, seed):
    pattern = pattern_of(filled)
    values = draw_values(pattern, seed)
    dense = to_dense(pattern, values)
    torch.testing.assert_close(pattern.row_sums(values), dense.sum(dim=1))
    torch.testing.assert_close(pattern.column_sums(values), dense.sum(dim=0))
    assert pattern.row.tolist() == [row for row, _ in places(pattern)]


def by_places(pattern, left, right):
    found = [float((left[i] * right[j]).sum()) for i, j in places(pattern)]
    return torch.tensor(found, dtype=torch.double)


@given(filled=masks(), seed=st.integers(0, 100))
def test_sampled_product(filled, seed):
    pattern = pattern_of(filled)
    left, right = draw_dense(filled.size(0), 3, seed), draw_dense(filled.size(1), 3, seed + 9)
    expected = by_places(pattern, left, right)
    torch.testing.assert_close(sampled_product(pattern, left, right), expected)
    single = sampled_product(pattern, left.float(), right.float())
    torch.testing.assert_close(single, expected.float(), rtol=1e-4, atol=1e-5)
    # Rows that do not lie side by side, as slices of a wider matrix do not.
    wide = torch.cat([left, left], dim=1)
    torch.testing.assert_close(sampled_product(pattern, wide[:, :3], right), expected)


def test_a_place_may_be_sampled_more_often_than_there_are_places():
    pattern = sparse.SparsePattern(torch.tensor([0, 3]), torch.zeros(3).long(), (1, 1))
    found = sampled_product(pattern, torch.tensor([[2.0]]), torch.tensor([[5.0]]))
    assert found.tolist() == [10.0, 10.0, 10.0]


@pytest.mark.parametrize("block", [1, 3, 1 << 16])
@given(filled=masks(), seed=st.integers(0, 100))
def test_sampled_product_in_blocks(block, filled, seed):
    pattern = pattern_of(filled)
    left, right = draw_dense(filled.size(0), 3, seed), draw_dense(filled.size(1), 3, seed + 9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse, "_GRADIENT_BLOCK", block)
        found = sparse._blocked_product(pattern, left, right)
    torch.testing.assert_close(found, by_places(pattern, left, right))

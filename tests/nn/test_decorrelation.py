import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.decorrelation import cca_loss, standardized


def draw(nodes, channels, seed):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(2, nodes, channels, generator=random, dtype=torch.double)


def by_loops(first, second, decorrelation):
    """The loss one pair of columns at a time, as in the paper's equation."""
    views = []
    for view in (first, second):
        nodes, columns = view.shape[0], []
        for column in view.T.tolist():
            mean = sum(column) / nodes
            deviation = (sum((value - mean) ** 2 for value in column) / (nodes - 1)) ** 0.5
            columns.append([(value - mean) / deviation for value in column])
        views.append(columns)

    def correlation(left, right):
        return sum(a * b for a, b in zip(left, right, strict=True)) / len(left)

    loss = -sum(correlation(a, b) for a, b in zip(*views, strict=True))
    for columns in views:
        for i, left in enumerate(columns):
            for j, right in enumerate(columns):
                loss += decorrelation * ((i == j) - correlation(left, right)) ** 2
    return loss


shapes = {"nodes": st.integers(2, 9), "channels": st.integers(1, 5), "seed": st.integers(0, 999)}


@given(**shapes, decorrelation=st.floats(0, 2))
def test_equals_loops_over_pairs_of_columns(nodes, channels, seed, decorrelation):
    first, second = draw(nodes, channels, seed)
    expected = by_loops(first, second, decorrelation)
    assert float(cca_loss(first, second, decorrelation)) == pytest.approx(expected, abs=1e-9)


@given(**shapes)
def test_what_the_loss_does_not_see(nodes, channels, seed):
    """The order of views, nodes and columns; shift and scale of columns; a sign that both have."""
    first, second = draw(nodes, channels, seed)
    random = torch.Generator().manual_seed(seed + 1)
    loss = cca_loss(first, second, 0.1)
    node, column = (torch.randperm(n, generator=random) for n in (nodes, channels))
    scale, shift = 0.1 + torch.rand(2, 2, channels, generator=random, dtype=torch.double)
    sign = torch.randint(2, (channels,), generator=random) * 2 - 1
    for changed in (
        (second, first),
        (first[node], second[node]),
        (first[:, column], second[:, column]),
        (scale[0] * first + shift[0], scale[1] * second - shift[1]),
        (sign * first, sign * second),
    ):
        torch.testing.assert_close(cca_loss(*changed, 0.1), loss, rtol=1e-6, atol=1e-9)


@given(**shapes, decorrelation=st.floats(0, 2))
def test_never_below_its_bound(nodes, channels, seed, decorrelation):
    first, second = draw(nodes, channels, seed)
    bound = -channels * (nodes - 1) / nodes
    assert float(cca_loss(first, second, decorrelation)) >= bound - 1e-9
    assert float(cca_loss(first, first, 0.0)) == pytest.approx(bound)


@pytest.mark.parametrize("decorrelation", [0.0, 0.5])
def test_least_where_views_agree_and_columns_are_uncorrelated(decorrelation):
    """Columns of a Hadamard matrix; the unbiased deviation leaves (n-1)/n on the diagonal."""
    two = torch.tensor([[1.0, 1.0], [1.0, -1.0]], dtype=torch.double)
    view = torch.kron(torch.kron(two, two), two)[:, 1:]
    nodes, channels = view.shape
    least = -channels * (nodes - 1) / nodes + 2 * decorrelation * channels / nodes**2
    assert float(cca_loss(view, view, decorrelation)) == pytest.approx(least)
    noise = draw(nodes, channels, 0)
    for amount in (0.1, 1.0):
        worse = cca_loss(view + amount * noise[0], view + amount * noise[1], decorrelation)
        assert float(worse) > least


def test_columns_that_repeat_each_other_cost():
    nodes, channels = 6, 4
    same = draw(nodes, 1, 3)[0].expand(nodes, channels)
    share = (nodes - 1) / nodes
    each = channels * (1 - share) ** 2 + channels * (channels - 1) * share**2
    expected = -channels * share + 0.5 * 2 * each
    assert float(cca_loss(same, same, 0.5)) == pytest.approx(expected)


@pytest.mark.parametrize("channels", [1, 3])
def test_gradcheck(channels):
    first, second = draw(5, channels, 2)
    given = (first.requires_grad_(), second.requires_grad_())
    assert torch.autograd.gradcheck(lambda a, b: cca_loss(a, b, 0.3), given)


@given(st.floats(1e-4, 1e4), st.integers(0, 99))
def test_standardized_columns(scale, seed):
    z = standardized(3.0 + scale * draw(7, 3, seed)[0])
    torch.testing.assert_close(z.mean(dim=0), torch.zeros(3).double(), atol=1e-8, rtol=0)
    torch.testing.assert_close(z.std(dim=0), torch.ones(3).double())


@pytest.mark.parametrize("nodes", [1, 5])
def test_a_constant_column_is_zero_and_pulls_nowhere(nodes):
    view = draw(nodes, 3, 1)[0]
    view[:, 1] = 2.0
    view.requires_grad_()
    loss = cca_loss(view, view.detach() + 1.0, 0.2)
    loss.backward()
    assert torch.isfinite(loss) and torch.isfinite(view.grad).all()
    assert standardized(view)[:, 1].eq(0).all() and view.grad[:, 1].eq(0).all()
    assert nodes == 1 or view.grad[:, 0].abs().max() > 0

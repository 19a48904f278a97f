import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.scaling import (
    ColumnScaling,
    are_uneven_counts,
    rows_of_length_one,
    rows_to_one,
)


def test_equals_loops_over_columns():
    x = torch.randn(9, 4, generator=torch.Generator().manual_seed(0)).double() * 30 + 7
    x[:, 2] = 5.0
    scaled = ColumnScaling.of(x).apply(x)
    for column in range(4):
        values = x[:, column].tolist()
        mean = sum(values) / 9
        deviation = (sum((value - mean) ** 2 for value in values) / 9) ** 0.5 or 1.0
        expected = [(value - mean) / deviation for value in values]
        torch.testing.assert_close(scaled[:, column], torch.tensor(expected).double())


def test_sparse_features_are_scaled_alike():
    x = torch.eye(6) * 3
    scaling = ColumnScaling.of(x)
    assert torch.equal(scaling.apply(x.to_sparse_csr()), scaling.apply(x))


def test_rows_to_one_equals_loops_over_rows_stored_either_way():
    x = torch.randint(-2, 4, (7, 5), generator=torch.Generator().manual_seed(1)).double()
    x[3] = 0.0
    expected = torch.zeros_like(x)
    for i, row in enumerate(x.tolist()):
        size = sum(abs(value) for value in row)
        for j, value in enumerate(row):
            expected[i, j] = value / size if size else 0.0
    torch.testing.assert_close(rows_to_one(x), expected)
    torch.testing.assert_close(rows_to_one(x.to_sparse_csr()).to_dense(), expected)


def test_rows_of_length_one_equals_loops_over_rows_stored_either_way():
    x = torch.randint(-2, 4, (7, 5), generator=torch.Generator().manual_seed(1)).double()
    x[3] = 0.0
    expected = torch.zeros_like(x)
    for i, row in enumerate(x.tolist()):
        length = sum(value * value for value in row) ** 0.5
        for j, value in enumerate(row):
            expected[i, j] = value / length if length else 0.0
    for dtype in (torch.double, torch.float):
        given, wanted = x.to(dtype), expected.to(dtype)
        torch.testing.assert_close(rows_of_length_one(given), wanted)
        sparse = rows_of_length_one(given.to_sparse_csr())
        assert sparse.layout == torch.sparse_csr
        torch.testing.assert_close(sparse.to_dense(), wanted)


@pytest.mark.parametrize("size", [1e-30, 1e30])
def test_rows_whose_squares_a_float_cannot_hold_have_length_one(size):
    x = torch.tensor([[3.0, 0.0, -4.0], [0.0, 0.0, 0.0]]) * size
    expected = torch.tensor([[0.6, 0.0, -0.8], [0.0, 0.0, 0.0]])
    torch.testing.assert_close(rows_of_length_one(x), expected)
    torch.testing.assert_close(rows_of_length_one(x.to_sparse_csr()).to_dense(), expected)


def mixed(nodes=60, marks=60, seed=0):
    """Two amounts beside marks of categories, as one-hot tables have them."""
    random = torch.Generator().manual_seed(seed)
    x = (torch.rand(nodes, marks + 2, generator=random) < 0.03).float()
    x[:, 3] = 50_000 * torch.rand(nodes, generator=random)
    x[:, 40] = torch.randn(nodes, generator=random) * 3
    return x


@pytest.mark.parametrize("sparse", [False, True])
def test_amounts_beside_marks_are_scaled_alone(sparse):
    x = mixed()
    given = x.to_sparse_csr() if sparse else x
    scaling = ColumnScaling.of_quantities(given)
    scaled = scaling.apply(given)
    assert scaled.layout == given.layout
    expected = x.clone()
    for column in (3, 40):
        values = x[:, column].double()
        expected[:, column] = ((values - values.mean()) / values.std(correction=0)).float()
    torch.testing.assert_close(scaled.to_dense(), expected)
    other = mixed(seed=1)
    torch.testing.assert_close(
        scaling.apply(other.to_sparse_csr()).to_dense(), scaling.apply(other)
    )


def test_marks_and_counts_alone_stay_as_they_are():
    x = (torch.rand(50, 80, generator=torch.Generator().manual_seed(0)) < 0.05) * 7.0
    assert ColumnScaling.of_quantities(x) is None
    assert ColumnScaling.of_quantities(x.to_sparse_csr()) is None


@pytest.mark.parametrize("sparse", [False, True])
def test_rare_words_count_more_equals_loops_over_nodes_and_words(sparse):
    random = torch.Generator().manual_seed(0)
    x = torch.randint(0, 3, (9, 6), generator=random).double() * torch.randint(0, 2, (9, 6))
    x[:, 2], x[:, 4], x[5] = 1.0, 0.0, 0.0  # a word of all nodes but one, of none, and no word
    expected = torch.zeros_like(x)
    for i, row in enumerate(x.tolist()):
        weights = []
        for j, count in enumerate(row):
            having = max(1, sum(1 for other in x[:, j].tolist() if other))
            weights.append(count * math.log(9 / having))
        length = math.sqrt(sum(weight**2 for weight in weights)) or 1.0
        expected[i] = torch.tensor(weights).double() / length
    given = x.to_sparse_csr() if sparse else x
    found = ColumnScaling.of_words(given).apply(given)
    assert found.layout == given.layout
    torch.testing.assert_close(found.to_dense(), expected)


def test_a_word_that_all_have_weighs_nothing():
    x = torch.ones(4, 2)
    x[0, 1] = 0.0
    found = ColumnScaling.of_words(x).apply(x)
    torch.testing.assert_close(
        found, torch.tensor([[0.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    )


def texts(*lengths, words=300):
    """Rows with so many words each, a different one for every place."""
    x = torch.zeros(len(lengths), words)
    for row, length in enumerate(lengths):
        x[row, (torch.arange(length) * 7 + row) % words] = 1.0
    return x


@given(st.lists(st.integers(1, 60), min_size=2, max_size=30))
def test_texts_are_uneven_by_the_deviation_of_their_lengths(lengths):
    mean = sum(lengths) / len(lengths)
    deviation = (sum((length - mean) ** 2 for length in lengths) / len(lengths)) ** 0.5
    if abs(deviation - mean / 2) > 1e-9:
        assert are_uneven_counts(texts(*lengths)) == (deviation > mean / 2)


UNEVEN = (3, 40, 5, 60, 4, 2)


@pytest.mark.parametrize("sparse", [False, True])
def test_how_texts_are_stored_does_not_matter(sparse):
    x = texts(*UNEVEN)
    assert are_uneven_counts(x.to_sparse_csr() if sparse else x)
    assert are_uneven_counts(texts(*UNEVEN)[torch.tensor([5, 3, 1, 0, 2, 4])])


def test_counts_are_words_and_other_numbers_are_not():
    counts = texts(*UNEVEN) * torch.randint(1, 5, (6, 300))
    assert are_uneven_counts(counts)
    assert not are_uneven_counts(counts / 3)
    assert not are_uneven_counts(-counts)
    assert not are_uneven_counts(torch.zeros(4, 5))


def test_a_frequent_word_is_no_amount_and_an_age_is_none_of_words():
    x = texts(*UNEVEN)
    x[:, 0] = torch.tensor([1.0, 2.0, 1.0, 21.0, 1.0, 0.0])
    assert are_uneven_counts(x)
    x[:, 0] = torch.tensor([34.0, 71.0, 18.0, 25.0, 40.0, 52.0])
    assert not are_uneven_counts(x)

import torch

from graphrank.nn.scaling import ColumnScaling, rows_to_one


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

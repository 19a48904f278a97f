import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn import narrowing
from graphrank.nn.narrowing import Narrowing, some_nodes
from graphrank.nn.readout import Part, side_by_side


def measured(embedding, width):
    torch.manual_seed(0)
    module = Narrowing()
    module.measure(embedding, width)
    return module


@given(st.integers(1, 30), st.integers(2, 30), st.integers(1, 29), st.integers(0, 99))
def test_dot_products_are_those_of_the_nearest_matrix_of_that_rank(rows, columns, width, seed):
    width = min(width, columns - 1)
    z = torch.from_numpy(np.random.default_rng(seed).normal(size=(rows, columns))).float()
    left, values, right = np.linalg.svd(z.double().numpy(), full_matrices=False)
    nearest = left[:, :width] * values[:width] @ right[:width]
    found = measured(z, width)(z).double()
    assert found.shape == (rows, width)
    torch.testing.assert_close(
        found @ found.T, torch.from_numpy(nearest @ nearest.T), rtol=1e-3, atol=1e-3
    )


def test_until_it_is_measured_all_stays_as_it_is():
    z = torch.randn(5, 4)
    assert Narrowing()(z) is z


@pytest.mark.parametrize("width", [4, 9])
def test_where_there_are_no_more_numbers_all_stay_and_it_is_said(width, caplog):
    z = torch.randn(5, 4)
    module = measured(torch.randn(5, 6), 2)
    module.measure(z, width)
    assert module(z) is z
    assert f"the embedding has 4 numbers: dimensions={width} keeps all" in caplog.text


def test_of_parts_it_makes_what_it_makes_of_all_side_by_side():
    parts = [Part(torch.randn(20, 4), 0.5), Part(torch.randn(20, 3), None)]
    whole = side_by_side(parts, 7)
    module = measured(whole, 3)
    torch.testing.assert_close(module.of_parts(iter(parts)), module(whole))


def test_all_nodes_are_measured_on_or_some_of_very_many(monkeypatch):
    monkeypatch.setattr(narrowing, "_ROWS", 40)
    assert some_nodes(40, torch.device("cpu")).tolist() == list(range(40))
    drawn = some_nodes(400, torch.device("cpu"))
    assert len(set(drawn.tolist())) == 40 and drawn.max() > 40 and drawn.max() < 400


def test_some_rows_are_enough_for_many():
    z = torch.randn(400, 3) @ torch.randn(3, 8)  # every direction is seen in any few rows
    found = measured(z[:40], 3)(z)
    torch.testing.assert_close(found @ found.T, z @ z.T, rtol=1e-3, atol=1e-3)


def test_another_module_takes_over_what_was_measured():
    z = torch.randn(20, 6)
    one, other = measured(z, 2), Narrowing()
    other.load_state_dict(one.state_dict())
    assert torch.equal(one(z), other(z)) and one(z).shape == (20, 2)

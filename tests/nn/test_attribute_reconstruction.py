import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.attribute_reconstruction import attribute_cost, attribute_loss_of, gaussian
from graphrank.nn.features import FeatureMatrix

SEED = st.integers(0, 500)


def draw(seed, share, shape=(7, 11), width=3):
    random = torch.Generator().manual_seed(seed)
    x = torch.randn(shape, generator=random, dtype=torch.double)
    x = x * (torch.rand(shape, generator=random) < share)
    nodes, attributes = (
        torch.randn(size, width, generator=random, dtype=torch.double) for size in shape
    )
    return x, nodes, attributes


def by_loops(x, nodes, attributes, loss, rectified):
    """The likelihood as authors write it: the mean of all entries, weighted, times its norm."""
    present, entries = int((x != 0).sum()), x.numel()
    total = 0.0
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            number = float(nodes[i] @ attributes[j])
            number = max(number, 0.0) if rectified else number
            if loss == "mse":
                total += (number - float(x[i, j])) ** 2
            elif x[i, j] != 0:
                total += (entries - present) / present * math.log1p(math.exp(-number))
            else:
                total += math.log1p(math.exp(number))
    return entries / (2 * (entries - present)) * total / entries


@pytest.mark.parametrize("share", [0.1, 0.4], ids=["sparse", "dense"])
@pytest.mark.parametrize("rectified", [False, True])
@pytest.mark.parametrize("loss", ["bce", "mse"])
@given(seed=SEED)
def test_equals_loops_over_entries(share, rectified, loss, seed):
    x, nodes, attributes = draw(seed, share)
    x[0, 0], x[1, 1] = 1.0, 0.0  # something is there, and most is not
    expected = by_loops(x, nodes, attributes, loss, rectified)
    found = attribute_cost(
        FeatureMatrix(x), nodes, attributes, "dense", loss=loss, rectified=rectified
    )
    if 2 * int((x != 0).sum()) <= x.numel():
        assert float(found) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("loss", ["bce", "mse"])
def test_a_sample_has_the_exact_cost_for_its_mean(loss):
    x, nodes, attributes = draw(4, 0.2)
    given = (FeatureMatrix(x), nodes, attributes)
    torch.manual_seed(2)
    drawn = torch.stack([attribute_cost(*given, "sampled", loss=loss) for _ in range(1000)])
    exact = attribute_cost(*given, "dense", loss=loss)
    assert abs(float(drawn.mean() - exact)) < 4 * float(drawn.std()) / 1000**0.5
    assert 0 < float(drawn.std()) < float(exact)


@pytest.mark.parametrize("loss", ["bce", "mse"])
@pytest.mark.parametrize("form", ["dense", "sampled"])
@pytest.mark.parametrize("share", [0.08, 0.4], ids=["sparse", "dense"])
def test_gradcheck(loss, form, share):
    x, nodes, attributes = draw(5, share)
    features = FeatureMatrix(x)

    def cost(a, b):
        torch.manual_seed(0)
        return attribute_cost(features, a, b, form, loss=loss)

    given = (nodes.requires_grad_(), attributes.requires_grad_())
    assert torch.autograd.gradcheck(cost, given)


def test_numbers_that_are_met_cost_nothing():
    nodes, attributes = torch.randn(5, 2), torch.randn(6, 2)
    features = FeatureMatrix(nodes @ attributes.T)
    assert float(attribute_cost(features, nodes, attributes, "dense", loss="mse")) < 1e-12


def test_only_being_there_counts_for_bernoulli():
    x, nodes, attributes = draw(6, 0.3)
    given = (nodes, attributes, "dense")
    costs = [attribute_cost(FeatureMatrix(x * scale), *given) for scale in (1.0, -7.0)]
    assert costs[0] == costs[1]


@pytest.mark.parametrize(("present", "share"), [(0, 0.5), (20, 0.625), (50, 1), (90, 1), (100, 1)])
def test_the_weight_of_squares_ends_at_their_mean(present, share):
    one = torch.ones(1)
    cost = gaussian(present, 100)
    assert float(cost.absent(one)) == pytest.approx(share / 100)
    assert float(cost.present(3 * one, one)) == pytest.approx(4 * share / 100)


def test_auto_takes_mostly_filled_features_for_numbers():
    words, half = torch.eye(20), torch.eye(2).repeat(3, 3)
    filled = half.clone()
    filled[0, 1] = 2.0
    found = [attribute_loss_of("auto", FeatureMatrix(x)) for x in (words, half, filled)]
    assert found == ["bce", "bce", "mse"]
    assert attribute_loss_of("mse", FeatureMatrix(words)) == "mse"
    assert attribute_loss_of("bce", FeatureMatrix(filled)) == "bce"


@pytest.mark.parametrize("form", ["dense", "sampled"])
@pytest.mark.parametrize("loss", ["bce", "mse"])
@pytest.mark.parametrize("value", [0.0, 1.0], ids=["empty", "full"])
def test_features_of_one_kind_only(form, loss, value):
    nodes = torch.randn(4, 2, requires_grad=True)
    features = FeatureMatrix(torch.full((4, 3), value))
    cost = attribute_cost(features, nodes, torch.randn(3, 2), form, loss=loss)
    cost.backward()
    assert torch.isfinite(cost) and torch.isfinite(nodes.grad).all()

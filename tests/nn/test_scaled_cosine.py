import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.features import FeatureMatrix
from graphrank.nn.scaled_cosine import decoded_cosine, scaled_cosine_error

WIDE, NARROW = 11, 3
"""Widths of features on either side of the hidden width, 4: by the Gram matrix and written out."""


def draw(features, density, seed, nodes=8, rows=5, width=4, bias=1.0):
    random = torch.Generator().manual_seed(seed)
    x = torch.randn(nodes, features, generator=random, dtype=torch.double)
    x = x * (torch.rand(nodes, features, generator=random) < density)
    chosen = torch.randperm(nodes, generator=random)[:rows]
    parts = [
        torch.randn(shape, generator=random, dtype=torch.double)
        for shape in ((rows, width), (width, features), (features,))
    ]
    parts[2] *= bias
    return x, chosen, [part.requires_grad_() for part in parts]


def by_loops(x, nodes, hidden, weight, bias):
    """The cosine of one node at a time, from its decoded row."""
    found = []
    for place, node in enumerate(nodes.tolist()):
        row = hidden[place] @ weight + bias
        lengths = float(row.detach().norm()), float(x[node].norm())
        has_direction = min(lengths) > 0
        found.append((row * x[node]).sum() / row.norm() / x[node].norm() if has_direction else 0)
    return torch.stack([torch.as_tensor(value, dtype=torch.double) for value in found])


@pytest.mark.parametrize("features", [NARROW, WIDE])
@pytest.mark.parametrize("density", [1.0, 0.1], ids=["dense", "sparse"])
@given(seed=st.integers(0, 1000), alpha=st.sampled_from([1.0, 2.0, 2.5, 3.0]))
def test_equals_a_loop_over_nodes(features, density, alpha, seed):
    x, nodes, parts = draw(features, density, seed)
    cosine = decoded_cosine(FeatureMatrix(x), nodes, *parts)
    expected = by_loops(x, nodes, *parts)
    torch.testing.assert_close(cosine, expected)
    loss = sum((1 - value) ** alpha for value in expected.tolist()) / len(nodes)
    assert scaled_cosine_error(cosine, alpha).item() == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("features", [NARROW, WIDE])
@pytest.mark.parametrize("alpha", [1.0, 2.5, 3.0])
def test_gradcheck(features, alpha):
    x, nodes, parts = draw(features, 0.6, seed=3)
    matrix = FeatureMatrix(x)

    def loss(*inputs):
        return scaled_cosine_error(decoded_cosine(matrix, nodes, *inputs), alpha)

    assert torch.autograd.gradcheck(loss, parts)


@pytest.mark.parametrize("features", [NARROW, WIDE])
@given(st.floats(0.01, 100), st.floats(0.01, 100), st.integers(0, 100))
def test_lengths_do_not_matter(features, of_target, of_decoded, seed):
    x, nodes, (hidden, weight, bias) = draw(features, 1.0, seed)
    whole = decoded_cosine(FeatureMatrix(x), nodes, hidden, weight, bias)
    scaled = decoded_cosine(
        FeatureMatrix(of_target * x), nodes, hidden, of_decoded * weight, of_decoded * bias
    )
    torch.testing.assert_close(scaled, whole)


@given(st.floats(1, 4), st.integers(0, 100))
def test_zero_at_the_features_themselves_and_two_to_alpha_at_their_opposite(alpha, seed):
    x, _, _ = draw(WIDE, 1.0, seed, nodes=4)
    nodes, none = torch.arange(4), torch.zeros(WIDE, dtype=torch.double)
    hidden = torch.eye(4, dtype=torch.double)
    best = decoded_cosine(FeatureMatrix(x), nodes, hidden, 3 * x, none)
    assert float(scaled_cosine_error(best, alpha)) == pytest.approx(0, abs=1e-9)
    worst = decoded_cosine(FeatureMatrix(x), nodes, hidden, -x, none)
    assert float(scaled_cosine_error(worst, alpha)) == pytest.approx(2**alpha)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), st.floats(1, 4))
def test_an_exponent_makes_light_of_what_is_easier_than_average(cosines, alpha):
    """Below a cosine of zero an error counts for more than its size, above it for less."""
    for value in cosines:
        plain = float(scaled_cosine_error(torch.tensor([value]).double(), 1.0))
        scaled = float(scaled_cosine_error(torch.tensor([value]).double(), alpha))
        assert scaled <= plain + 1e-12 if value >= 0 else scaled >= plain - 1e-12


@pytest.mark.parametrize("features", [NARROW, WIDE])
def test_a_node_without_features_costs_one_and_pulls_nowhere(features):
    x, nodes, parts = draw(features, 1.0, seed=5)
    matrix = FeatureMatrix(torch.zeros_like(x))
    loss = scaled_cosine_error(decoded_cosine(matrix, nodes, *parts), 3.0)
    assert loss.item() == 1.0
    for gradient in torch.autograd.grad(loss, parts):
        assert torch.equal(gradient, torch.zeros_like(gradient))


@pytest.mark.parametrize("features", [NARROW, WIDE])
@pytest.mark.parametrize("dtype", [torch.float, torch.double])
def test_a_decoded_row_of_zeros_costs_one_and_pulls_the_bias_as_the_authors_do(features, dtype):
    """Their lengths are never below 1e-12, which is what such a row is divided by."""
    x, nodes, parts = draw(features, 1.0, seed=5, bias=0.0)
    x = x.to(dtype)
    hidden, weight, bias = (part.detach().to(dtype).requires_grad_() for part in parts)
    with torch.no_grad():
        hidden[:2] = 0
    found = scaled_cosine_error(decoded_cosine(FeatureMatrix(x), nodes, hidden, weight, bias), 3.0)
    decoded = F.normalize(hidden @ weight + bias, dim=1)
    expected = (1 - (decoded * F.normalize(x[nodes], dim=1)).sum(dim=1)).pow(3).mean()
    torch.testing.assert_close(found, expected)
    inputs = (hidden, weight, bias)
    gradients = torch.autograd.grad(found, inputs)
    torch.testing.assert_close(gradients, torch.autograd.grad(expected, inputs))
    assert gradients[2].abs().max() > 1e10


def test_single_precision_stays_near_double():
    """The squared length by the Gram matrix loses some digits, and no more."""
    x, nodes, parts = draw(400, 0.1, seed=1, nodes=60, rows=40, width=64)
    exact = decoded_cosine(FeatureMatrix(x), nodes, *parts)
    single = decoded_cosine(FeatureMatrix(x.float()), nodes, *(part.float() for part in parts))
    torch.testing.assert_close(single.double(), exact, rtol=0, atol=1e-5)


def test_rounding_beyond_one_is_no_error():
    assert float(scaled_cosine_error(torch.tensor([1.0 + 1e-6]), 2.5)) == 0.0

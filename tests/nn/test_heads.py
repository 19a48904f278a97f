"""Encoder and heads, layer by layer."""

import pytest
import torch
import torch.nn.functional as F

from graphrank.augment.views import clean_view
from graphrank.nn.heads import (
    basis_of_outputs,
    elu_projector,
    from_glorot,
    infograph_encoder,
    projection_head,
    shortcut_head,
)
from tests.nn.test_graph_batch import batch_of, dense, random_set


def test_the_encoder_is_infographs():
    """``norm(relu(MLP((A + I) h)))`` with a plain MLP, all of whose biases are kept."""
    torch.manual_seed(0)
    batch = batch_of(random_set([5, 7, 2], features=4))
    encoder = infograph_encoder(4, 6, 3).eval()
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter)
    hidden, matrix = batch.features.to_dense(), dense(batch)
    for layer, found in zip(encoder.layers, encoder(clean_view(batch)), strict=True):
        _, last, _, norm = layer.rest
        inner = F.relu(matrix @ hidden @ layer.weight + layer.bias)
        hidden = norm(F.relu(inner @ last.weight.T + last.bias))
        torch.testing.assert_close(found, hidden, rtol=1e-4, atol=1e-4)


def test_heads():
    torch.manual_seed(0)
    x = torch.randn(3, 5)
    head = projection_head(5)
    torch.testing.assert_close(head(x), F.relu(x @ head[0].weight.T) @ head[2].weight.T)
    head = shortcut_head(5)
    hidden = x
    for layer in list(head.inner)[::2]:
        hidden = F.relu(hidden @ layer.weight.T)
    torch.testing.assert_close(head(x), hidden + x @ head.shortcut.weight.T)


@pytest.mark.parametrize(
    "make", [projection_head, shortcut_head, lambda w: infograph_encoder(w, w, 2)]
)
def test_linear_maps_start_as_glorot_has_them(make):
    torch.manual_seed(0)
    linear = [part for part in make(100).modules() if isinstance(part, torch.nn.Linear)]
    assert linear
    for layer in linear:
        assert layer.bias.eq(0).all()
        bound = (6 / 200) ** 0.5
        assert 0.99 * bound < layer.weight.abs().max() <= bound
        assert layer.weight.std().item() == pytest.approx(bound / 3**0.5, rel=0.03)


def test_maps_without_a_bias():
    layer = from_glorot(torch.nn.Linear(4, 4, bias=False))
    assert layer.bias is None and layer.weight.abs().max() <= (6 / 8) ** 0.5


def test_the_elu_projector_goes_back_to_the_width_it_came_from():
    torch.manual_seed(0)
    projector, rows = elu_projector(4, 3), torch.randn(5, 4)
    first, last = projector[0], projector[2]
    expected = F.elu(rows @ first.weight.T + first.bias) @ last.weight.T + last.bias
    assert expected.shape == rows.shape
    torch.testing.assert_close(projector(rows), expected)


@pytest.mark.parametrize("bias", [True, False])
def test_in_the_basis_of_a_layer_its_outputs_keep_all_dot_products_and_gradients(bias):
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 7, bias=bias).double()
    basis = basis_of_outputs(layer)
    assert basis.shape == (7, 3 + bias) and not basis.requires_grad

    def pulls(outputs):
        """Of a loss that is made of dot products alone, and of no single one of them."""
        return torch.autograd.grad((outputs @ outputs.T).sin().sum(), list(layer.parameters()))

    rows = torch.randn(6, 3, dtype=torch.double)
    wide = layer(rows)
    torch.testing.assert_close((wide @ basis) @ (wide @ basis).T, wide @ wide.T)
    for narrow, whole in zip(pulls(layer(rows) @ basis), pulls(layer(rows)), strict=True):
        torch.testing.assert_close(narrow, whole)


def test_a_layer_whose_columns_are_alike_has_a_basis_too():
    layer = torch.nn.Linear(3, 7)
    torch.nn.init.ones_(layer.weight), torch.nn.init.ones_(layer.bias)
    wide = layer(torch.randn(6, 3))
    narrow = wide @ basis_of_outputs(layer)
    torch.testing.assert_close(narrow @ narrow.T, wide @ wide.T)


@pytest.mark.parametrize("inputs", [3, 4, 9])
def test_outputs_that_are_no_wider_than_their_span_stay_as_they_are(inputs):
    assert basis_of_outputs(torch.nn.Linear(inputs, 4)) is None

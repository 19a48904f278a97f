import pytest
import torch
from torch.func import functional_call

from graphrank.nn.sage import SAGELayer, SAGEStack


def path(rows):
    """Means over the neighbours of a path of five nodes, node by node."""
    last = rows.size(0) - 1
    means = []
    for node in range(last + 1):
        around = [rows[other] for other in (node - 1, node + 1) if 0 <= other <= last]
        means.append(sum(around) / len(around))
    return torch.stack(means)


def normalized(rows, norm):
    """Batch normalisation by running statistics, as at prediction."""
    scaled = (rows - norm.running_mean) / (norm.running_var + norm.eps).sqrt()
    return scaled * norm.weight + norm.bias


@pytest.mark.parametrize("seed", range(3))
def test_a_stack_node_by_node(seed):
    torch.manual_seed(seed)
    x = torch.randn(5, 3, dtype=torch.double)
    stack = SAGEStack(3, 4, num_layers=3, last_channels=2).double()
    stack(x.matmul, path)  # moves the running statistics off zero and one
    stack.eval()
    hidden, expected = x, []
    for number, layer in enumerate(stack.layers):
        means, rows = path(hidden), []
        for node in range(5):
            row = hidden[node] @ layer.own + means[node] @ layer.neighbors + layer.bias
            rows.append(row / row.square().sum().sqrt())
        hidden = torch.stack(rows)
        if number < 2:
            hidden = normalized(hidden.clamp_min(0), stack.norms[number])
        expected.append(hidden)
    found = stack(x.matmul, path)
    assert found.size(1) == stack.out_channels == 10
    torch.testing.assert_close(found, torch.cat(expected, dim=1))


def test_one_layer_has_no_norm():
    stack = SAGEStack(3, 4, num_layers=1)
    assert len(stack.norms) == 0
    found = stack(torch.randn(5, 3).matmul, path)
    torch.testing.assert_close(found.norm(dim=1), torch.ones(5))


def test_rows_without_features_have_finite_gradients():
    layer = SAGELayer(3, 4)
    layer(torch.zeros(5, 3).matmul, path).sum().backward()
    for parameter in layer.parameters():
        assert parameter.grad.abs().max() < 1e3


def test_gradients():
    torch.manual_seed(0)
    x = torch.randn(5, 3, dtype=torch.double)
    stack = SAGEStack(3, 4, num_layers=2).double().eval()
    names, values = zip(*stack.named_parameters(), strict=True)

    def out(*parameters):
        return functional_call(stack, dict(zip(names, parameters, strict=True)), (x.matmul, path))

    assert torch.autograd.gradcheck(out, tuple(v.detach().requires_grad_() for v in values))

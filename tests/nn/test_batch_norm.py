import pytest
import torch
from torch import nn

from graphrank.nn.batch_norm import NodeBatchNorm


def pair():
    ours, plain = NodeBatchNorm(4, momentum=0.3), nn.BatchNorm1d(4, momentum=0.3)
    with torch.no_grad():
        ours.weight.copy_(torch.tensor([1.0, 2.0, -1.0, 0.5]))
        ours.bias.copy_(torch.tensor([0.0, 1.0, 2.0, 3.0]))
    plain.load_state_dict(ours.state_dict())
    return ours, plain


@pytest.mark.parametrize("nodes", [2, 7])
def test_equals_the_plain_norm_in_output_and_statistics(nodes):
    ours, plain = pair()
    x = 3 + torch.randn(nodes, 4, generator=torch.Generator().manual_seed(0))
    assert torch.equal(ours(x), plain(x))
    assert torch.equal(ours.running_var, plain.running_var)
    assert torch.equal(ours.eval()(x), plain.eval()(x))


def test_a_single_node_is_scaled_by_the_running_statistics():
    ours, plain = pair()
    many = 3 + torch.randn(9, 4, generator=torch.Generator().manual_seed(0))
    ours(many), plain(many)
    before = {name: value.clone() for name, value in ours.state_dict().items()}
    one = many[:1]
    assert torch.equal(ours.train()(one), plain.eval()(one))
    for name, value in ours.state_dict().items():
        assert torch.equal(value, before[name])

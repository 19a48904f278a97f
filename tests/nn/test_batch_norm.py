import pytest
import torch
from torch import nn
from torch.nn import functional as F

from graphrank.nn.batch_norm import NodeBatchNorm, settle_statistics


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


def test_settled_statistics_are_those_of_the_inputs():
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(3, 4), NodeBatchNorm(4), nn.ReLU(), NodeBatchNorm(4))
    first, second = torch.randn(50, 3), 2 + torch.randn(50, 3)
    for _ in range(3):  # something to forget
        network(100 * first)
    settle_statistics(network, [first, second])
    assert not network.training and not any(each.training for each in network.modules())
    hidden = [network[0](each) for each in (first, second)]
    mean = torch.stack([each.mean(0) for each in hidden]).mean(0)
    variance = torch.stack([each.var(0) for each in hidden]).mean(0)
    torch.testing.assert_close(network[1].running_mean, mean)
    torch.testing.assert_close(network[1].running_var, variance)
    # The second norm is measured behind the first, as it works in training.
    inner = [F.relu(F.batch_norm(each, None, None, training=True)) for each in hidden]
    torch.testing.assert_close(
        network[3].running_mean, torch.stack([each.mean(0) for each in inner]).mean(0)
    )
    assert network[1].momentum == nn.BatchNorm1d(4).momentum


def test_nothing_to_settle_leaves_a_network_alone():
    network = nn.Linear(2, 2)
    settle_statistics(network, iter([pytest.fail]))
    assert not network.training

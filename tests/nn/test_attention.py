import pytest
import torch
from torch_geometric.nn import GATConv

from graphrank.augment import Corruption, clean_view, corrupt
from graphrank.errors import ConfigError
from graphrank.nn.attention import AttentionLayer
from tests.nn.reference import make_graph, places


def pyg_twin(layer, in_channels):
    """PyG's layer with the same weights."""
    twin = GATConv(
        in_channels, layer.channels, layer.heads, concat=not layer.average, add_self_loops=True
    ).double()
    with torch.no_grad():
        twin.lin.weight.copy_(layer.weight.T)
        twin.att_src.copy_(layer.to_source.unsqueeze(0))
        twin.att_dst.copy_(layer.to_target.unsqueeze(0))
        twin.bias.copy_(layer.bias)
    return twin


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("drop", [0.0, 0.5])
@pytest.mark.parametrize("heads", [1, 4])
def test_equals_pyg(directed, drop, heads):
    _, _, x, graph = make_graph(11, seed=6, directed=directed)
    layer = AttentionLayer(6, 8, heads).double()
    torch.nn.init.normal_(layer.bias)
    torch.manual_seed(0)
    view = corrupt(graph, Corruption(edge_drop=drop)) if drop else clean_view(graph)
    kept = [True] * graph.adjacency.pattern.num_entries if not drop else view.edge_kept.tolist()
    left = [
        (source, target)
        for (target, source), is_kept in zip(places(graph.adjacency.pattern), kept, strict=True)
        if is_kept and source != target
    ]
    twin = pyg_twin(layer, 6)
    edges = torch.tensor(left).T
    found, expected = layer(view, view.project(layer.weight)), twin(x, edges)
    torch.testing.assert_close(found, expected)
    upstream = torch.randn(11, 8, dtype=torch.double)
    (found * upstream).sum().backward()
    (expected * upstream).sum().backward()
    torch.testing.assert_close(layer.weight.grad, twin.lin.weight.grad.T)
    torch.testing.assert_close(layer.to_source.grad, twin.att_src.grad[0])
    torch.testing.assert_close(layer.to_target.grad, twin.att_dst.grad[0])


@pytest.mark.parametrize("heads", [1, 3])
def test_averaged_heads_equal_pyg(heads):
    edges, _, x, graph = make_graph(11, seed=6)
    layer = AttentionLayer(6, 4, heads, average=True).double()
    torch.nn.init.normal_(layer.bias)
    twin, view = pyg_twin(layer, 6), clean_view(graph)
    found, expected = layer(view, view.project(layer.weight)), twin(x, edges)
    assert found.shape == (11, 4)
    torch.testing.assert_close(found, expected)
    upstream = torch.randn(11, 4, dtype=torch.double)
    (found * upstream).sum().backward()
    (expected * upstream).sum().backward()
    torch.testing.assert_close(layer.weight.grad, twin.lin.weight.grad.T)


def test_gradcheck_with_dropped_edges():
    _, _, _, graph = make_graph(6, seed=2)
    layer = AttentionLayer(6, 4, 2).double()
    torch.manual_seed(1)
    view = corrupt(graph, Corruption(edge_drop=0.5, pairwise=False))
    projected = torch.randn(6, 4, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda h: layer(view, h), projected)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("drop", [0.0, 0.5])
def test_attending_before_the_projection_equals_attending_after_it(directed, drop):
    _, _, _, graph = make_graph(9, seed=3, directed=directed)
    layer = AttentionLayer(4, 7, heads=1).double()
    torch.nn.init.normal_(layer.bias)
    view = corrupt(graph, Corruption(edge_drop=drop))
    hidden = torch.randn(9, 4, dtype=torch.double, requires_grad=True)
    upstream = torch.randn(9, 7, dtype=torch.double)
    before = layer.attended_input(view, hidden) @ layer.weight + layer.bias
    after = layer(view, hidden @ layer.weight)
    torch.testing.assert_close(before, after)
    inputs = (hidden, *layer.parameters())
    torch.testing.assert_close(
        torch.autograd.grad((before * upstream).sum(), inputs),
        torch.autograd.grad((after * upstream).sum(), inputs),
    )


def test_each_node_shares_out_exactly_one():
    """With equal inputs everywhere attention changes nothing, whatever is dropped."""
    _, _, _, graph = make_graph(9, seed=1)
    layer = AttentionLayer(6, 4, 2).double()
    view = corrupt(graph, Corruption(edge_drop=0.6))
    projected = torch.randn(1, 4, dtype=torch.double).expand(9, 4)
    torch.testing.assert_close(layer(view, projected), projected.contiguous())


def test_heads_have_to_divide_the_width():
    with pytest.raises(ConfigError, match="3 attention heads do not divide a width of 8"):
        AttentionLayer(4, 8, heads=3)


def test_gradients_are_bit_identical(two_threads):
    """Large enough for torch to use both threads, and for atomics to race."""
    _, _, _, graph = make_graph(400, seed=0, share=0.3)
    graph.features._dense = graph.features._dense.float()
    layer = AttentionLayer(6, 8, 4)
    view = clean_view(graph)
    gradients = []
    for _ in range(6):
        layer.zero_grad()
        layer(view, view.project(layer.weight)).square().sum().backward()
        gradients.append([p.grad.clone() for p in layer.parameters()])
    for other in gradients[1:]:
        assert all(torch.equal(a, b) for a, b in zip(gradients[0], other, strict=True))

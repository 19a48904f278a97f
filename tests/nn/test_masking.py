import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.augment import clean_view
from graphrank.nn.masking import (
    NodeMask,
    draw_node_mask,
    hidden_again,
    masked_view,
    noisy_masked_view,
)
from tests.nn.reference import make_graph

rates = st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.75, 0.99])


@given(st.integers(1, 40), rates, rates, st.integers(0, 1000))
def test_hidden_and_kept_are_all_nodes_once(nodes, rate, replace_rate, seed):
    torch.manual_seed(seed)
    mask = draw_node_mask(nodes, rate, replace_rate)
    hidden, kept, source = mask.hidden.tolist(), mask.kept.tolist(), mask.source.tolist()
    assert sorted(hidden + kept) == list(range(nodes))
    assert len(hidden) == max(1, int(rate * nodes))
    assert len(source) == len(set(source)) == int(replace_rate * len(hidden))
    assert set(source) <= set(range(nodes))


def test_every_node_is_hidden_and_replaced_equally_often():
    torch.manual_seed(0)
    draws, nodes = 8000, 8
    hidden, replaced, source = torch.zeros(nodes), torch.zeros(nodes), torch.zeros(nodes)
    for _ in range(draws):
        mask = draw_node_mask(nodes, 0.5, 0.25)
        hidden[mask.hidden] += 1
        replaced[mask.hidden[-1]] += 1
        source[mask.source] += 1
    for counts, share in ((hidden, 1 / 2), (replaced, 1 / 8), (source, 1 / 8)):
        deviation = (share * (1 - share) / draws) ** 0.5
        assert (counts / draws - share).abs().max() < 5 * deviation


def replaced_rows(x, mask, token):
    """The view's features written out, node by node."""
    out = x.clone()
    tokens = len(mask.hidden) - len(mask.source)
    for place, node in enumerate(mask.hidden.tolist()):
        own = place < tokens
        out[node] = token[place % len(token)] if own else x[mask.source[place - tokens]]
    return out


@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
@pytest.mark.parametrize("draws", [1, 2, 30])
@given(rate=rates, replace_rate=rates, seed=st.integers(0, 1000))
def test_product_and_gradients_are_those_of_replaced_features(
    density, draws, rate, replace_rate, seed
):
    _, _, x, graph = make_graph(12, seed=seed, density=density)
    assert graph.features.is_sparse == (density < 0.1)
    torch.manual_seed(seed)
    mask = draw_node_mask(12, rate, replace_rate)
    token = torch.randn(draws, 6, dtype=torch.double, requires_grad=True)
    weight = torch.randn(6, 4, dtype=torch.double, requires_grad=True)
    upstream = torch.randn(12, 4, dtype=torch.double)
    found = masked_view(graph, mask, token).project(weight)
    expected = replaced_rows(x, mask, token) @ weight
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(
        torch.autograd.grad((found * upstream).sum(), (token, weight)),
        torch.autograd.grad((expected * upstream).sum(), (token, weight), allow_unused=False),
    )


def test_what_a_hidden_node_had_is_lost():
    """Unless it stands in for another, a hidden node's features change nothing."""
    mask = NodeMask(torch.tensor([2, 0, 5]), torch.tensor([1, 3, 4]), torch.tensor([4]))
    token, weight = torch.randn(1, 6).double(), torch.randn(6, 4).double()
    products = []
    for scale in (1.0, 7.0):
        _, _, _, graph = make_graph(6, seed=3)
        graph.features._dense[mask.hidden] *= scale
        products.append(masked_view(graph, mask, token).project(weight))
    assert torch.equal(*products)


def test_edges_are_those_of_the_clean_graph():
    _, _, _, graph = make_graph(9, seed=2, weighted=True)
    view, clean = masked_view(graph, draw_node_mask(9, 0.5), torch.zeros(1, 6)), clean_view(graph)
    hidden = torch.randn(9, 3, dtype=torch.double)
    assert torch.equal(view.propagate(hidden), clean.propagate(hidden))
    assert view.edge_kept is None


def test_dropout_reaches_features_and_token():
    """Without it, it is the plain view; with it, what is left of both is scaled up."""
    _, _, _, graph = make_graph(9, seed=2)
    mask, token, eye = draw_node_mask(9, 0.4), torch.full((6,), 3.0).double(), torch.eye(6).double()
    plain = masked_view(graph, mask, token.unsqueeze(0)).project(eye)
    assert torch.equal(noisy_masked_view(graph, mask, token, 0.0).project(eye), plain)
    torch.manual_seed(0)
    noisy = noisy_masked_view(graph, mask, token, 0.5).project(eye)
    dropped = noisy == 0
    torch.testing.assert_close(noisy, torch.where(dropped, 0.0, 2 * plain))
    for rows in (mask.hidden, mask.kept):
        assert dropped[rows].any() and not dropped[rows].all()


def test_hidden_again_leaves_rows_where_they_were_kept():
    mask = NodeMask(torch.tensor([2, 0]), torch.tensor([3, 1]), torch.tensor([], dtype=torch.long))
    found = hidden_again(torch.tensor([[1.0], [2.0]]), mask)
    assert found.tolist() == [[0.0], [2.0], [0.0], [1.0]]

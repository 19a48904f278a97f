import pytest
import torch

from graphrank.augment import Corruption, clean_view, corrupt, shuffled_view, views
from tests.nn.reference import (
    dense_adjacency,
    dense_normalized,
    make_graph,
    places,
    to_dense,
)


def dropped(graph, view, dense):
    """The dense matrix with the entries that the view dropped set to zero."""
    out = dense.clone()
    for place, kept in zip(places(graph.adjacency.pattern), view.edge_kept, strict=True):
        if not kept:
            out[place] = 0.0
    return out


def test_a_product_with_a_symmetric_view_fetches_no_dropped_edge(monkeypatch):
    """What is dropped has a value of zero; a row behind it is not even looked at."""
    *_, graph = make_graph(10, seed=2)
    torch.manual_seed(0)
    view = corrupt(graph, Corruption(edge_drop=0.5))
    used = []
    monkeypatch.setattr(views, "spmm", lambda pattern, *_, **__: used.append(pattern.num_entries))
    view.propagate(torch.ones(10, 1, dtype=torch.double))
    assert used == [int(view.edge_kept.sum())] and used[0] < graph.adjacency.pattern.num_entries


def test_leaving_dropped_edges_out_changes_no_bit():
    *_, graph = make_graph(10, seed=2)
    torch.manual_seed(0)
    view = corrupt(graph, Corruption(edge_drop=0.5))
    hidden = torch.randn(10, 40, dtype=torch.double)
    whole = views.spmm(graph.adjacency.pattern, view.edge_value, hidden)
    assert torch.equal(view.propagate(hidden), whole)


@pytest.mark.parametrize("pairwise", [True, False])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_a_view_is_the_normalised_dropped_graph(pairwise, directed, weighted):
    edges, weight, _, graph = make_graph(10, seed=2, directed=directed, weighted=weighted)
    dense = dense_adjacency(edges, 10, weight)
    for seed in range(4):
        torch.manual_seed(seed)
        view = corrupt(graph, Corruption(edge_drop=0.5, pairwise=pairwise))
        left = dropped(graph, view, dense)
        assert 0 < int((left != dense).sum()) < edges.size(1)
        found = to_dense(graph.adjacency.pattern, view.edge_value)
        torch.testing.assert_close(found, dense_normalized(left))
        assert torch.equal(left.diagonal(), torch.ones(10).double())  # loops are never dropped
        if pairwise and not directed:
            assert view.symmetric and torch.equal(left, left.T)
        hidden = torch.randn(10, 3, dtype=torch.double)
        torch.testing.assert_close(view.propagate(hidden), dense_normalized(left) @ hidden)


def test_single_drops_of_an_undirected_graph_are_not_symmetric_and_gradients_right():
    edges, weight, _, graph = make_graph(10, seed=5, share=0.5)
    torch.manual_seed(0)
    view = corrupt(graph, Corruption(edge_drop=0.5, pairwise=False))
    matrix = dense_normalized(dropped(graph, view, dense_adjacency(edges, 10, weight)))
    assert not torch.equal(matrix, matrix.T)
    assert not view.symmetric
    hidden = torch.randn(10, 2, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(view.propagate, hidden)
    upstream = torch.randn(10, 2, dtype=torch.double)
    (view.propagate(hidden) * upstream).sum().backward()
    torch.testing.assert_close(hidden.grad, matrix.T @ upstream)


@pytest.mark.parametrize("density", [1.0, 0.05])
def test_masks_equal_masking_the_features(density):
    _, _, x, graph = make_graph(12, features=10, seed=1, density=density)
    assert graph.features.is_sparse == (density < 1)
    torch.manual_seed(3)
    view = corrupt(graph, Corruption(feature_mask=0.4, node_mask=0.3))
    masked = x.clone()
    masked[:, view.column_kept == 0] = 0.0
    masked[view.node_kept == 0] = 0.0
    assert set(view.column_kept.tolist()) == {0.0, 1.0} == set(view.node_kept.tolist())
    weight = torch.randn(10, 4, dtype=torch.double, requires_grad=True)
    torch.testing.assert_close(view.project(weight), masked @ weight)
    upstream = torch.randn(12, 4, dtype=torch.double)
    (view.project(weight) * upstream).sum().backward()
    torch.testing.assert_close(weight.grad, masked.T @ upstream)
    torch.testing.assert_close(graph.features.to_dense(), x)  # X itself is not touched


def test_rates_of_zero_leave_the_clean_graph_and_draw_nothing():
    _, _, _, graph = make_graph(8, seed=0)
    before = torch.get_rng_state()
    view, clean = corrupt(graph, Corruption()), clean_view(graph)
    assert torch.equal(torch.get_rng_state(), before)
    assert view.edge_kept is view.column_kept is view.node_kept is None
    assert torch.equal(view.edge_value, clean.edge_value)
    assert view.symmetric == clean.symmetric
    weight = torch.randn(6, 2, dtype=torch.double)
    assert torch.equal(view.project(weight), clean.project(weight))


@pytest.mark.parametrize("pairwise", [True, False])
def test_rates_are_met_on_average(pairwise):
    edges, _, _, graph = make_graph(40, features=50, seed=0, share=0.3)
    torch.manual_seed(0)
    rates = {"edge_drop": 0.3, "feature_mask": 0.2, "node_mask": 0.6}
    repeats, gone = 200, dict.fromkeys(rates, 0.0)
    for _ in range(repeats):
        view = corrupt(graph, Corruption(pairwise=pairwise, **rates))
        kept = view.edge_kept[~graph.adjacency.is_loop]
        gone["edge_drop"] += float(1 - kept.mean()) / repeats
        gone["feature_mask"] += float(1 - view.column_kept.mean()) / repeats
        gone["node_mask"] += float(1 - view.node_kept.mean()) / repeats
    drawn = {
        "edge_drop": edges.size(1) / (2 if pairwise else 1),
        "feature_mask": 50,
        "node_mask": 40,
    }
    for name, rate in rates.items():
        deviation = (rate * (1 - rate) / (repeats * drawn[name])) ** 0.5
        assert abs(gone[name] - rate) < 4 * deviation, name


def test_single_drops_draw_each_direction_for_itself():
    """Both directions of a pair go with chance rate², not rate."""
    _, _, _, graph = make_graph(40, seed=0, share=0.3)
    adjacency = graph.adjacency
    mirror = adjacency.pattern.transpose[1]
    torch.manual_seed(0)
    both = []
    for _ in range(100):
        gone = corrupt(graph, Corruption(edge_drop=0.5, pairwise=False)).edge_kept == 0
        both.append(float((gone & gone[mirror])[~adjacency.is_loop].double().mean()))
    assert sum(both) / len(both) == pytest.approx(0.25, abs=0.01)


def test_the_pattern_is_shared_by_all_views():
    _, _, _, graph = make_graph(8)
    one, two = corrupt(graph, Corruption(edge_drop=0.5)), corrupt(graph, Corruption(edge_drop=0.5))
    assert one.graph is two.graph is graph


def test_values_have_the_number_type_of_the_features():
    _, _, _, graph = make_graph(8)
    assert clean_view(graph).edge_value.dtype == torch.double
    view = corrupt(graph, Corruption(edge_drop=0.2, feature_mask=0.2, node_mask=0.2))
    assert {view.edge_value.dtype, view.column_kept.dtype, view.node_kept.dtype} == {torch.double}


@pytest.mark.parametrize("density", [1.0, 0.05])
def test_a_shuffled_view_permutes_the_features_and_keeps_the_edges(density):
    _, _, x, graph = make_graph(12, features=10, seed=1, density=density)
    torch.manual_seed(0)
    view = shuffled_view(graph)
    assert sorted(view.node_order.tolist()) == list(range(12))
    assert view.node_order.tolist() != list(range(12))
    torch.testing.assert_close(view.project(torch.eye(10).double()), x[view.node_order])
    assert torch.equal(view.edge_value, clean_view(graph).edge_value)


def test_rates_are_those_of_the_options_of_one_view():
    class Options:
        edge_drop_1, edge_drop_2, feature_mask_2 = 0.1, 0.2, 0.3

    first, second = (Corruption.of_options(Options(), n, pairwise=False) for n in (1, 2))
    assert first == Corruption(edge_drop=0.1, pairwise=False)
    assert second == Corruption(edge_drop=0.2, feature_mask=0.3, pairwise=False)

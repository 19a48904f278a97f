import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.augment.views import clean_view
from graphrank.nn.diffpool import (
    CoarseGraphs,
    DiffPoolNetwork,
    clusterwise,
    entropy,
    link_loss,
    neighbor_mean,
    neighbor_sum,
)
from graphrank.nn.graph_batch import GraphBatch

sizes_of_graphs = st.lists(st.integers(1, 6), min_size=1, max_size=4)
seeds = st.integers(0, 100)


def random_graphs(sizes, seed, features=3):
    """Random undirected graphs: dense matrices, features, and the pack of them."""
    random = torch.Generator().manual_seed(seed)
    matrices, x = [], torch.randn(sum(sizes), features, generator=random, dtype=torch.double)
    for size in sizes:
        upper = torch.rand(size, size, generator=random).triu(1) > 0.5
        matrices.append((upper | upper.T).double())
    ptr = torch.tensor([0, *sizes]).cumsum(0)
    edges = torch.block_diag(*matrices).nonzero().T
    return matrices, x, GraphBatch.of(x, edges, ptr)


def assignment_of(nodes, clusters, seed):
    random = torch.Generator().manual_seed(seed)
    return torch.randn(nodes, clusters, generator=random, dtype=torch.double).softmax(dim=1)


@given(sizes_of_graphs, seeds)
def test_neighbours_node_by_node(sizes, seed):
    matrices, x, batch = random_graphs(sizes, seed)
    view, whole = clean_view(batch), torch.block_diag(*matrices)
    sums, means = torch.zeros_like(x), torch.zeros_like(x)
    for node in range(x.size(0)):
        around = [x[other] for other in range(x.size(0)) if whole[node, other]]
        if around:
            sums[node] = sum(around)
            means[node] = sums[node] / len(around)
    torch.testing.assert_close(neighbor_sum(view, x), sums)
    torch.testing.assert_close(neighbor_mean(view, x), means)


@given(sizes_of_graphs, seeds, st.integers(1, 4))
def test_pooling_graph_by_graph(sizes, seed, clusters):
    """``S.T Z`` and ``S.T A S``, entry by entry as the paper writes them."""
    matrices, x, batch = random_graphs(sizes, seed)
    assignment = assignment_of(sum(sizes), clusters, seed)
    neighbors = neighbor_sum(clean_view(batch), assignment)
    found_x, found_edges = clusterwise(assignment, batch, x, neighbors)
    start = 0
    for graph, (size, matrix) in enumerate(zip(sizes, matrices, strict=True)):
        own, rows = assignment[start : start + size], x[start : start + size]
        start += size
        for a in range(clusters):
            gathered = sum(own[node, a] * rows[node] for node in range(size))
            torch.testing.assert_close(found_x[graph, a], gathered)
            for b in range(clusters):
                weight = sum(
                    own[i, a] * matrix[i, j] * own[j, b] for i in range(size) for j in range(size)
                )
                torch.testing.assert_close(found_edges[graph, a, b], weight)
    # Nothing is lost: every edge lies between some clusters, every node's row within one.
    torch.testing.assert_close(
        found_edges.sum(dim=(1, 2)), torch.stack([matrix.sum() for matrix in matrices])
    )


def slow_link_loss(matrices, assignment):
    """With both matrices, entry by entry."""
    losses, start = [], 0
    for matrix in matrices:
        size = matrix.size(0)
        own = assignment[start : start + size]
        start += size
        total = 0.0
        for i in range(size):
            for j in range(size):
                total = total + (matrix[i, j] - own[i] @ own[j]) ** 2
        losses.append(total / size**2)
    return torch.stack(losses).mean()


def found_link_loss(assignment, batch):
    """Without either matrix."""
    neighbors = neighbor_sum(clean_view(batch), assignment)
    return link_loss(assignment, neighbors, *clusterwise(assignment, batch, assignment), batch)


@given(sizes_of_graphs, seeds, st.integers(1, 4))
def test_the_link_loss_entry_by_entry(sizes, seed, clusters):
    matrices, _, batch = random_graphs(sizes, seed)
    assignment = assignment_of(sum(sizes), clusters, seed)
    found = found_link_loss(assignment, batch)
    torch.testing.assert_close(found, slow_link_loss(matrices, assignment))


def test_the_link_loss_of_cliques_in_clusters_of_their_own():
    """Only the diagonal is left, on which a graph has no edges and a cluster has."""
    clique = torch.ones(3, 3, dtype=torch.double).fill_diagonal_(0)
    edges = torch.block_diag(clique, clique).nonzero().T
    batch = GraphBatch.of(torch.ones(6, 1).double(), edges, torch.tensor([0, 6]))
    hard = torch.tensor([[1.0, 0]] * 3 + [[0, 1.0]] * 3, dtype=torch.double)
    found = found_link_loss(hard, batch)
    assert float(found) == pytest.approx(6 / 36)
    mixed = torch.full((6, 2), 0.5, dtype=torch.double)
    assert found_link_loss(mixed, batch) > found


def test_entropy():
    assert float(entropy(torch.full((3, 4), 0.25).log())) == pytest.approx(math.log(4))
    chances = assignment_of(5, 3, 0)
    slow = -sum(float(p) * math.log(float(p)) for row in chances for p in row) / 5
    assert float(entropy(chances.log())) == pytest.approx(slow)


def test_entropy_of_decided_nodes_has_a_gradient():
    """Chances that are zero in floating point."""
    scores = (1000 * torch.eye(3)).requires_grad_()
    found = entropy(scores.log_softmax(dim=1))
    found.backward()
    assert float(found.detach()) == 0 and torch.isfinite(scores.grad).all()


def test_means_of_clusters_are_weighted_by_edges():
    adjacency = torch.tensor([[[1.0, 3.0], [3.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]])
    rows = torch.tensor([[4.0], [8.0], [5.0], [6.0]])
    coarse = CoarseGraphs(rows.view(2, 2, 1), adjacency)
    found = coarse.mean_of_neighbors(rows)
    # A graph without edges has no neighbours to take the mean of.
    torch.testing.assert_close(found, torch.tensor([[7.0], [4.0], [0.0], [0.0]]))
    torch.testing.assert_close(coarse.project(torch.tensor([[2.0]])), 2 * rows)


@pytest.mark.parametrize("clusters", [(3,), (4, 2)])
def test_the_whole_network_graph_by_graph(clusters):
    """Dense matrices of one graph at a time."""
    sizes = [5, 2, 6]
    matrices, x, batch = random_graphs(sizes, 3)
    torch.manual_seed(0)
    network = DiffPoolNetwork(3, 4, 2, clusters, 5, 2).double()
    network(batch)  # moves the running statistics off zero and one
    network.eval()
    found = network(batch)
    expected, undecided, start = [], [[] for _ in clusters], 0
    for size, adjacency in zip(sizes, matrices, strict=True):
        rows, seen = x[start : start + size], []
        start += size
        for level, embed in enumerate(network.embed):

            def mean(values, adjacency=adjacency):
                return adjacency @ values / adjacency.sum(1, keepdim=True).clamp_min(1e-6)

            embedded = embed(rows.matmul, mean)
            seen.append(embedded.max(dim=0).values)
            if level < len(clusters):
                logits = network.to_clusters[level](network.assign[level](rows.matmul, mean))
                own = logits.softmax(dim=1)
                undecided[level].append(own)
                rows, adjacency = own.T @ embedded, own.T @ adjacency @ own  # noqa: PLW2901
        expected.append(network.classify(torch.cat(seen)))
    torch.testing.assert_close(found.scores, torch.stack(expected))
    torch.testing.assert_close(found.link_loss, slow_link_loss(matrices, torch.cat(undecided[0])))
    slow = sum(entropy(torch.cat(chances).log()) for chances in undecided)
    torch.testing.assert_close(found.entropy, slow)


@given(st.integers(0, 20))
def test_renumbering_the_nodes_changes_nothing(seed):
    (matrix,), x, batch = random_graphs([6], seed)
    order = torch.randperm(6, generator=torch.Generator().manual_seed(seed))
    moved = GraphBatch.of(x[order], matrix[order][:, order].nonzero().T, batch.ptr)
    torch.manual_seed(seed)
    network = DiffPoolNetwork(3, 4, 2, (3, 2), 5, 2).double().eval()
    first, second = network(batch), network(moved)
    torch.testing.assert_close(first.scores, second.scores)
    torch.testing.assert_close(first.link_loss, second.link_loss)
    torch.testing.assert_close(first.entropy, second.entropy)


def test_nothing_of_the_size_of_all_pairs_is_kept():
    """A path of 20,000 nodes: its matrix would have 400 million entries."""
    nodes = torch.arange(20_000)
    edges = torch.stack([nodes[:-1], nodes[1:]])
    batch = GraphBatch.of(
        torch.ones(20_000, 1), torch.cat([edges, edges.flip(0)], 1), torch.tensor([0, 20_000])
    )
    largest = 0

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            nonlocal largest
            out = function(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor) and out.layout == torch.strided:
                largest = max(largest, out.numel())
            return out

    network = DiffPoolNetwork(1, 4, 2, (10,), 5, 2)
    with Watch():
        network(batch)
    assert largest <= 20_000 * 40

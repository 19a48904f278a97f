"""Scorers against plain NumPy, and the choice between them against the best by hand."""

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score

from graphrank.errors import ConfigError
from graphrank.tasks import link_scores as module
from graphrank.tasks.link_scores import (
    DEGREE_WEIGHTS,
    SCORERS,
    SeenGraph,
    choose_scorer,
    make_scorer,
)


def random_graph(nodes, seed=0):
    random = torch.Generator().manual_seed(seed)
    source, target = (torch.rand(nodes, nodes, generator=random) < 0.1).triu(1).nonzero().T
    both = torch.stack([torch.cat([source, target]), torch.cat([target, source])])
    return SeenGraph(both, nodes)


def example(nodes=30, width=6, seed=0):
    random = torch.Generator().manual_seed(seed)
    z = torch.randn(nodes, width, generator=random) + 0.5
    pairs = torch.randint(nodes, (2, 50), generator=random)
    return z, random_graph(nodes, seed), pairs


def steps(graph, rows, count):
    """Rows averaged over neighbours by the dense normalised matrix."""
    matrix = np.eye(graph.num_nodes)
    for u, v in graph.edge_index.T.tolist():
        matrix[u, v] = 1.0
    degree = matrix.sum(axis=1)
    matrix = matrix / np.sqrt(degree)[:, None] / np.sqrt(degree)[None, :]
    for _ in range(count):
        rows = matrix @ rows
    return rows


def evened(a, power):
    """Unit rows in singular directions, centred, divided by the singular values' power."""
    unit = a / np.linalg.norm(a, axis=1, keepdims=True)
    _, sizes, vectors = np.linalg.svd(unit, full_matrices=False)
    turned = unit @ vectors.T
    return (turned - turned.mean(axis=0)) / sizes**power


def cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


PLAIN = {
    "dot": lambda a, b, m, d: a @ b,
    "cosine": lambda a, b, m, d: cosine(a, b),
    "centred-dot": lambda a, b, m, d: (a - m) @ (b - m),
    "centred-cosine": lambda a, b, m, d: cosine(a - m, b - m),
    "degree-cosine": lambda a, b, m, d: cosine(a, b) + 0.02 * d,
    "degree-centred-cosine": lambda a, b, m, d: cosine(a - m, b - m) + 0.02 * d,
    "flat-cosine": lambda a, b, m, d: cosine(a, b),
    "white-cosine": lambda a, b, m, d: cosine(a, b) + 0.02 * d,
}
PREPARED = {
    "flat-cosine": lambda a, graph: steps(graph, evened(a, 0.5), 1),
    "white-cosine": lambda a, graph: steps(graph, evened(a, 1.0), 2),
}


@pytest.mark.parametrize("name", SCORERS)
def test_pairs_and_blocks_equal_the_formula(name, monkeypatch):
    z, graph, pairs = example()
    scorer = make_scorer(name, z, graph)
    a, d = z.double().numpy(), graph.log_degree.double().numpy()
    a = PREPARED[name](a, graph) if name in PREPARED else a
    mean = a.mean(axis=0)
    expected = [PLAIN[name](a[u], a[v], mean, d[u] + d[v]) for u, v in pairs.T.tolist()]
    np.testing.assert_allclose(scorer(pairs), expected, atol=1e-5)
    block = scorer.block(pairs[0], scorer.rows(pairs[0]), slice(4, 20))
    for column, other in enumerate(range(4, 20)):
        against = torch.stack([pairs[0], torch.full_like(pairs[0], other)])
        torch.testing.assert_close(block[:, column], scorer(against))
    monkeypatch.setattr(module, "_NUMBERS_AT_ONCE", 13)
    np.testing.assert_allclose(scorer(pairs), expected, atol=1e-5)
    assert scorer(pairs[:, :0]).shape == (0,)


def test_degrees():
    edges = torch.tensor([[0, 1, 0, 2], [1, 0, 2, 0]])
    expected = torch.tensor([2.0, 1.0, 1.0, 0.0]).log1p()
    assert torch.equal(SeenGraph(edges, 4).log_degree, expected)


def test_auto_is_the_best_on_validation():
    for seed in range(8):
        z, graph, pairs = example(seed=seed)
        positives, negatives = pairs[:, :20], pairs[:, 20:]
        truth = [1] * 20 + [0] * 30
        chosen = choose_scorer("auto", z, graph, positives, negatives)
        best = roc_auc_score(truth, chosen(pairs))
        assert best == max(
            roc_auc_score(truth, choose_scorer(name, z, graph, positives, negatives)(pairs))
            for name in SCORERS
        )
        assert chosen.name in SCORERS and chosen.degree_weight in (0.0, *DEGREE_WEIGHTS)


def test_the_degree_weight_is_chosen():
    """Positives among nodes of many edges, negatives of few: the more degree counts the better."""
    z, _, pairs = example()
    hubs = pairs[:, :20].unique()
    edges = torch.cartesian_prod(hubs, torch.arange(len(z))).T
    graph = SeenGraph(torch.cat([edges, edges.flip(0)], dim=1), len(z))
    chosen = choose_scorer("degree-cosine", z, graph, pairs[:, :20], pairs[:, 20:])
    assert chosen.name == "degree-cosine" and chosen.degree_weight == max(DEGREE_WEIGHTS)


def test_unknown_scorers():
    z, graph, pairs = example()
    with pytest.raises(ConfigError, match="there is no scorer 'cosin'; did you mean 'cosine'"):
        choose_scorer("cosin", z, graph, pairs, pairs)
    with pytest.raises(ConfigError, match="there is no scorer 'auto'"):
        make_scorer("auto", z, graph)


@pytest.mark.parametrize("name", PREPARED)
def test_prepared_rows_repeat_and_leave_no_trace_in_the_random_state(name):
    z, graph, pairs = example()
    state = torch.get_rng_state()
    first = make_scorer(name, z, graph)(pairs)
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(99)
    assert torch.equal(make_scorer(name, z, graph)(pairs), first)

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
    choose_scorer,
    log_degrees,
    make_scorer,
)


def example(nodes=30, width=6, seed=0):
    random = torch.Generator().manual_seed(seed)
    z = torch.randn(nodes, width, generator=random) + 0.5
    degree = torch.randint(0, 9, (nodes,), generator=random).float().log1p()
    pairs = torch.randint(nodes, (2, 50), generator=random)
    return z, degree, pairs


def cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


PLAIN = {
    "dot": lambda a, b, m, d: a @ b,
    "cosine": lambda a, b, m, d: cosine(a, b),
    "centred-dot": lambda a, b, m, d: (a - m) @ (b - m),
    "centred-cosine": lambda a, b, m, d: cosine(a - m, b - m),
    "degree-cosine": lambda a, b, m, d: cosine(a, b) + 0.02 * d,
    "degree-centred-cosine": lambda a, b, m, d: cosine(a - m, b - m) + 0.02 * d,
}


@pytest.mark.parametrize("name", SCORERS)
def test_pairs_and_blocks_equal_the_formula(name, monkeypatch):
    z, degree, pairs = example()
    scorer = make_scorer(name, z, degree)
    a, d = z.double().numpy(), degree.double().numpy()
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
    assert torch.equal(log_degrees(edges, 4), torch.tensor([2.0, 1.0, 1.0, 0.0]).log1p())


def test_auto_is_the_best_on_validation():
    for seed in range(8):
        z, degree, pairs = example(seed=seed)
        positives, negatives = pairs[:, :20], pairs[:, 20:]
        truth = [1] * 20 + [0] * 30
        chosen = choose_scorer("auto", z, degree, positives, negatives)
        best = roc_auc_score(truth, chosen(pairs))
        assert best == max(
            roc_auc_score(truth, choose_scorer(name, z, degree, positives, negatives)(pairs))
            for name in SCORERS
        )
        assert chosen.name in SCORERS and chosen.degree_weight in (0.0, *DEGREE_WEIGHTS)


def test_the_degree_weight_is_chosen():
    z, _, pairs = example()
    degree = torch.zeros(len(z))
    degree[pairs[:, :20].unique()] = 3.0
    chosen = choose_scorer("degree-cosine", z, degree, pairs[:, :20], pairs[:, 20:])
    assert chosen.name == "degree-cosine" and chosen.degree_weight == max(DEGREE_WEIGHTS)


def test_unknown_scorers():
    z, degree, pairs = example()
    with pytest.raises(ConfigError, match="there is no scorer 'cosin'; did you mean 'cosine'"):
        choose_scorer("cosin", z, degree, pairs, pairs)
    with pytest.raises(ConfigError, match="there is no scorer 'auto'"):
        make_scorer("auto", z, degree)

"""Figures of link prediction against slow references."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from graphrank.data.negatives import PairSet
from graphrank.tasks import link_metrics as module
from graphrank.tasks.link_metrics import auc, average_precision, hits_at, mean_reciprocal_rank

scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


def tensors(*lists):
    return [torch.tensor(values, dtype=torch.float32) for values in lists]


@given(scores, scores)
def test_auc_and_ap_are_scikit_learns_and_auc_is_a_count(positive, negative):
    truth = [1] * len(positive) + [0] * len(negative)
    found = auc(*tensors(positive, negative))
    assert found == roc_auc_score(truth, positive + negative)
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    assert found == pytest.approx(wins / len(positive) / len(negative))
    expected = average_precision_score(truth, positive + negative)
    assert average_precision(*tensors(positive, negative)) == expected


@given(scores, scores, st.integers(1, 40))
def test_hits(positive, negative, k):
    hits = [sum(n >= p for n in negative) < k for p in positive]
    found = hits_at(k, *tensors(positive, negative))
    assert found == pytest.approx(sum(hits) / len(hits))


def test_hits_with_fewer_negatives():
    assert hits_at(50, torch.zeros(3), torch.ones(49)) == 1.0
    assert hits_at(50, torch.zeros(3), torch.ones(50)) == 0.0


def ring(nodes=20):
    start = torch.arange(nodes)
    return torch.stack([start, (start + 1) % nodes])


def test_reciprocal_ranks_of_perfect_useless_and_worst_scores():
    edges, known = ring(), PairSet.of(ring(), 20)
    perfect = lambda pairs: known.contains(pairs).float()  # noqa: E731
    assert mean_reciprocal_rank(perfect, edges, known, 0) == 1.0
    useless = lambda pairs: torch.zeros(pairs.size(1))  # noqa: E731
    assert mean_reciprocal_rank(useless, edges, known, 0) == pytest.approx(1 / 51)
    worst = lambda pairs: -perfect(pairs)  # noqa: E731
    assert mean_reciprocal_rank(worst, edges, known, 0) == pytest.approx(1 / 101)


def test_reciprocal_ranks_equal_a_loop(monkeypatch):
    monkeypatch.setattr(module, "MRR_EDGES", 7)
    edges, known = ring()[:, torch.randperm(20)], PairSet.of(ring(), 20)
    z = torch.randn(20, 3, generator=torch.Generator().manual_seed(0))
    seen = []

    def score(pairs):
        seen.append(pairs)
        return (z[pairs[0]] * z[pairs[1]]).sum(dim=1)

    found = mean_reciprocal_rank(score, edges, known, 5)
    against = seen[0].view(2, 14, 100)
    total = 0.0
    queries = [*edges[:, :7].T.tolist(), *edges[:, :7].flip(0).T.tolist()]
    for place, (u, v) in enumerate(queries):
        own = float(score(torch.tensor([[u], [v]])))
        rank = 1.0
        for w in against[1, place].tolist():
            assert (w - u) % 20 not in (0, 1, 19)
            other = float(score(torch.tensor([[u], [w]])))
            rank += (other > own) + 0.5 * (other == own)
        total += 1 / rank
    assert found == pytest.approx(total / 14)
    assert found == mean_reciprocal_rank(score, edges, known, 5)


def test_a_node_joined_to_all_has_no_strangers():
    star = torch.tensor([[0, 0, 0], [1, 2, 3]])
    useless = lambda pairs: torch.zeros(pairs.size(1))  # noqa: E731
    found = mean_reciprocal_rank(useless, star, PairSet.of(star, 4), 0)
    assert found == pytest.approx((1 + 1 / 51) / 2)

"""The blend of link scores against plain NumPy and scikit-learn, and what its weights can find."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from graphrank.tasks.link_blend import PairNumbers, blend_validation_auc, fit_blend
from graphrank.tasks.link_metrics import auc
from graphrank.tasks.link_scores import Scored
from tests.tasks.test_link_scores import cosine, evened, example, random_graph, steps


def plain_numbers(z, graph, pairs):
    """The numbers of each pair, by loops."""
    z, degrees = z.double().numpy(), graph.log_degree.double().numpy()
    mean = z.mean(axis=0)
    prepared = [steps(graph, evened(z, power), hops) for power in (0.5, 1.0) for hops in (0, 1, 2)]
    rows = []
    for u, v in pairs.T.tolist():
        row = [cosine(z[u], z[v]), cosine(z[u] - mean, z[v] - mean)]
        row += [cosine(p[u], p[v]) for p in prepared]
        d, e = degrees[u], degrees[v]
        rows.append([*row, d + e, min(d, e), d * e])
    return np.array(rows)


def test_numbers_of_a_pair_are_those_of_the_formulas():
    z, graph, pairs = example()
    expected = plain_numbers(z, graph, pairs)
    np.testing.assert_allclose(PairNumbers(Scored(z, graph)).of(pairs).numpy(), expected, atol=2e-5)


def test_the_score_is_that_of_a_regression_on_scaled_numbers():
    z, graph, pairs = example()
    positives, negatives = pairs[:, :20], pairs[:, 20:40]
    rows = plain_numbers(z, graph, pairs[:, :40])
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(max_iter=1000).fit(scaler.transform(rows), [1] * 20 + [0] * 20)
    expected = model.decision_function(scaler.transform(plain_numbers(z, graph, pairs[:, 40:])))
    found = fit_blend(z, graph, positives, negatives)(pairs[:, 40:])
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-3)


def test_scores_do_not_depend_on_the_order_within_a_pair():
    z, graph, pairs = example()
    score = fit_blend(z, graph, pairs[:, :20], pairs[:, 20:40])
    torch.testing.assert_close(score(pairs), score(pairs.flip(0)))


def planted(nodes=60, seed=0):
    """Pairs that are joined where the smaller degree is large, whatever the embedding says."""
    random = torch.Generator().manual_seed(seed)
    graph, z = random_graph(nodes, seed), torch.randn(nodes, 4, generator=random)
    pairs = torch.randint(nodes, (2, 400), generator=random)
    smaller = graph.log_degree[pairs].amin(dim=0)
    order = smaller.argsort()
    return z, graph, pairs[:, order[200:]], pairs[:, order[:200]]


def test_degrees_are_found_where_they_decide():
    z, graph, positives, negatives = planted()
    score = fit_blend(z, graph, positives[:, ::2], negatives[:, ::2])
    assert auc(score(positives[:, 1::2]), score(negatives[:, 1::2])) > 0.98
    assert blend_validation_auc(z, graph, positives, negatives) > 0.98


def test_validation_is_not_flattered_by_its_own_fit():
    fitted, crossed = [], []
    for seed in range(8):
        z, graph, pairs = example(seed=seed)
        positives, negatives = pairs[:, :25], pairs[:, 25:]
        score = fit_blend(z, graph, positives, negatives)
        fitted.append(auc(score(positives), score(negatives)))
        crossed.append(blend_validation_auc(z, graph, positives, negatives))
    assert np.mean(crossed) < 0.6 < np.mean(fitted)  # there is nothing to find


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_few_pairs_are_enough(count):
    z, graph, pairs = example()
    positives, negatives = pairs[:, :count], pairs[:, count : 2 * count]
    assert 0 <= blend_validation_auc(z, graph, positives, negatives) <= 1
    assert fit_blend(z, graph, positives, negatives)(pairs).isfinite().all()

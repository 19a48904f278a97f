"""Classes for all nodes from the labels of a few."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from graphrank.errors import DataError
from graphrank.tasks import few_labels
from graphrank.tasks.few_labels import predict_classes
from graphrank.tasks.probes import STRENGTHS


def clouds(nodes=120, width=9, classes=3, seed=0, spread=1.0):
    random = np.random.default_rng(seed)
    y = random.integers(classes, size=nodes)
    z = random.normal(size=(classes, width))[y] * 2 + spread * random.normal(size=(nodes, width))
    return torch.from_numpy(z).float(), torch.from_numpy(y)


def few(y, each, seed=0):
    """Labels of so many nodes of each class, -1 elsewhere."""
    known = torch.full_like(y, -1)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
    for number in y.unique():
        chosen = order[y[order] == number][:each]
        known[chosen] = number
    return known


def test_clear_classes_are_found():
    z, y = clouds(spread=0.3)
    found = predict_classes(z, few(y, 5))
    assert float((found.label == y).double().mean()) > 0.97
    assert found.accuracy > 0.9 and found.majority == pytest.approx(1 / 3)
    torch.testing.assert_close(found.probability.sum(dim=1), torch.ones(len(y)))


def plain_choice(x, labels, seed):
    """The strength by scikit-learn on the whole width, no span and no reduction."""
    folds = list(StratifiedKFold(4, shuffle=True, random_state=seed).split(x, labels))
    scores = []
    for strength in STRENGTHS:
        right = 0
        for seen, held_out in folds:
            model = LogisticRegression(C=strength, max_iter=2000).fit(x[seen], labels[seen])
            right += (model.predict(x[held_out]) == labels[held_out]).sum()
        scores.append(right)
    return STRENGTHS[int(np.argmax(scores))]


def test_the_prediction_is_that_of_plain_cross_validation():
    z, y = clouds(spread=2.5, width=40)
    known = few(y, 4)
    found = predict_classes(z, known, seed=4)
    labelled = (known >= 0).nonzero().flatten()
    x = z - z[labelled].mean(dim=0)
    x = (x / x[labelled].square().sum(dim=1).mean().sqrt()).double().numpy()
    train, labels = x[labelled], known[labelled].numpy()
    best = plain_choice(train, labels, 4)
    expected = LogisticRegression(C=best, max_iter=2000).fit(train, labels).predict(x)
    assert (found.label.numpy() == expected).mean() > 0.95


def test_labels_that_are_judged_have_no_say_in_the_strength(monkeypatch):
    given = []
    plain = few_labels._best_strength

    def watched(train, labels, seed):
        given.append(len(labels))
        return plain(train, labels, seed)

    monkeypatch.setattr(few_labels, "_best_strength", watched)
    z, y = clouds(nodes=40)
    known = few(y, 10)
    predict_classes(z, known)
    assert given == [30, 24, 24, 24, 24, 24]  # for the prediction, and for each fold that is judged


def test_many_labels_are_held_out_once(monkeypatch):
    fits = []
    plain = few_labels._fit
    monkeypatch.setattr(few_labels, "_fit", lambda *given: (fits.append(1), plain(*given))[1])
    z, y = clouds(nodes=700, spread=0.5)
    found = predict_classes(z, y)
    assert len(fits) == 2 * len(STRENGTHS) + 2 and found.accuracy > 0.9


def test_a_class_without_labels_is_never_predicted():
    z, y = clouds()
    known = few(y, 6)
    known[known == 1] = -1
    found = predict_classes(z, known)
    assert found.probability.shape == (len(y), 3)
    assert set(found.label.tolist()) <= {0, 2} and float(found.probability[:, 1].max()) == 0


def test_single_labels_cannot_be_held_out():
    z, y = clouds()
    assert predict_classes(z, few(y, 1)).accuracy is None


def test_one_class_is_refused():
    z, y = clouds()
    with pytest.raises(DataError, match="label nodes of two classes"):
        predict_classes(z, torch.where(y == 0, 0, -1))

import warnings

import numpy as np
import pytest
import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from graphrank.tasks.fold_classifiers import (
    STRENGTHS,
    WIDE_STRENGTHS,
    LinearFolds,
    LogisticFolds,
    RbfFolds,
)

PLAIN = {
    RbfFolds: (SVC(), "C"),
    LinearFolds: (SVC(kernel="linear"), "C"),
    LogisticFolds: (
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)),
        "logisticregression__C",
    ),
}
every_kind = pytest.mark.parametrize("kind", PLAIN)


def make(count=90, width=6, classes=3, noise=1.5, seed=0):
    """Gaussian classes, and which graphs train and test."""
    random = np.random.default_rng(seed)
    y = np.arange(count) % classes
    x = random.normal(size=(classes, width))[y] + noise * random.normal(size=(count, width))
    x *= np.array([5.0, *[1.0] * (width - 1)])  # columns of different scales
    order = random.permutation(count)
    return torch.from_numpy(x), torch.from_numpy(y), np.sort(order[:60]), np.sort(order[60:])


def first_of_the_best(results):
    """Scikit-learn's own choice among equal means hangs on their last bit."""
    return int(results["mean_test_score"].round(9).argmax())


def grid_search(kind, x, y, strengths=STRENGTHS):
    model, name = PLAIN[kind]
    search = GridSearchCV(model, {name: strengths}, cv=StratifiedKFold(5), refit=first_of_the_best)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return search.fit(x, y), name


@pytest.mark.parametrize(
    ("kind", "seed", "strengths"),
    [
        *((kind, seed, STRENGTHS) for kind in PLAIN for seed in range(4)),
        (RbfFolds, 0, WIDE_STRENGTHS),
    ],
)
def test_they_equal_a_plain_grid_search(kind, seed, strengths):
    x, y, train, test = make(seed=seed)
    search, name = grid_search(kind, x[train].numpy(), y[train].numpy(), strengths)
    folds = kind(x, y, strengths)
    strength = folds.strength(train)
    assert strength == search.best_params_[name]
    assert folds.inner_accuracy(train) == pytest.approx(search.cv_results_["mean_test_score"].max())
    (found,) = folds.predictions(train, test, strength)
    assert np.array_equal(found, search.predict(x[test].numpy()))
    right = (search.predict(x[test].numpy()) == y[test].numpy()).mean()
    assert folds.accuracy(train, test) == right


@every_kind
def test_classes_of_the_test_graphs_are_not_looked_at(kind):
    x, y, train, test = make()
    poisoned = y.clone()
    poisoned[test] = torch.arange(len(test)) + 7
    for classes in (y, poisoned):
        folds = kind(x, classes)
        assert folds.strength(train) == kind(x, y).strength(train)
        assert folds.inner_accuracy(train) == kind(x, y).inner_accuracy(train)
        (found,) = folds.predictions(train, test, 1.0)
        assert np.array_equal(found, kind(x, y).predictions(train, test, 1.0)[0])


@every_kind
def test_of_equal_strengths_the_strongest_penalty_is_taken(kind):
    """Where all strengths do equally well: two points, each class at its own."""
    y = torch.arange(40) % 2
    x = 100.0 * y.double().unsqueeze(1).expand(-1, 3)
    train = np.arange(30)
    assert kind(x, y).strength(train) == STRENGTHS[0]


def test_rbf_does_not_depend_on_place_or_scale():
    x, y, train, test = make()
    plain = RbfFolds(x, y).predictions(train, test, *STRENGTHS)
    for changed in (x + 1e3, 1e-3 * x):
        found = RbfFolds(changed, y).predictions(train, test, *STRENGTHS)
        assert all(np.array_equal(a, b) for a, b in zip(found, plain, strict=True))


def test_embeddings_without_any_spread_survive():
    y = torch.arange(30) % 2
    for kind in PLAIN:
        accuracy = kind(torch.ones(30, 2), y).accuracy(np.arange(20), np.arange(20, 30))
        assert accuracy == 0.5

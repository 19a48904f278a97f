"""Variance, distance and outliers of classes against loops, and what must not change them."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.analysis.class_geometry import inter_class_distance, intra_class_variance, outliers
from graphrank.errors import DataError

seeds = st.integers(0, 1000)


def draw(seed, nodes=14, width=3, classes=3):
    random = torch.Generator().manual_seed(seed)
    z = torch.randn(nodes, width, generator=random, dtype=torch.float64)
    y = torch.randint(-1, classes, (nodes,), generator=random)
    y[: 2 * classes] = torch.arange(classes).repeat(2)  # two of each at least
    return z, y


def by_class(z, y, normalize):
    rows = [row / row.norm() if normalize else row for row in z]
    found = {}
    for row, label in zip(rows, y.tolist(), strict=True):
        if label >= 0:
            found.setdefault(label, []).append(row)
    return found


def mean_of(rows):
    return sum(rows) / len(rows)


def plain_variance(z, y, correction, normalize):
    variances = []
    for rows in by_class(z, y, normalize).values():
        mean = mean_of(rows)
        total = sum((row - mean) ** 2 for row in rows) / max(0, len(rows) - correction)
        variances.append(float(total.mean()))
    return sum(variances) / len(variances)


def plain_distance(z, y, normalize):
    means = {label: mean_of(rows) for label, rows in by_class(z, y, normalize).items()}
    pairs = [(i, j) for i in means for j in means if i != j]
    count = len(means)
    return sum(math.dist(means[i], means[j]) for i, j in pairs) / (count * (count - 1))


def plain_outliers(z, y, normalize):
    rows_of = by_class(z, y, normalize)
    means = {label: mean_of(rows) for label, rows in rows_of.items()}
    return sum(
        any(math.dist(row, means[other]) < math.dist(row, means[label]) for other in means)
        for label, rows in rows_of.items()
        for row in rows
    )


@given(seeds, st.sampled_from([0, 1]), st.booleans())
def test_intra_class_variance_equals_loops(seed, correction, normalize):
    z, y = draw(seed)
    expected = plain_variance(z, y, correction, normalize)
    assert intra_class_variance(z, y, correction, normalize) == pytest.approx(expected, rel=1e-9)


@given(seeds)
def test_intra_class_variance_is_that_of_torch(seed):
    z, y = draw(seed)
    each = [torch.var(z[y == label], dim=0, correction=1).mean() for label in range(3)]
    assert intra_class_variance(z, y) == pytest.approx(float(sum(each) / 3), rel=1e-9)


@given(seeds, st.booleans())
def test_inter_class_distance_equals_loops(seed, normalize):
    z, y = draw(seed)
    expected = plain_distance(z, y, normalize)
    assert inter_class_distance(z, y, normalize) == pytest.approx(expected, rel=1e-9)


@given(seeds, st.booleans())
def test_outliers_equal_loops(seed, normalize):
    z, y = draw(seed)
    found = outliers(z, y, normalize)
    assert found.count == plain_outliers(z, y, normalize)
    assert found.share == pytest.approx(found.count / int((y >= 0).sum()))


MEASURES = {
    "variance": intra_class_variance,
    "distance": inter_class_distance,
    "outliers": lambda z, y, **more: outliers(z, y, **more).share,
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@given(seed=seeds)
def test_rotation_order_and_names_of_classes_do_not_count(measure, seed):
    z, y = draw(seed)
    random = torch.Generator().manual_seed(seed)
    rotation = torch.linalg.qr(torch.randn(3, 3, generator=random, dtype=torch.float64)).Q
    order = torch.randperm(len(y), generator=random)
    value = measure(z, y)
    assert measure(z @ rotation, y) == pytest.approx(value, rel=1e-9)
    assert measure(z[order], y[order]) == pytest.approx(value, rel=1e-9)
    assert measure(z, torch.where(y >= 0, 7 * (3 - y), y)) == pytest.approx(value, rel=1e-9)
    assert measure(z[y >= 0], y[y >= 0]) == pytest.approx(value, rel=1e-9)


@given(seeds)
def test_scale_counts_as_it_should(seed):
    z, y = draw(seed)
    assert intra_class_variance(3 * z, y) == pytest.approx(9 * intra_class_variance(z, y))
    assert inter_class_distance(3 * z, y) == pytest.approx(3 * inter_class_distance(z, y))
    assert outliers(3 * z, y) == outliers(z, y)
    for measure in MEASURES.values():
        assert measure(3 * z, y, normalize=True) == pytest.approx(measure(z, y, normalize=True))


def test_a_collapsed_embedding_has_no_variance_distance_or_outliers():
    z, y = torch.full((9, 4), 0.1), torch.arange(9) % 3
    assert intra_class_variance(z, y) == pytest.approx(0, abs=1e-15)
    assert inter_class_distance(z, y) == pytest.approx(0, abs=1e-12)
    assert outliers(z, y).count == 0


def test_a_class_of_one_node_has_no_unbiased_variance():
    z = torch.tensor([[0.0], [2.0], [9.0]])
    y = torch.tensor([0, 0, 1])
    assert intra_class_variance(z, y) == 2.0  # of the first class alone
    assert intra_class_variance(z, y, correction=0) == 0.5  # mean of 1 and 0
    with pytest.raises(DataError, match="no class has more than 1 labelled nodes"):
        intra_class_variance(z, torch.tensor([0, 1, -1]))


@pytest.mark.parametrize("measure", [inter_class_distance, outliers])
@pytest.mark.parametrize("y", [torch.zeros(3).long(), -torch.ones(3).long()])
def test_one_class_is_too_few(measure, y):
    with pytest.raises(DataError, match="at least two classes"):
        measure(torch.eye(3), y)

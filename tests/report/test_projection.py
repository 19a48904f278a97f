"""Flat pictures."""

import numpy as np
import torch

from graphrank.report.projection import flat_picture


def test_the_same_seed_gives_the_same_picture():
    z = torch.randn(60, 70, generator=torch.Generator().manual_seed(0))
    one, other = flat_picture(z, seed=3), flat_picture(z, seed=3)
    assert one.method == "t-SNE"
    assert one.points.shape == (60, 2)
    np.testing.assert_array_equal(one.points, other.points)


def test_groups_stay_together():
    z = torch.randn(80, 5, generator=torch.Generator().manual_seed(0))
    z[40:] += 30
    points = flat_picture(z).points
    middles = points[:40].mean(axis=0), points[40:].mean(axis=0)
    near = np.linalg.norm(points[:40] - middles[0], axis=1)
    far = np.linalg.norm(points[:40] - middles[1], axis=1)
    assert (near < far).all()


def test_tiny_graphs_are_drawn_by_pca():
    for shape in ((34, 8), (5, 1), (1, 4)):
        picture = flat_picture(torch.randn(shape))
        assert picture.method == "PCA"
        assert picture.points.shape == (shape[0], 2)


def test_large_graphs_are_sampled(monkeypatch):
    monkeypatch.setattr("graphrank.report.projection._MOST_NODES", 55)
    picture = flat_picture(torch.randn(100, 3))
    assert len(picture.points) == len(set(picture.nodes.tolist())) == 55
    assert (np.diff(picture.nodes) > 0).all()

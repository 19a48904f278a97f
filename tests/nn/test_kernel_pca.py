import numpy as np
import pytest

from graphrank.nn.kernel_pca import kernel_projection


def features(items=9, width=4, seed=0):
    return np.random.default_rng(seed).normal(size=(items, width))


@pytest.mark.parametrize("width", [1, 4, 30])
def test_dot_products_of_coordinates_are_the_kernel(width):
    x = features(width=width)
    gram = x @ x.T
    coordinates = gram @ kernel_projection(gram)
    assert coordinates.shape == (9, min(9, width))
    np.testing.assert_allclose(coordinates @ coordinates.T, gram, atol=1e-10)


def test_unseen_items_have_their_kernel_to_the_seen_ones():
    """Where they lie in the span of the training items; what is outside of it is lost."""
    x, new = features(), features(items=3, seed=1)
    gram, to_seen = x @ x.T, new @ x.T
    projection = kernel_projection(gram)
    found = to_seen @ projection
    np.testing.assert_allclose(found @ (gram @ projection).T, to_seen, atol=1e-10)
    np.testing.assert_allclose(found @ found.T, new @ new.T, atol=1e-10)
    outside = np.zeros((1, 9)) @ projection
    assert not outside.any()


def test_coordinates_come_in_order_with_fixed_signs():
    x = features()
    gram = x @ x.T
    coordinates = gram @ kernel_projection(gram)
    spread = np.square(coordinates).sum(axis=0)
    assert (np.diff(spread) < 0).all()
    largest = np.abs(coordinates).argmax(axis=0)
    assert (coordinates[largest, range(4)] > 0).all()

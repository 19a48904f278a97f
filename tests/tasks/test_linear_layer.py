import numpy as np
import pytest
import torch

from graphrank.data import NodeSplit
from graphrank.tasks.linear_layer import LayerTraining, best_layer

SPLIT = NodeSplit(torch.arange(30), torch.arange(30, 60), torch.arange(60, 100))


@pytest.fixture
def classes():
    """Three Gaussian classes that overlap."""
    random = np.random.default_rng(0)
    y = random.integers(3, size=100)
    z = random.normal(size=(3, 5))[y] + 1.5 * random.normal(size=(100, 5))
    return torch.from_numpy(z).float(), torch.from_numpy(y)


def by_hand(z, y, training, seed):
    """Softmax regression by Adam, one number after another; logits after each epoch."""
    torch.manual_seed(seed)
    layer = torch.nn.Linear(z.size(1), 3)
    if training.xavier:
        torch.nn.init.xavier_uniform_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
    w = np.vstack([layer.weight.detach().double().numpy().T, layer.bias.detach().double().numpy()])
    x = np.hstack([z.double().numpy(), np.ones((len(z), 1))])
    train, target = x[SPLIT.train], np.eye(3)[y[SPLIT.train]]
    mean, square = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, training.epochs + 1):
        chance = np.exp(train @ w)
        chance /= chance.sum(axis=1, keepdims=True)
        gradient = train.T @ (chance - target) / len(train)
        length = np.sqrt((gradient**2).sum())
        if training.longest_gradient is not None and length > training.longest_gradient:
            gradient *= training.longest_gradient / length
        gradient = gradient + training.weight_decay * w
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        direction = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        w = w - training.learning_rate * direction
        yield x @ w


WAYS = [
    LayerTraining(epochs=30),
    LayerTraining(epochs=30, learning_rate=0.1, weight_decay=0.01, xavier=True),
    LayerTraining(epochs=30, longest_gradient=0.05),
]


@pytest.mark.parametrize("training", WAYS, ids=["plain", "with decay", "cut gradients"])
def test_a_layer_equals_the_one_by_hand(classes, training):
    z, y = classes
    expected = list(by_hand(z, y, training, seed=4))
    right = [(logits.argmax(1) == y.numpy())[SPLIT.val].mean() for logits in expected]
    found = best_layer(z, y, SPLIT, 4, [training])
    assert found.epoch == int(np.argmax(right)) + 1  # the first of equals
    assert found.validation_accuracy == pytest.approx(max(right))
    np.testing.assert_allclose(found.logits.numpy(), expected[found.epoch - 1], atol=1e-4)
    assert found.training == training


def test_gradients_are_cut_where_they_are_long(classes):
    """A cut changes what a step of Adam remembers, and only where there is something to cut."""
    z, y = classes
    z = 10 * z
    free, wide, narrow = (
        best_layer(z, y, SPLIT, 0, [LayerTraining(epochs=5, longest_gradient=longest)]).logits
        for longest in (None, 1e9, 1e-9)
    )
    assert torch.equal(free, wide)
    assert not torch.allclose(free, narrow)


def test_dropout_changes_training_and_not_what_is_asked_afterwards(classes):
    z, y = classes
    one, same, other = (
        best_layer(z, y, SPLIT, 0, [LayerTraining(epochs=20, dropout=rate)])
        for rate in (0.5, 0.5, 0.0)
    )
    assert torch.equal(one.logits, same.logits)
    assert not torch.allclose(one.logits, other.logits)
    right = (one.logits.argmax(dim=1) == y)[SPLIT.val].double().mean()
    assert one.validation_accuracy == pytest.approx(float(right))


def test_of_equal_trainings_the_first_is_kept(classes):
    z, y = classes
    ways = [LayerTraining(epochs=20, longest_gradient=longest) for longest in (None, 1e9)]
    assert best_layer(z, y, SPLIT, 0, ways).training == ways[0]
    assert best_layer(z, y, SPLIT, 0, ways[::-1]).training == ways[1]


def test_the_better_training_is_kept(classes):
    z, y = classes
    still = LayerTraining(epochs=3, learning_rate=0.0)
    moving = LayerTraining(epochs=100, learning_rate=0.05)
    alone = {way: best_layer(z, y, SPLIT, 1, [way]) for way in (still, moving)}
    assert alone[still].validation_accuracy < alone[moving].validation_accuracy
    for ways in ([still, moving], [moving, still]):
        found = best_layer(z, y, SPLIT, 1, ways)
        assert found.training == moving and torch.equal(found.logits, alone[moving].logits)

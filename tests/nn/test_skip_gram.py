import math
from collections import Counter

import pytest
import torch

from graphrank.nn.skip_gram import (
    draw_co_occurring,
    draw_noise,
    noise_distribution,
    skip_gram_loss,
    spread_noise,
)


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def test_loss_equals_plain_loops():
    score, weight = torch.randn(5, 4, dtype=torch.double), torch.tensor([1.0, 2, 0, 5, 3]).double()
    expected = total = 0.0
    for row, times in zip(score.tolist(), weight.tolist(), strict=True):
        true, *noise = (1 / (1 + math.exp(-value)) for value in row)
        expected -= times * (math.log(true) + sum(math.log(1 - value) for value in noise))
        total += times
    assert float(skip_gram_loss(score, weight)) == pytest.approx(expected / total)


def test_gradient_of_the_loss():
    score = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
    weight = torch.tensor([1.0, 4.0, 2.0, 1.0]).double()
    assert torch.autograd.gradcheck(lambda s: skip_gram_loss(s, weight), (score,))


def test_no_pairs_lose_nothing():
    score = torch.empty(0, 3, requires_grad=True)
    loss = skip_gram_loss(score, torch.empty(0))
    loss.backward()
    assert float(loss.detach()) == 0


@pytest.mark.parametrize("power", [0.75, 1.0])
def test_noise_has_its_chances(power):
    frequency = torch.tensor([1, 16, 81])
    chance = frequency.double().pow(power) / frequency.double().pow(power).sum()
    distribution = noise_distribution(frequency, power)
    drawn = draw_noise(distribution, (200, 200))
    assert drawn.shape == (200, 200)
    share = torch.bincount(drawn.flatten(), minlength=3) / drawn.numel()
    torch.testing.assert_close(share.double(), chance, atol=0.01, rtol=0)
    spread = torch.bincount(spread_noise(distribution, 1000), minlength=3) / 1000
    torch.testing.assert_close(spread.double(), chance, atol=0.001, rtol=0)


def test_noise_never_leaves_the_words():
    """Sums of chances may end a little below one."""
    distribution = torch.tensor([0.5, 1 - 1e-3]).double()
    assert int(draw_noise(distribution, (100_000,)).max()) == 1
    assert spread_noise(distribution, 5000).unique().tolist() == [0, 1]


def test_co_occurring_words_are_other_words_of_the_same_bag():
    """Drawn in proportion to the tokens that are left when the word itself is taken out."""
    pointer, count = torch.tensor([0, 3, 3, 4, 5]), torch.tensor([2, 1, 3, 1, 4])
    entry, other = draw_co_occurring(pointer, count, 20_000)
    assert entry.tolist() == [0, 1, 2, 4]  # the bag of one token has no other
    for row, left in zip(other, [[1, 1, 3], [2, 0, 3], [2, 1, 2]], strict=False):
        found = Counter(row.tolist())
        for place, tokens in enumerate(left):
            assert found[place] / 20_000 == pytest.approx(tokens / sum(left), abs=0.015)
    assert set(other[3].tolist()) == {4}


def test_bags_of_single_tokens_give_no_pairs():
    entry, other = draw_co_occurring(torch.tensor([0, 1, 2]), torch.ones(2, dtype=torch.long), 3)
    assert entry.numel() == 0 and other.shape == (0, 3)

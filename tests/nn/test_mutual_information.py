import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.nn.mutual_information import BilinearCritic, discrimination_loss, summarize


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.double)


def critic_of(channels, seed=0):
    critic = BilinearCritic(channels).double()
    with torch.no_grad():
        critic.weight.copy_(draw(channels, channels, seed=seed))
        critic.bias.fill_(0.3)
    return critic


def entropy_by_loops(real, fake):
    """Two-class cross-entropy, one pair at a time, both classes with weight one half."""
    of_real = [-math.log(1 / (1 + math.exp(-value))) for value in real.tolist()]
    of_fake = [-math.log(1 - 1 / (1 + math.exp(-value))) for value in fake.tolist()]
    return (sum(of_real) / len(of_real) + sum(of_fake) / len(of_fake)) / 2


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 1000))
def test_critic_equals_loops(nodes, channels, seed):
    critic, h, s = critic_of(channels, seed), draw(nodes, channels, seed=seed), draw(channels)
    found, weight = critic(h, s).detach(), critic.weight.detach()
    for node in range(nodes):
        expected = 0.3 + sum(
            float(h[node, i]) * float(weight[i, j]) * float(s[j])
            for i in range(channels)
            for j in range(channels)
        )
        assert float(found[node]) == pytest.approx(expected, abs=1e-10)


def test_graphs_side_by_side_do_not_mix():
    critic, h = critic_of(4), draw(3, 5, 4)
    s = summarize(h)
    together = critic(h, s)
    assert together.shape == (3, 5) and s.shape == (3, 4)
    for part in range(3):
        torch.testing.assert_close(s[part], summarize(h[part]))
        torch.testing.assert_close(together[part], critic(h[part], s[part]))


def test_the_critic_starts_undecided():
    torch.manual_seed(0)
    critic = BilinearCritic(64)
    bound = math.sqrt(6 / (64 * 64 + 64))
    assert 0.95 * bound < float(critic.weight.detach().abs().max()) <= bound
    h = torch.randn(50, 64)
    s = summarize(h)
    loss = discrimination_loss(critic(h, s), critic(-h, s)).detach()
    assert float(loss) == pytest.approx(math.log(2), abs=0.1)


def test_summary_is_the_sigmoid_of_the_mean_whatever_the_order():
    h = draw(7, 3)
    expected = [1 / (1 + math.exp(-sum(column) / 7)) for column in h.T.tolist()]
    assert summarize(h).tolist() == pytest.approx(expected, abs=1e-12)
    torch.testing.assert_close(summarize(h[torch.randperm(7)]), summarize(h))


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 1000))
def test_loss_equals_loops_over_pairs(reals, fakes, seed):
    real, fake = 3 * draw(reals, seed=seed), 3 * draw(fakes, seed=seed + 1)
    expected = entropy_by_loops(real, fake)
    assert float(discrimination_loss(real, fake)) == pytest.approx(expected, rel=1e-9)
    # Real and fake trade places with the sign.
    assert float(discrimination_loss(-fake, -real)) == pytest.approx(expected, rel=1e-9)


def test_undecided_perfect_and_wrong_without_overflow():
    sure = torch.full((4,), 1e4)
    assert float(discrimination_loss(torch.zeros(4), torch.zeros(2))) == pytest.approx(math.log(2))
    assert float(discrimination_loss(sure, -sure)) == 0.0
    assert float(discrimination_loss(-sure, sure)) == 1e4


@given(st.integers(2, 5), st.integers(0, 1000), st.floats(0.01, 2))
def test_the_least_loss_is_log_two_minus_the_divergence(outcomes, seed, off):
    """Pairs of known frequencies: the log of their ratio is the best critic, and no other is."""
    random = torch.Generator().manual_seed(seed)
    counts = torch.randint(1, 20, (2, outcomes), generator=random)
    counts = counts * counts.flip(0).sum(dim=1, keepdim=True)  # as many real pairs as fake ones
    p, q = (counts / counts.sum(dim=1, keepdim=True)).double()
    middle = (p + q) / 2
    divergence = float(((p * (p / middle).log()).sum() + (q * (q / middle).log()).sum()) / 2)

    def loss_of(logit):
        real, fake = (torch.repeat_interleave(logit, count) for count in counts)
        return float(discrimination_loss(real, fake))

    best = loss_of((p / q).log())
    assert best == pytest.approx(math.log(2) - divergence, abs=1e-6)
    wrong = (p / q).log()
    wrong[seed % outcomes] += off
    assert loss_of(wrong) > best


def test_gradcheck():
    critic = critic_of(3)

    def loss(h, other, weight):
        weights, s = {"weight": weight, "bias": critic.bias}, summarize(h)
        real, fake = (
            torch.func.functional_call(critic, weights, (nodes, s)) for nodes in (h, other)
        )
        return discrimination_loss(real, fake)

    inputs = (draw(4, 3), draw(4, 3, seed=1), draw(3, 3, seed=2))
    assert torch.autograd.gradcheck(loss, tuple(value.requires_grad_() for value in inputs))

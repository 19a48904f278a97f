import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.distributions import Normal, kl_divergence

from graphrank.nn.variational import (
    SemiImplicit,
    WarmUp,
    gaussian_kl,
    log_prior,
    log_semi_implicit,
    reparametrised,
)

SEED = st.integers(0, 1000)


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.double)


@given(SEED)
def test_divergence_equals_that_of_torch(seed):
    mean, log_std = normal(5, 4, seed=seed), normal(5, 4, seed=seed + 1)
    expected = kl_divergence(Normal(mean, log_std.exp()), Normal(0.0, 1.0)).sum(dim=1)
    found = gaussian_kl(mean, log_std)
    torch.testing.assert_close(found, expected)
    assert (found >= 0).all()
    assert torch.equal(gaussian_kl(0 * mean, 0 * mean), torch.zeros(5, dtype=torch.double))


def test_samples_have_the_moments_they_should():
    torch.manual_seed(0)
    mean, log_std = torch.tensor([1.0, -2.0]), torch.tensor([0.5, -1.0])
    drawn = reparametrised(mean.expand(40_000, 2), log_std)
    torch.testing.assert_close(drawn.mean(dim=0), mean, atol=0.05, rtol=0)
    torch.testing.assert_close(drawn.std(dim=0), log_std.exp(), atol=0.05, rtol=0)


def test_samples_have_gradients_for_mean_and_deviation():
    mean, log_std = normal(3, 2).requires_grad_(), normal(3, 2, seed=1).requires_grad_()

    def sample(mean, log_std):
        torch.manual_seed(4)
        return reparametrised(mean, log_std)

    assert torch.autograd.gradcheck(sample, (mean, log_std))


def mixture_by_loops(sample, own, others, log_std):
    """The logarithm of the mean of plain exponentials, one sample and one mean at a time."""
    rows, samples, _ = sample.shape
    out = torch.zeros(rows, samples, dtype=torch.double)
    for r in range(rows):
        for s in range(samples):
            kernels = []
            for mean in [own[r, s], *others[r]]:
                scaled = (sample[r, s] - mean) / log_std[r].exp()
                kernels.append(math.exp(-0.5 * float(scaled @ scaled)))
            out[r, s] = math.log(sum(kernels) / len(kernels)) - float(log_std[r].sum())
    return out


def posterior(seed, rows=3, samples=2, others=4, width=3):
    shapes = [(rows, samples, width)] * 2 + [(rows, others, width), (rows, width)]
    return [normal(*shape, seed=seed + number) for number, shape in enumerate(shapes)]


@given(st.integers(1, 4), st.integers(1, 3), SEED)
def test_density_equals_loops_over_means(others, samples, seed):
    given = posterior(seed, samples=samples, others=others)
    torch.testing.assert_close(log_semi_implicit(*given), mixture_by_loops(*given))


@given(SEED)
def test_means_in_one_place_are_one_gaussian(seed):
    sample, own, others, log_std = posterior(seed)
    same = own[:, :1].expand_as(own)
    others = own[:, :1].expand_as(others)
    found = log_semi_implicit(sample, same, others, log_std)
    expected = Normal(same, log_std.exp().unsqueeze(1)).log_prob(sample).sum(dim=2)
    torch.testing.assert_close(found, expected + 1.5 * math.log(2 * math.pi))


@given(SEED)
def test_the_order_of_means_does_not_count_and_its_own_is_one_of_them(seed):
    sample, own, others, log_std = posterior(seed, samples=1)
    found = log_semi_implicit(sample, own, others, log_std)
    turned = log_semi_implicit(sample, own, others.flip(1), log_std)
    swapped = torch.cat([own, others[:, 1:]], dim=1)
    torch.testing.assert_close(turned, found)
    torch.testing.assert_close(log_semi_implicit(sample, others[:, :1], swapped, log_std), found)


def test_wide_embeddings_keep_their_gradients():
    """The plain exponentials of 512 squares are zero in single precision, logarithms are not."""
    torch.manual_seed(0)
    mean = torch.randn(4, 2, 512, requires_grad=True)
    log_std = torch.zeros(4, 512)
    own = mean[:, :1]
    sample = reparametrised(own, log_std.unsqueeze(1))
    density = log_semi_implicit(sample, own, own + 0.01 * mean[:, 1:], log_std)
    assert torch.isfinite(density).all()
    assert math.exp(-0.5 * float((sample - own).square().sum(dim=2).min())) < 1e-45
    (slope,) = torch.autograd.grad(density.sum(), mean)
    assert float(slope[:, 1].abs().max()) > 0


def test_gradcheck_of_the_density():
    given = [part.requires_grad_() for part in posterior(3, rows=2)]
    assert torch.autograd.gradcheck(log_semi_implicit, given)


def test_the_estimated_divergence_is_too_high_and_less_so_with_more_means():
    """Means drawn from N(0, 0.6²) and a deviation of 0.8 make the prior itself: no divergence."""
    torch.manual_seed(1)
    found = {}
    for others in (1, 8, 64):
        means = 0.6 * torch.randn(20_000, 1 + others, 2)
        drawn = SemiImplicit.draw(means, torch.full((20_000, 2), math.log(0.8)))
        found[others] = float((drawn.log_density() - log_prior(drawn.sample)).mean())
    assert found[1] > found[8] > found[64] > -0.02
    assert found[64] < 0.03


def test_the_first_means_are_those_of_the_samples():
    means, log_std = normal(3, 5, 2), torch.full((3, 2), -30.0, dtype=torch.double)
    drawn = SemiImplicit.draw(means, log_std, samples=2)
    torch.testing.assert_close(drawn.sample, means[:, :2])
    assert drawn.log_density().shape == (3, 2)


@given(SEED)
def test_the_prior_is_the_standard_normal(seed):
    sample = normal(3, 4, seed=seed)
    expected = Normal(0.0, 1.0).log_prob(sample).sum(dim=1) + 2 * math.log(2 * math.pi)
    torch.testing.assert_close(log_prior(sample), expected)


def test_warm_up_grows_to_one_and_is_saved():
    warm_up = WarmUp(4)
    weights = []
    for epoch in range(6):
        warm_up.start(epoch)
        weights.append(float(warm_up.weight))
    assert weights == [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]
    fresh = WarmUp(4)
    assert float(fresh.weight) == 0.25
    fresh.load_state_dict(warm_up.state_dict())
    assert float(fresh.weight) == 1.0


@pytest.mark.parametrize("epochs", [0, 1])
def test_no_warm_up(epochs):
    assert float(WarmUp(epochs).weight) == 1.0

import pytest
import torch

from graphrank.training.randomness import random_state, seeded, set_random_state

CPU = torch.device("cpu")


def test_seeded_repeats_and_leaves_no_trace():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    with seeded(5, CPU):
        first = torch.rand(4)
    assert torch.equal(torch.rand(3), expected)
    with seeded(5, CPU):
        assert torch.equal(torch.rand(4), first)
    with seeded(6, CPU):
        assert not torch.equal(torch.rand(4), first)


def test_the_state_comes_back_after_an_error():
    before = torch.get_rng_state()
    with pytest.raises(ZeroDivisionError), seeded(1, CPU):
        torch.rand(1)
        raise ZeroDivisionError
    assert torch.equal(torch.get_rng_state(), before)


def test_state_round_trip():
    with seeded(3, CPU):
        torch.rand(7)
        state = random_state(CPU)
        following = torch.rand(5)
        torch.rand(100)
        set_random_state(state, CPU)
        assert torch.equal(torch.rand(5), following)
    assert set(state) == {"cpu"}

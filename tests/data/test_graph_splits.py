import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data.graph_splits import hold_out

classes = st.lists(st.integers(0, 3), min_size=2, max_size=60)


@given(classes, st.integers(0, 10))
def test_a_share_of_every_class_and_nothing_twice(y, seed):
    y = torch.tensor(y)
    graphs = torch.arange(len(y)).flip(0)[: max(1, len(y) - 1)]
    left, taken = hold_out(graphs, y, 0.1, seed)
    assert sorted([*left.tolist(), *taken.tolist()]) == sorted(graphs.tolist())
    for label in y[graphs].unique().tolist():
        members = int((y[graphs] == label).sum())
        assert int((y[taken] == label).sum()) == max(1, round(0.1 * members))
    assert [place for place in graphs.tolist() if place in taken.tolist()] == taken.tolist()


def test_the_seed_alone_decides():
    y = torch.arange(100) % 2
    torch.manual_seed(0)
    before = torch.get_rng_state()
    first = hold_out(torch.arange(100), y, 0.2, seed=1)[1]
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(5)
    assert torch.equal(hold_out(torch.arange(100), y, 0.2, seed=1)[1], first)
    assert not torch.equal(hold_out(torch.arange(100), y, 0.2, seed=2)[1], first)

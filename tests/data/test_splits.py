import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch_geometric.data import Data

from graphrank.data.splits import public_split, random_split
from graphrank.errors import DataError


@given(st.integers(10, 500), st.integers(0, 2**31))
def test_a_random_split_covers_every_node_once(nodes, seed):
    split = random_split(nodes, seed)
    together = torch.cat([split.train, split.val, split.test])
    assert together.sort().values.tolist() == list(range(nodes))
    assert len(split.train) == len(split.val) == nodes // 10
    assert split.train.dtype == torch.int64


def test_the_seed_decides_and_global_state_does_not():
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = random_split(50, seed=3)
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(2)
    assert torch.equal(first.test, random_split(50, seed=3).test)
    assert not torch.equal(first.test, random_split(50, seed=4).test)


@pytest.mark.parametrize(("nodes", "train", "val"), [(5, 0.1, 0.1), (100, 0.6, 0.4), (100, 0.5, 0)])
def test_empty_parts_are_refused(nodes, train, val):
    with pytest.raises(DataError, match="at least one node"):
        random_split(nodes, 0, train, val)


def test_public_split():
    masks = {
        f"{part}_mask": torch.eye(3)[i].bool() for i, part in enumerate(("train", "val", "test"))
    }
    split = public_split(Data(**masks))
    assert [part.tolist() for part in (split.train, split.val, split.test)] == [[0], [1], [2]]


def test_no_public_split():
    with pytest.raises(DataError, match="toy has no public split"):
        public_split(Data(name="toy", train_mask=torch.ones(2).bool()))
    with pytest.raises(DataError, match="this graph has no public split"):
        public_split(Data())

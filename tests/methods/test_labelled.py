import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.data import NodeSplit
from graphrank.methods.labelled import LabelledInput
from tests.nn.reference import make_graph

_, _, _, GRAPH = make_graph(9)
SPLIT = NodeSplit(torch.tensor([4, 0, 7]), torch.tensor([2, 8]), torch.tensor([1, 3, 5, 6]))
labels = st.lists(st.integers(-1, 5), min_size=9, max_size=9)


@given(labels)
def test_labels_of_training_and_validation_nodes_and_no_others(y):
    seen = {part: [n for n in nodes.tolist() if y[n] >= 0] for part, nodes in vars(SPLIT).items()}
    if not seen["train"] or not seen["val"]:
        return
    found = LabelledInput.of(GRAPH, torch.tensor(y), SPLIT)
    assert found.classes.tolist() == sorted({y[n] for n in seen["train"] + seen["val"]})
    assert found.train.tolist() == seen["train"] and found.val.tolist() == seen["val"]
    assert found.classes[found.train_class].tolist() == [y[n] for n in seen["train"]]
    assert found.classes[found.val_class].tolist() == [y[n] for n in seen["val"]]
    assert found.features is GRAPH.features and found.adjacency is GRAPH.adjacency


@pytest.mark.parametrize(
    ("node", "differs"), [(4, True), (0, True), (2, True), (1, False), (6, False)]
)
def test_the_fingerprint_is_of_the_labels_that_are_seen(node, differs):
    y = torch.tensor([0, 1, 0, 1, 1, 0, 1, 1, 0])
    other = y.clone()
    other[node] = 1 - other[node]
    first, second = (
        LabelledInput.of(GRAPH, each, SPLIT).label_fingerprint() for each in (y, other)
    )
    assert (first != second) is differs
    swapped = NodeSplit(SPLIT.val, SPLIT.train, SPLIT.test)
    assert LabelledInput.of(GRAPH, y, swapped).label_fingerprint() != first

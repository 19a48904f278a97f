"""Graphs of several types of nodes and edges, read as one graph."""

import logging

import numpy as np
import pytest
import torch
from torch_geometric.data import HeteroData

from graphrank import GraphRank
from graphrank.data import load
from graphrank.errors import DataError


@pytest.fixture
def shop():
    """Three users without features and two items that have some."""
    data = HeteroData(name="shop")
    data["user"].num_nodes = 3
    data["item"].x = torch.tensor([[2.0, 0.0], [0.0, 5.0]])
    data["user", "buys", "item"].edge_index = torch.tensor([[0, 1, 2], [0, 1, 1]])
    return data


@pytest.fixture
def library():
    """Papers with classes, authors with features of their own, and who wrote and cites what."""
    data = HeteroData()
    data["paper"].x = torch.eye(3)
    data["paper"].y = torch.tensor([1, 0, 1])
    data["paper"].train_mask = torch.tensor([True, False, False])
    data["author"].x = torch.tensor([[7.0], [8.0]])
    data["author"].node_id = ["ann", "bob"]
    data["author", "writes", "paper"].edge_index = torch.tensor([[0, 1], [0, 2]])
    data["paper", "cites", "paper"].edge_index = torch.tensor([[0], [1]])
    return data


def pairs(graph):
    names = graph.node_id
    return {tuple(sorted((names[u], names[v]))) for u, v in graph.edge_index.T.tolist()}


def test_two_types_that_are_joined_to_each_other_are_two_kinds(shop):
    graph = load(shop)
    assert graph.name == "shop" and graph.node_id == [
        "user:0",
        "user:1",
        "user:2",
        "item:0",
        "item:1",
    ]
    assert pairs(graph) == {("item:0", "user:0"), ("item:1", "user:1"), ("item:1", "user:2")}
    assert graph.node_kind.tolist() == [0, 0, 0, 1, 1] and graph.kind_names == ["user", "item"]


def test_every_type_has_its_mark_and_columns_of_its_own(shop):
    graph = load(shop)
    assert graph.feature_names == ["type=user", "type=item", "item:0", "item:1"]
    rows = [[1, 0, 0, 0]] * 3 + [[0, 1, 2, 0], [0, 1, 0, 5]]
    assert graph.x.to_dense().tolist() == rows


def test_types_with_edges_among_themselves_are_no_two_kinds(library):
    graph = load(library)
    assert graph.get("node_kind") is None
    assert pairs(graph) == {
        ("author:ann", "paper:0"), ("author:bob", "paper:2"), ("paper:0", "paper:1"),
    }  # fmt: skip


def test_labels_and_split_of_the_type_that_has_them(library):
    graph = load(library)
    assert graph.y.tolist() == [1, 0, 1, -1, -1]
    assert graph.train_mask.tolist() == [True, False, False, False, False]


def test_of_two_types_with_labels_the_one_with_a_split_counts(library, caplog):
    library["author"].y = torch.tensor([0, 1])
    assert load(library).y.tolist() == [1, 0, 1, -1, -1]
    del library["paper"].train_mask
    with caplog.at_level(logging.WARNING):
        assert load(library).get("y") is None
    assert "types paper, author have labels, which are left out" in caplog.text


def test_sparse_features_stay_sparse(library):
    dense = load(library).x.to_dense()
    library["paper"].x = library["paper"].x.to_sparse_csr()
    graph = load(library)
    assert graph.x.layout == torch.sparse_csr
    assert torch.equal(graph.x.to_dense(), dense)


def test_without_any_features_there_are_structural_ones(shop):
    del shop["item"].x
    shop["item"].num_nodes = 2
    assert load(shop).feature_source == "structural"


def test_edges_without_weights_count_one_beside_others(library):
    library["author", "writes", "paper"].edge_weight = torch.tensor([2.0, 3.0])
    graph = load(library)
    assert sorted(graph.edge_weight.tolist()) == [1, 1, 2, 2, 3, 3]


def test_loaded_again_it_still_has_two_kinds(shop):
    graph = load(load(shop))
    assert graph.node_kind.tolist() == [0, 0, 0, 1, 1] and graph.kind_names == ["user", "item"]


def test_it_is_embedded_and_so_are_others_of_its_types(shop):
    model = GraphRank(epochs=2, channels=8, mlp=8, mlp_hidden=8, mlp_steps=1, seed=0).fit(shop)
    again = HeteroData()
    again["item"].x = torch.tensor([[1.0, 1.0]])
    again["user"].num_nodes = 2
    again["user", "buys", "item"].edge_index = torch.tensor([[0, 1], [0, 0]])
    z = model.transform(again)
    assert z.shape == (3, model.embedding_.shape[1]) and np.isfinite(z.numpy()).all()


def test_from_a_file(shop, tmp_path):
    torch.save(shop, tmp_path / "shop.pt")
    assert torch.equal(load(tmp_path / "shop.pt").edge_index, load(shop).edge_index)


def test_it_is_not_changed(library):
    before = library.clone()
    load(library)
    assert str(library) == str(before)
    assert torch.equal(library["paper"].x, before["paper"].x)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d["user"].pop("num_nodes"), r"set data\['user'\].num_nodes"),
        (
            lambda d: d["user", "buys", "item"].update({"edge_index": torch.tensor([[0], [2]])}),
            "has an edge to item 2, outside 0..1",
        ),
        (lambda d: d["user", "buys", "item"].pop("edge_index"), "has no edge_index of shape"),
        (lambda d: d["item"].update({"num_nodes": 3}), "there are 3 item but 2 rows of features"),
    ],
)
def test_what_is_wrong_is_one_sentence(shop, change, sentence):
    change(shop)
    with pytest.raises(DataError, match=sentence):
        load(shop)


def test_a_mask_of_another_length(library):
    library["paper"].train_mask = torch.tensor([True])
    with pytest.raises(DataError, match="train_mask of paper is not one for each node"):
        load(library)

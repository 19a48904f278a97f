import pathlib

import pytest
import torch
from torch_geometric.data import Data

from graphrank.data import GraphSet, load
from graphrank.errors import DataError


class Custom:
    """A class that no file may bring."""


def test_dictionary_of_tensors(tmp_path, triangle):
    torch.save(triangle.to_dict(), tmp_path / "g.pt")
    graph = load(tmp_path / "g.pt")
    assert graph.name == "g"
    assert torch.equal(graph.x, triangle.x)
    assert graph.y.tolist() == triangle.y.tolist()


def test_pyg_object(tmp_path, triangle):
    triangle.node_id = ["a", "b", "c", "d"]
    torch.save(triangle, tmp_path / "g.pt")
    assert load(str(tmp_path / "g.pt")).node_id == ["a", "b", "c", "d"]


def test_a_loaded_graph_can_be_saved_and_loaded(tmp_path):
    graph = load("karate")
    torch.save(graph, tmp_path / "karate.pt")
    again = load(tmp_path / "karate.pt")
    assert again.load_report == graph.load_report
    assert torch.equal(again.edge_index, graph.edge_index)


@pytest.mark.parametrize(
    "content",
    [
        Custom(),
        pathlib.PurePosixPath("/"),
        torch.ones(2),
        {"x": torch.ones(2)},
        [1],
        [Data(edge_index=torch.tensor([[0], [1]])), Custom()],
        [Data(edge_index=torch.tensor([[0], [1]])), {"x": torch.ones(2)}],
    ],
)
def test_anything_else_is_refused(tmp_path, content):
    torch.save(content, tmp_path / "g.pt")
    with pytest.raises(DataError, match=r"g\.pt holds neither"):
        load(tmp_path / "g.pt")


def ring(size, **values):
    nodes = torch.arange(size)
    return Data(edge_index=torch.stack([nodes, nodes.roll(-1)]), num_nodes=size, **values)


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_of_graphs_is_a_set(tmp_path, kind):
    graphs = [
        ring(size, x=torch.rand(size, 2), y=torch.tensor([size % 2]), graph_id=f"r{size}")
        for size in (3, 4, 5)
    ]
    torch.save(kind(graphs), tmp_path / "rings.pt")
    found, expected = load(tmp_path / "rings.pt"), load(graphs)
    assert isinstance(found, GraphSet) and found.name == "rings"
    assert found.graph_id == ["r3", "r4", "r5"] and found.y.tolist() == [1, 0, 1]
    assert found.ptr.tolist() == [0, 3, 7, 12]
    assert torch.equal(found.edge_index, expected.edge_index)
    assert torch.equal(found.x, torch.cat([graph.x for graph in graphs]))


def test_a_list_of_dictionaries_is_a_set(tmp_path, triangle):
    torch.save([triangle.to_dict(), triangle.to_dict()], tmp_path / "g.pt")
    graphs = load(tmp_path / "g.pt")
    assert len(graphs) == 2 and graphs.ptr.tolist() == [0, 4, 8]


def test_a_set_with_a_graph_that_cannot_be_used(tmp_path):
    torch.save([ring(3), Data(x=torch.ones(2, 1))], tmp_path / "g.pt")
    with pytest.raises(DataError, match=r"graph 1 of g has no edge_index of shape"):
        load(tmp_path / "g.pt")
    torch.save([], tmp_path / "none.pt")
    with pytest.raises(DataError, match="none has no graphs; give it at least one graph"):
        load(tmp_path / "none.pt")


def test_damaged(write):
    with pytest.raises(DataError, match="save it with"):
        load(write("g.pt", "text"))


def test_other_pyg_attributes_are_left_behind(tmp_path):
    data = Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2, pos=torch.ones(2, 3))
    torch.save(data, tmp_path / "g.pt")
    assert "pos" not in load(tmp_path / "g.pt")

import pathlib

import pytest
import torch
from torch_geometric.data import Data

from graphrank.data import load
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
    "content", [Custom(), pathlib.PurePosixPath("/"), torch.ones(2), {"x": torch.ones(2)}, [1]]
)
def test_anything_else_is_refused(tmp_path, content):
    torch.save(content, tmp_path / "g.pt")
    with pytest.raises(DataError, match=r"g\.pt holds neither"):
        load(tmp_path / "g.pt")


def test_damaged(write):
    with pytest.raises(DataError, match="save it with"):
        load(write("g.pt", "text"))


def test_other_pyg_attributes_are_left_behind(tmp_path):
    data = Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2, pos=torch.ones(2, 3))
    torch.save(data, tmp_path / "g.pt")
    assert "pos" not in load(tmp_path / "g.pt")

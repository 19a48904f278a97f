import torch

from graphrank.nn.graph_input import GraphInput
from tests.conftest import toy_graph


def test_takes_features_and_structure_and_nothing_else():
    data = toy_graph()
    data.train_mask = torch.ones(data.num_nodes, dtype=torch.bool)
    data.edge_weight = torch.full((data.num_edges,), 2.0)
    graph = GraphInput.from_data(data)
    assert (graph.num_nodes, graph.num_features) == (data.num_nodes, 16)
    assert graph.device == torch.device("cpu")
    assert set(vars(graph)) == {"features", "adjacency"}
    held = {id(value) for part in vars(graph).values() for value in vars(part).values()}
    assert id(data.y) not in held and id(data.train_mask) not in held
    assert graph.adjacency.weight[~graph.adjacency.is_loop].unique().tolist() == [2.0]

import gc

import torch

from graphrank.methods import graphrank_module
from graphrank.methods.graphrank_module import coordinates
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.features import FeatureMatrix
from graphrank.nn.graph_input import GraphInput

RING = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]])


def ring():
    both = torch.cat([RING, RING.flip(0)], dim=1)
    return GraphInput(FeatureMatrix(torch.eye(5), torch.device("cpu")), Adjacency(both, 5))


def test_coordinates_of_a_graph_are_found_once_while_it_is_in_use(monkeypatch):
    asked = []

    def counted(adjacency, rank):
        asked.append(rank)
        return torch.full((adjacency.num_nodes, rank), float(len(asked)))

    monkeypatch.setattr(graphrank_module, "neighbor_coordinates", counted)
    graph = ring()
    first = coordinates(graph, 2)
    assert coordinates(graph, 2) is first
    assert coordinates(graph, 3).shape == (5, 3)
    assert asked == [2, 3]
    coordinates(ring(), 2)  # another graph, though an equal one
    assert asked == [2, 3, 2]


def test_coordinates_do_not_outlive_their_graph():
    graph = ring()
    coordinates(graph, 2)
    before = len(graphrank_module._COORDINATES)
    del graph
    gc.collect()
    assert len(graphrank_module._COORDINATES) == before - 1


def test_coordinates_do_not_depend_on_the_random_state_and_leave_it_alone():
    torch.manual_seed(1)
    first = coordinates(ring(), 2)
    state = torch.get_rng_state()
    assert torch.equal(coordinates(ring(), 2), first)
    assert torch.equal(torch.get_rng_state(), state)

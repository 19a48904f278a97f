"""One embedding a graph: train on a list of graphs, then find the nearest of one never seen."""

import torch
from torch_geometric.data import Data
from torch_geometric.utils import barabasi_albert_graph, erdos_renyi_graph

from graphrank import GraphRankGraph

torch.manual_seed(0)


def scattered() -> Data:
    """A graph with an edge between any two nodes alike."""
    return Data(edge_index=erdos_renyi_graph(20, 0.2), num_nodes=20)


def with_hubs() -> Data:
    """A graph whose new nodes join those that have many edges already."""
    return Data(edge_index=barabasi_albert_graph(20, 2), num_nodes=20)


graphs = [scattered() for _ in range(20)] + [with_hubs() for _ in range(20)]
kinds = ["scattered"] * 20 + ["with hubs"] * 20
model = GraphRankGraph(seed=0, channels=32, epochs=5).fit(graphs)  # no features: degrees serve

z = model.transform(graphs)
for name, new in (("scattered", scattered()), ("with hubs", with_hubs())):
    distances = (z - model.transform([new])).norm(dim=1)
    nearest = [kinds[place] for place in distances.argsort()[:5].tolist()]
    print(f"a new graph, {name}: the nearest five are {', '.join(nearest)}")

"""The statistics of the thirteen published datasets, and equality with PyG's reading of them."""

import os

import pytest
import torch

from graphrank.data import CATALOG, GraphSet, available, load, public_split

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(
        not os.environ.get("GRAPHRANK_DATA"), reason="set GRAPHRANK_DATA to the published datasets"
    ),
]

NODE_LEVEL = {
    "Cora": (2708, 10556, 1433, 7),
    "CiteSeer": (3327, 9104, 3703, 6),
    "PubMed": (19717, 88648, 500, 3),
    "Photo": (7650, 238162, 745, 8),
    "Computers": (13752, 491722, 767, 10),
    "CS": (18333, 163788, 6805, 15),
    "Physics": (34493, 495924, 8415, 5),
}
GRAPH_LEVEL = {
    "MUTAG": (188, 39.6, 7, 2),
    "PROTEINS": (1113, 145.6, 3, 2),
    "IMDB-BINARY": (1000, 193.1, 0, 2),
    "IMDB-MULTI": (1500, 131.9, 0, 3),
    "REDDIT-BINARY": (2000, 995.5, 0, 2),
    "COLLAB": (5000, 4914.4, 0, 3),
}


@pytest.mark.parametrize("name", NODE_LEVEL)
def test_node_datasets(name):
    graph = load(name)
    nodes, edges, features, classes = NODE_LEVEL[name]
    assert (graph.num_nodes, graph.num_edges) == (nodes, edges)
    assert graph.x.shape == (nodes, features)
    assert graph.x.layout == torch.sparse_csr
    assert graph.x.dtype == torch.float32
    assert graph.y.unique().tolist() == list(range(classes))
    row, col = graph.edge_index
    key = row * nodes + col
    assert (key.diff() > 0).all()
    assert (row != col).all()
    assert torch.equal((col * nodes + row).sort().values, key)
    info = CATALOG[name]
    assert available(info)
    assert (info.size, info.edges, info.features, info.classes) == NODE_LEVEL[name]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "COLLAB")) for n in GRAPH_LEVEL]
)
def test_graph_datasets(name):
    graphs = load(name)
    count, edges, node_labels, classes = GRAPH_LEVEL[name]
    assert isinstance(graphs, GraphSet)
    assert len(graphs) == count
    total = graphs.edge_index.size(1)
    assert total / count == pytest.approx(edges, abs=0.06)
    assert graphs.y.unique().tolist() == list(range(classes))
    found = 0 if graphs.node_label is None else int(graphs.node_label.max()) + 1
    assert found == node_labels
    assert graphs[count - 1].num_nodes == int(graphs.ptr[-1] - graphs.ptr[-2])
    info = CATALOG[name]
    assert (info.size, info.edges, info.features, info.classes) == (
        count,
        total,
        node_labels,
        classes,
    )


@pytest.mark.parametrize(("name", "train"), [("Cora", 140), ("CiteSeer", 120), ("PubMed", 60)])
def test_public_splits(name, train):
    split = public_split(load(name))
    assert (len(split.train), len(split.val), len(split.test)) == (train, 500, 1000)
    assert load(name).y[split.train].bincount().unique().tolist() == [20]


@pytest.mark.parametrize("name", ["Cora", "CiteSeer", "PubMed"])
def test_equal_to_pyg(name):
    from torch_geometric.io import read_planetoid_data

    expected = read_planetoid_data(f"{os.environ['GRAPHRANK_DATA']}/{name}/raw", name)
    graph = load(name)
    assert torch.equal(graph.x.to_dense(), expected.x)
    assert torch.equal(graph.y, expected.y)
    for mask in ("train_mask", "val_mask", "test_mask"):
        assert torch.equal(graph[mask], expected[mask])
    pairs = {tuple(pair) for pair in expected.edge_index.T.tolist()}
    assert {tuple(pair) for pair in graph.edge_index.T.tolist()} == pairs


@pytest.mark.parametrize("name", ["Photo", "CS"])
def test_amazon_and_coauthor_equal_pyg(name):
    from torch_geometric.io import read_npz

    file = CATALOG[name].files[0]
    expected = read_npz(f"{os.environ['GRAPHRANK_DATA']}/{name}/raw/{file}")
    graph = load(name)
    assert torch.equal(graph.x.to_dense(), expected.x)
    assert torch.equal(graph.y, expected.y)
    assert torch.equal(graph.edge_index, expected.edge_index)

import networkx as nx
import pytest
import torch
from scipy import sparse
from torch_geometric.data import Data

from graphrank.data import GraphSet, load, pack
from graphrank.data.features import csr_tensor
from graphrank.errors import DataError

PAIR = torch.tensor([[0, 1], [1, 0]])


@pytest.fixture
def graphs():
    return [
        Data(edge_index=PAIR, x=torch.eye(2), y=torch.tensor([1])),
        Data(
            edge_index=torch.empty(2, 0, dtype=torch.long), x=torch.ones(1, 2), y=torch.tensor([0])
        ),
        Data(
            edge_index=torch.tensor([[0, 0, 2], [2, 2, 2]]), x=torch.zeros(3, 2), y=torch.tensor(1)
        ),
    ]


def test_pack_and_take_apart(graphs):
    packed = pack(graphs, "toy")
    assert len(packed) == 3
    assert packed.num_nodes == 6
    assert packed.ptr.tolist() == [0, 2, 3, 6]
    assert packed.edge_ptr.tolist() == [0, 2, 2, 4]
    assert packed.batch.tolist() == [0, 0, 1, 2, 2, 2]
    assert packed.y.tolist() == [1, 0, 1]
    assert packed.graph_id == [0, 1, 2]
    assert [graph.num_nodes for graph in packed] == [2, 1, 3]
    assert packed[-1].edge_index.tolist() == [[0, 2], [2, 0]]
    assert torch.equal(packed[0].x, torch.eye(2))
    assert packed[1].y.tolist() == [0]
    assert packed[2].graph_id == 2
    assert repr(packed) == "GraphSet('toy', graphs=3, nodes=6, edges=4)"


def test_load_takes_a_list(graphs):
    assert len(load(graphs)) == 3
    assert load(graphs, directed=True).edge_index.size(1) == 3


@pytest.mark.parametrize("index", [3, -4])
def test_index_outside(graphs, index):
    with pytest.raises(IndexError):
        pack(graphs)[index]


def test_sparse_features(graphs):
    graphs[1].x = graphs[1].x.to_sparse_csr()
    packed = pack(graphs)
    assert packed.x.layout == torch.sparse_csr
    assert torch.equal(packed[0].x.to_dense(), torch.eye(2))
    assert packed[2].x.to_dense().shape == (3, 2)


def test_what_not_all_have_is_left_out(graphs):
    graphs[0] = Data(edge_index=PAIR, num_nodes=2)
    packed = pack(graphs)
    assert packed.x is None
    assert packed.y is None
    assert packed.node_label is None


def test_node_labels_and_ids():
    labels = torch.tensor([0, 1])
    packed = pack([Data(edge_index=PAIR, num_nodes=2, node_label=labels)] * 2)
    assert packed.node_label.tolist() == [0, 1, 0, 1]
    assert packed[1].node_label.tolist() == [0, 1]
    named = GraphSet("named", PAIR, torch.tensor([0, 2]), graph_id=["first"])
    assert named[0].graph_id == "first"


def test_any_node_labels_are_numbered_and_named():
    labels = torch.tensor([5, -2])
    packed = pack([Data(edge_index=PAIR, num_nodes=2, node_label=labels)])
    assert packed.node_label.tolist() == [1, 0]
    assert packed.label_names == ["-2", "5"]
    with pytest.raises(DataError, match="graph 0 of graphs has 2 nodes but 1 node labels"):
        pack([Data(edge_index=PAIR, num_nodes=2, node_label=labels[:1])])


def test_networkx_graphs():
    ring = nx.Graph([("a", "b"), ("b", "c"), ("c", "a")], y="ring", id="r")
    path = nx.Graph([("a", "b")], y="path", id="p")
    for graph in (ring, path):
        nx.set_node_attributes(graph, {n: {"label": n, "size": len(graph)} for n in graph})
    packed = load([ring, path])
    assert packed.graph_id == ["r", "p"] and packed.y.tolist() == [1, 0]
    assert packed.node_label.tolist() == [0, 1, 2, 0, 1]
    assert packed.label_names == ["a", "b", "c"]
    assert packed.x.shape == (5, 1)
    assert packed.edge_index.size(1) == 8
    plain = load([nx.path_graph(3), Data(edge_index=PAIR, num_nodes=2, graph_id=4)])
    assert len(plain) == 2 and plain.x is None and plain.graph_id == [0, 1]


def test_a_set_is_loaded_as_it_is(graphs):
    packed = pack(graphs)
    assert load(packed) is packed


def test_an_empty_graph_is_refused(graphs):
    graphs[1] = Data(edge_index=torch.empty(2, 0, dtype=torch.long), num_nodes=0)
    with pytest.raises(DataError, match="graph 1 of graphs is an empty graph; give it at least"):
        load(graphs)
    with pytest.raises(DataError, match="graph 0 of graphs is an empty graph"):
        load([nx.Graph()])


def test_equal_ids_are_refused(graphs):
    graphs = [Data(edge_index=PAIR, num_nodes=2, graph_id="a")] * 2
    with pytest.raises(DataError, match="two graphs of graphs have the same id"):
        load(graphs)


def test_bad_graphs(graphs):
    with pytest.raises(DataError, match="at least one graph"):
        pack([])
    with pytest.raises(DataError, match="list of PyG Data"):
        load([1, 2])
    graphs[1].x = torch.ones(1, 5)
    with pytest.raises(DataError, match="differ in their number of features"):
        pack(graphs)
    graphs[1].x = torch.tensor([[0.0, torch.nan]])
    with pytest.raises(DataError, match="feature column 1 of graphs has missing or infinite"):
        pack(graphs)
    graphs[1].x = torch.ones(4, 2)
    graphs[1].num_nodes = 1
    with pytest.raises(DataError, match="graph 1 of graphs has 1 nodes but 4 rows"):
        pack(graphs)
    graphs[1].x = None
    graphs[1].edge_index = torch.tensor([[0], [5]])
    with pytest.raises(DataError, match="graph 1 of graphs has an edge to node 5"):
        pack(graphs)


def test_csr_rows_do_not_touch_the_rest():
    x = csr_tensor(sparse.csr_array(sparse.eye_array(4)))
    packed = GraphSet("rows", PAIR, torch.tensor([0, 2, 4]), x=x)
    assert packed[1].x.to_dense().tolist() == [[0, 0, 1, 0], [0, 0, 0, 1]]

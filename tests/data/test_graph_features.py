import pytest
import torch
from torch_geometric.data import Data

from graphrank.data import GraphSet, load, pack
from graphrank.data.graph_features import DEGREE_CAP, GraphFeatures, degree
from graphrank.errors import ModelError


def star(leaves, **attributes):
    """One node in the middle of ``leaves`` others."""
    ends = (
        torch.tensor([[0, leaf] for leaf in range(1, leaves + 1)], dtype=torch.long)
        .reshape(-1, 2)
        .T
    )
    return Data(edge_index=ends, num_nodes=leaves + 1, **attributes)


def dense(features, graphs):
    return features.matrix(graphs).to_dense().tolist()


def test_degrees_are_counted_in_the_cleaned_graph():
    graphs = pack([star(2), star(0)])
    assert degree(graphs).tolist() == [2, 1, 1, 0]
    features = GraphFeatures.of(graphs)
    assert (features.source, features.columns) == ("degree", 3)
    assert features.matrix(graphs).layout == torch.sparse_csr
    assert dense(features, graphs) == [[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]]


def test_larger_degrees_fall_into_the_last_column():
    features = GraphFeatures.of(pack([star(2)]))
    assert dense(features, pack([star(7)]))[:2] == [[0, 0, 1], [0, 1, 0]]


def test_degrees_are_capped():
    large = pack([star(DEGREE_CAP + 50), star(DEGREE_CAP + 1)])
    features = GraphFeatures.of(large)
    assert features.columns == DEGREE_CAP + 1
    columns = features.matrix(large).col_indices()
    assert columns[0] == columns[DEGREE_CAP + 51] == DEGREE_CAP


def test_a_constant_where_nothing_is_known_of_the_nodes():
    bare, labelled = pack([star(2)]), pack([star(1, node_label=torch.tensor([0, 1]))])
    features = GraphFeatures.of(bare, missing="constant")
    assert (features.source, features.columns) == ("constant", 1)
    assert dense(features, pack([star(1), star(0)])) == [[1], [1], [1]]
    assert GraphFeatures.of(labelled, missing="constant").source == "node-labels"


def test_own_features_come_first():
    graphs = pack([star(1, x=torch.eye(2), node_label=torch.tensor([0, 1]))])
    features = GraphFeatures.of(graphs)
    assert (features.source, features.columns) == ("given", 2)
    assert features.matrix(graphs) is graphs.x


def test_node_labels_are_found_by_name():
    """A set with some of the labels numbers them otherwise, and gets the same columns."""
    seen = pack([star(2, node_label=torch.tensor([6, 8, 7]))])
    features = GraphFeatures.of(seen)
    assert (features.source, list(features.label_names)) == ("node-labels", ["6", "7", "8"])
    assert dense(features, seen) == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    fewer = pack([star(1, node_label=torch.tensor([8, 7]))])
    assert fewer.node_label.tolist() == [1, 0]
    assert dense(features, fewer) == [[0, 0, 1], [0, 1, 0]]


def test_an_unseen_node_label_is_refused():
    features = GraphFeatures.of(pack([star(1, node_label=torch.tensor([0, 1]))]))
    with pytest.raises(ModelError, match="has the node label '5', which the model has not seen"):
        features.matrix(pack([star(1, node_label=torch.tensor([0, 5]))]))
    # A name that no node bears does no harm.
    one = GraphSet("one", torch.empty(2, 0, dtype=torch.long), torch.tensor([0, 1]),
                   node_label=torch.tensor([0]), label_names=["1", "5"])  # fmt: skip
    assert dense(features, one) == [[0, 1]]


def test_what_the_features_are_made_of_must_be_there():
    bare = pack([star(1)])
    labels = GraphFeatures.of(pack([star(1, node_label=torch.tensor([0, 1]))]))
    with pytest.raises(ModelError, match="trained on node labels and graphs has none"):
        labels.matrix(bare)
    given = GraphFeatures.of(pack([star(1, x=torch.eye(2))]))
    with pytest.raises(ModelError, match="trained on 2 node features and graphs has none"):
        given.matrix(bare)
    with pytest.raises(ModelError, match="trained on 2 features and graphs has 3"):
        given.matrix(pack([star(1, x=torch.eye(2, 3))]))


@pytest.mark.real_data
def test_published_sets(data_root):
    for name, source, columns in (("mutag", "node-labels", 7), ("imdb-b", "degree", 136)):
        features = GraphFeatures.of(load(name, data_root=data_root))
        assert (features.source, features.columns) == (source, columns)

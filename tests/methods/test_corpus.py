"""Unions of sets to pre-train on."""

import json

import pytest
import torch
from torch_geometric.data import Data

from graphrank.data import load
from graphrank.errors import ConfigError, DataError
from graphrank.methods.corpus import read_corpus, structure
from tests.methods.test_graph_contract import toy_graphs

PATHS = [[[0, 1], [1, 2]], [[0, 1], [1, 2], [2, 3]]]
RINGS = [[[0, 1], [1, 2], [2, 0]]]


def write_lines(path, graphs):
    """A file of graphs, each with a class and node labels that nobody may look at."""
    rows = [
        {"edges": edges, "y": place % 2, "node_labels": [place] * (max(map(max, edges)) + 1)}
        for place, edges in enumerate(graphs)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def two_files(tmp_path):
    return [
        write_lines(tmp_path / "paths.jsonl", PATHS),
        write_lines(tmp_path / "rings.jsonl", RINGS),
    ]


def edges_of(graphs):
    return [graph.edge_index.tolist() for graph in graphs]


def test_all_graphs_of_all_sets_in_their_order(two_files):
    union = read_corpus(" , ".join(two_files))
    apart = [load(path) for path in two_files]
    assert edges_of(union) == [each for part in apart for each in edges_of(part)]
    assert union.ptr.tolist() == [0, 3, 7, 10] and len(union) == 3
    assert union.name == "paths,rings"
    row, column = union.edge_index
    assert bool(((row * union.num_nodes + column).diff() > 0).all())  # sorted, as sets have to be


def test_nothing_but_structure(two_files):
    union = read_corpus(",".join(two_files))
    assert (union.x, union.y, union.node_label) == (None, None, None) and not union.label_names


def test_one_graph_is_a_set_of_one(two_files):
    union = read_corpus(f"{two_files[1]},karate")
    karate = load("karate")
    assert len(union) == 2 and union.num_nodes == 3 + 34
    assert torch.equal(union[1].edge_index, karate.edge_index)


@pytest.mark.parametrize(
    ("names", "kind", "sentence"),
    [
        ("karate,", ConfigError, "the corpus 'karate,' has an empty name; write names joined by"),
        ("karate,karate", ConfigError, "karate is twice in the corpus; leave out one of them"),
        ("imdb-binarry", DataError, "there is no dataset 'imdb-binarry'; did you mean"),
        ("gone.jsonl", DataError, "there is no file 'gone.jsonl'; check the path"),
    ],
)
def test_mistakes(names, kind, sentence):
    with pytest.raises(kind, match=sentence):
        read_corpus(names)


def test_a_set_that_is_not_there_gives_the_usual_sentence(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError("no route to host")

    monkeypatch.setenv("GRAPHRANK_DATA", str(tmp_path))
    monkeypatch.setenv("GRAPHRANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    with pytest.raises(DataError, match="MUTAG is not in the data root and cannot be downloaded"):
        read_corpus("mutag")


def test_structure_keeps_ids_and_leaves_features_and_labels():
    graphs = structure(toy_graphs(4, labels=3))
    assert (graphs.x, graphs.node_label, graphs.y) == (None, None, None)
    assert graphs.graph_id == toy_graphs(4).graph_id
    assert isinstance(graphs[0], Data)

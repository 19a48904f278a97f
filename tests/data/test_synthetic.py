import time

import numpy as np
import pytest
import torch

from graphrank.data import load
from graphrank.data.synthetic import is_synthetic, make_synthetic
from graphrank.errors import DataError


def test_block_model_as_described():
    graph = load("sbm:nodes=5000,classes=4,features=16,degree=12,homophily=0.7,seed=1")
    row, col = graph.edge_index
    assert graph.num_nodes == 5000
    assert graph.x.shape == (5000, 16)
    assert graph.y.bincount().tolist() == [1250] * 4
    assert graph.num_edges / 5000 == pytest.approx(12, rel=0.02)
    assert (graph.y[row] == graph.y[col]).float().mean().item() == pytest.approx(0.7, abs=0.02)
    assert graph.feature_source == "given"


def test_features_carry_the_classes():
    graph = load("sbm:nodes=2000,classes=2,features=8,signal=3")
    centres = torch.stack([graph.x[graph.y == c].mean(0) for c in (0, 1)])
    nearest = torch.cdist(graph.x, centres).argmin(1)
    assert (nearest == graph.y).float().mean() > 0.8


@pytest.mark.parametrize("spec", ["sbm:nodes=300", "er:nodes=300", "SBM:nodes=300,features=0"])
def test_same_text_same_graph(spec):
    first, second = load(spec), load(spec)
    assert torch.equal(first.edge_index, second.edge_index)
    assert torch.equal(first.x, second.x)
    other = load(spec + ",seed=7")
    assert not torch.equal(first.edge_index, other.edge_index)


def test_defaults_and_extremes():
    assert load("sbm:").num_nodes == 1000
    assert load("er:nodes=50,degree=0").num_edges == 0
    assert load("sbm:nodes=20,classes=1,homophily=0").y.max() == 0
    assert load("er:nodes=100").feature_source == "structural"


def test_full_homophily_and_heterophily():
    for homophily in (0, 1):
        graph = load(f"sbm:nodes=500,homophily={homophily}")
        row, col = graph.edge_index
        assert ((graph.y[row] == graph.y[col]) == bool(homophily)).all()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("sbm:nodse=3", "did you mean 'nodes'"),
        ("sbm:nodes=many", "no number"),
        ("sbm:nodes=1", "nodes=1 .* out of range"),
        ("sbm:classes=0", "classes=0"),
        ("sbm:homophily=1.5", "homophily=1.5"),
        ("er:nodes=10,degree=10", "degree=10.0"),
        ("er:classes=3", "no setting 'classes'"),
        ("er:seed=-1", "seed=-1"),
        ("sbm:features=-1", "features=-1"),
    ],
)
def test_bad_settings(spec, message):
    with pytest.raises(DataError, match=message):
        make_synthetic(spec)


def test_what_is_synthetic():
    assert is_synthetic("er")
    assert not is_synthetic("cora")
    assert not is_synthetic("C:/graph.csv")


def test_half_a_million_nodes_in_seconds():
    start = time.perf_counter()
    raw = make_synthetic("sbm:nodes=500000,features=4")
    assert time.perf_counter() - start < 10
    assert raw.y is not None
    assert len(np.unique(raw.y)) == 5

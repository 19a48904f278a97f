"""``graphrank cluster``: ids kept, the largest cluster first, quality without labels."""

import networkx as nx
import pandas as pd
import pytest
import torch

from graphrank import load
from graphrank.cli.actions.cluster import by_size
from tests.cli.conftest import NAMES, QUICK

OWN = ("edges.csv", "--features", "nodes.csv")


def test_karate_falls_into_its_two_halves(shell):
    result = shell.run(
        "cluster", "karate", "--k", 2, "--method", "smoothing", "--output", "clusters.csv"
    )
    found = pd.read_csv(shell.folder / "clusters.csv")
    assert list(found.id) == list(range(34)) and set(found.cluster) == {0, 1}
    sizes = found.cluster.value_counts()
    assert sizes[0] >= sizes[1]
    y = load("karate").y.numpy()
    agree = (found.cluster.to_numpy() == y).mean()
    assert max(agree, 1 - agree) > 0.7
    parts = [set(found.id[found.cluster == c]) for c in (0, 1)]
    expected = nx.community.modularity(nx.karate_club_graph(), parts, weight=None)
    assert f"modularity {expected:.3f}" in result.stdout and "silhouette" in result.stdout
    assert f"{sizes[0]}" in result.stdout and "written to clusters.csv" in result.stdout


@pytest.mark.parametrize("name", ["clusters.parquet", "out/clusters.tsv"])
def test_own_ids(own, name):
    own.run("cluster", *OWN, *QUICK, "--k", 3, "--seed", 1, "--output", name)
    path = own.folder / name
    found = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, sep="\t")
    assert list(found.columns) == ["id", "cluster"] and list(found.id) == NAMES
    assert set(found.cluster) == {0, 1, 2}


def test_same_seed_same_file(own):
    words = ("cluster", *OWN, *QUICK, "--k", 3)
    own.run(*words, "--seed", 4, "--output", "a.csv")
    own.run(*words, "--set", "seed=4", "--output", "b.csv")
    assert (own.folder / "a.csv").read_bytes() == (own.folder / "b.csv").read_bytes()


def test_many_clusters_are_not_all_shown(shell):
    words = (
        "cluster",
        "karate",
        "--clusters",
        25,
        "--method",
        "smoothing",
        "--output",
        "clusters.csv",
    )
    assert "smaller clusters" in shell.run(*words).stdout


def test_the_largest_is_number_zero():
    found = by_size(torch.tensor([2, 2, 0, 1, 1, 2, 3]))
    assert found.tolist() == [0, 0, 2, 1, 1, 0, 3]


def test_refusals(own):
    def mistake(*words):
        return own.mistake("cluster", *OWN, *words)

    assert "too few for 9 clusters; choose a smaller --k" in mistake("--k", 9, "--output", "c.csv")
    assert "cannot tell the format of c.txt" in mistake("--k", 2, "--output", "c.txt")
    assert "did you mean 'smoothing'" in mistake(
        "--k", 2, "--output", "c.csv", "--method", "smoothin"
    )
    assert "--k" in mistake("--k", 1, "--output", "c.csv")
    own.run("cluster", *OWN, *QUICK, "--k", 2, "--output", "c.csv")
    assert "exists already" in mistake("--k", 2, "--output", "c.csv")
    own.run("cluster", *OWN, *QUICK, "--k", 3, "--output", "c.csv", "--overwrite")

"""Sets of graphs on the command line: fit, embed, evaluate, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
import torch

from graphrank import load_model
from graphrank.data import load

SMALL = ("--set", "epochs=1", "--set", "channels=4")


def write_graphs(path, count=24, classes=2, first=0):
    """Rings, and stars with as many nodes, each with a name and a class."""
    lines = []
    for place in range(first, first + count):
        size = 4 + place % 5
        ring = [[f"n{i}", f"n{(i + 1) % size}"] for i in range(size)]
        star = [["n0", f"n{i}"] for i in range(1, size)]
        kind = place % 2
        graph = {"id": f"g{place}", "edges": star if kind else ring, "y": kind % classes}
        lines.append(json.dumps(graph))
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def graphs(shell):
    write_graphs(shell.folder / "graphs.jsonl")
    return shell


def test_fit_and_embed_graphs_that_are_new(graphs):
    result = graphs.run("fit", "graphs.jsonl", "--level", "graph", *SMALL, "--output", "model")
    assert "24 graphs" in result.output and "numbers a graph" in result.output
    write_graphs(graphs.folder / "new.jsonl", count=3, first=100)
    result = graphs.run("embed", "model", "new.jsonl", "--output", "emb.parquet")
    assert "3 graphs" in result.stdout
    found = pd.read_parquet(graphs.folder / "emb.parquet").set_index("id")
    assert list(found.index) == ["g100", "g101", "g102"]
    model = load_model("model")
    assert model.info.name == "graphrank-graph"
    np.testing.assert_array_equal(found.to_numpy(), model.transform(load("new.jsonl")).numpy())


def test_a_saved_list_of_pyg_graphs(graphs):
    listed = list(load("graphs.jsonl"))
    torch.save(listed, graphs.folder / "graphs.pt")
    graphs.run("fit", "graphs.pt", "--level", "graph", *SMALL, "--output", "model")
    graphs.run("embed", "model", "graphs.pt", "--output", "emb.csv")
    assert len(pd.read_csv(graphs.folder / "emb.csv")) == len(listed) == 24


def test_a_folder_in_the_tu_layout(shell):
    folder = shell.folder / "SHAPES"
    folder.mkdir()
    (folder / "SHAPES_A.txt").write_text("1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n")
    (folder / "SHAPES_graph_indicator.txt").write_text("1\n1\n1\n2\n2\n")
    (folder / "SHAPES_graph_labels.txt").write_text("1\n-1\n")
    shell.run("fit", "SHAPES", "--level", "graph", *SMALL, "--output", "model")
    shell.run("embed", "model", "SHAPES", "--output", "emb.csv")
    assert len(pd.read_csv(shell.folder / "emb.csv")) == 2


def test_a_tu_folder_with_a_file_missing(shell):
    folder = shell.folder / "SHAPES"
    folder.mkdir()
    (folder / "SHAPES_A.txt").write_text("1, 2\n2, 1\n")
    message = shell.mistake("fit", "SHAPES", "--level", "graph", "--output", "other")
    assert "SHAPES_graph_indicator.txt" in message


def test_evaluate_with_the_controls(graphs):
    words = ("evaluate", "graphs.jsonl", "--task", "graph-classification", "--seeds", 1)
    result = graphs.run(*words, *SMALL, "--json", "out.json")
    text = result.stdout
    for name in ("graphrank-graph", "untrained-gin", "degree-histogram", "label-histogram"):
        assert name in text
    assert "svm-10-fold" in text and "std of folds" in text
    report = json.loads((graphs.folder / "out.json").read_text())
    found = {each["method"]: each["metrics"] for each in report}
    # Rings and stars differ in their degrees: the histogram tells all of them apart.
    assert found["degree-histogram"]["accuracy"]["mean"] == 100
    assert found["degree-histogram"]["fold_std"]["mean"] == 0


def test_the_kernel_of_the_svm_is_an_option_of_the_line(graphs):
    words = ("evaluate", "graphs.jsonl", "--task", "graph-classification", "--seeds", 1)
    words += ("--method", "degree-histogram", "--no-controls", "--kernel", "linear")
    graphs.run(*words, "--json", "out.json")
    report = json.loads((graphs.folder / "out.json").read_text())
    assert report["config"]["task"]["kernel"] == "linear"
    assert "did you mean 'linear'" in graphs.mistake(*words[:-1], "linaer")
    assert "has no option 'kernel'" in graphs.mistake("evaluate", "karate", "--kernel", "rbf")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fit", "graphs.jsonl"), "is a set of 24 graphs and the method embeds the nodes"),
        (("fit", "karate", "--level", "graph"), "is one graph and the method embeds whole graphs"),
        (("fit", "graphs.jsonl", "--level", "grph"), "did you mean 'graph'"),
        (("fit", "graphs.jsonl", "--level", "graph", "--method", "dgi"), "leave out --level graph"),
        (("evaluate", "graphs.jsonl"), "use --task graph-classification"),
        (("evaluate", "karate", "--task", "graph-classification"), "takes a set of graphs"),
        (
            ("evaluate", "graphs.jsonl", "--task", "graph-classification", "--method", "dgi"),
            "dgi embeds nodes and graph-classification needs embeddings of graphs",
        ),
        (
            (
                "evaluate",
                "graphs.jsonl",
                "--task",
                "graph-classification",
                "--epoch-selection",
                "validation",
            ),
            "no validation graphs",
        ),
        (("cluster", "graphs.jsonl", "--k", "2", "--output", "c.csv"), "takes one graph"),
    ],
)
def test_the_wrong_level_is_one_sentence(graphs, words, message):
    assert message in graphs.mistake(*words)


def test_one_class_and_small_classes(shell):
    words = ("evaluate", "graphs.jsonl", "--task", "graph-classification")
    write_graphs(shell.folder / "graphs.jsonl", classes=1)
    assert "have one class; there is nothing to learn" in shell.mistake(*words)
    write_graphs(shell.folder / "graphs.jsonl", count=13)
    assert "10 folds need at least 10" in shell.mistake(*words)


def test_an_empty_graph_is_named(shell):
    (shell.folder / "graphs.jsonl").write_text('{"edges": [[0, 1]]}\n{"id": "x", "edges": []}\n')
    message = shell.mistake("fit", "graphs.jsonl", "--level", "graph")
    assert "line 2 of graphs.jsonl is an empty graph" in message or "graph x" in message

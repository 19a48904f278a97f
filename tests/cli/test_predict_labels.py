"""``graphrank predict-labels``: a class for every node from a few, and how far to trust it."""

import pandas as pd
import pytest

from tests.cli.conftest import NAMES, QUICK

OWN = ("edges.csv", "--features", "nodes.csv")


def test_karate_from_six_labels(shell):
    known = [0, 1, 2, 33, 32, 31]
    lines = "".join(f"{node},{'ab'[node > 9]}\n" for node in known)
    (shell.folder / "labels.csv").write_text("id,label\n" + lines)
    words = ("--labels", "labels.csv", "--method", "smoothing", "--output", "all.csv")
    result = shell.run("predict-labels", "karate", *words)
    found = pd.read_csv(shell.folder / "all.csv", keep_default_na=False)
    assert list(found.columns) == ["id", "label", "probability", "given"]
    assert list(found.id) == list(range(34)) and set(found.label) <= {"a", "b"}
    assert found.probability.between(0.5, 1).all()
    assert (found.given != "").sum() == 6
    assert (found.label == found.given)[known].all()
    assert "given labels predicted from each other" in result.stdout
    assert "written to all.csv" in result.stdout


def test_own_ids_and_names(own):
    (own.folder / "labels.tsv").write_text(
        "id\tlabel\n"
        + "".join(f"{name}\t{'red' if i % 2 else 'blue'}\n" for i, name in enumerate(NAMES[:7]))
    )
    own.run("predict-labels", *OWN, *QUICK, "--labels", "labels.tsv", "--output", "all.parquet")
    found = pd.read_parquet(own.folder / "all.parquet")
    assert list(found.id) == NAMES and set(found.label) <= {"red", "blue"}


def test_one_label_of_a_class_is_told(shell):
    (shell.folder / "labels.csv").write_text("id,label\n0,a\n33,b\n32,b\n")
    words = ("--labels", "labels.csv", "--method", "smoothing", "--output", "all.csv")
    assert "one label alone" in shell.run("predict-labels", "karate", *words).stdout


@pytest.mark.parametrize(
    ("labels", "words", "told"),
    [
        ("id,label\n0,a\n1,a\n", (), "fewer than two classes"),
        ("id,label\n0,a\n1,b\n", ("--method", "gcn"), "supervised"),
        ("id,label\n0,a\n99,b\n", (), "not in the graph"),
    ],
)
def test_refusals(shell, labels, words, told):
    (shell.folder / "labels.csv").write_text(labels)
    given = ("karate", "--labels", "labels.csv", "--output", "all.csv", *words)
    assert told in shell.mistake("predict-labels", *given)
    assert not (shell.folder / "all.csv").exists()


def test_no_labels_at_all(own):
    told = own.mistake("predict-labels", *OWN, "--exclude-column", "label", "--output", "all.csv")
    assert "label" in told

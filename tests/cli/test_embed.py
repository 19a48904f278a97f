"""``graphrank embed``: ids kept, unseen nodes, columns by name, whole files or none."""

import numpy as np
import pandas as pd
import pytest

from graphrank import load_model
from graphrank.data import load
from tests.cli.conftest import EDGES, NAMES, write_edges, write_nodes

DATA = ("edges.csv", "--features", "nodes.csv")


def table(shell, name="emb.parquet"):
    return pd.read_parquet(shell.folder / name).set_index("id")


def test_ids_and_numbers_are_those_of_the_model(fitted):
    result = fitted.run("embed", "model", *DATA, "--output", "emb.parquet")
    expected = load_model("model").transform(load("edges.csv", features="nodes.csv"))
    width = expected.shape[1]
    assert f"8 nodes, {width:,} numbers each: emb.parquet" in result.stdout
    found = table(fitted)
    assert list(found.index) == NAMES
    assert list(found.columns) == [f"e{i}" for i in range(width)]
    np.testing.assert_array_equal(found.to_numpy(), expected.numpy())


@pytest.mark.parametrize(("name", "separator"), [("emb.csv", ","), ("emb.TSV", "\t")])
def test_text_tables_hold_every_digit(fitted, name, separator):
    fitted.run("embed", "model", *DATA, "--output", "emb.parquet")
    fitted.run("embed", "model", *DATA, "--output", name)
    found = pd.read_csv(fitted.folder / name, sep=separator, index_col="id")
    assert list(found.index) == NAMES
    np.testing.assert_array_equal(found.to_numpy(np.float32), table(fitted).to_numpy())


def test_a_bare_matrix_has_its_ids_beside_it(fitted):
    fitted.run("embed", "model", *DATA, "--output", "emb.parquet")
    fitted.run("embed", "model", *DATA, "--output", "out/emb.npy")
    matrix = np.load(fitted.folder / "out" / "emb.npy")
    np.testing.assert_array_equal(matrix, table(fitted).to_numpy())
    assert (fitted.folder / "out" / "emb.ids.txt").read_text().splitlines() == NAMES


def test_ids_that_are_numbers_stay_numbers(shell):
    (shell.folder / "edges.csv").write_text("source,target\n10,20\n20,30\n30,10\n30,44\n")
    shell.run("fit", "edges.csv", "--set", "epochs=1")
    shell.run("embed", "model", "edges.csv", "--output", "emb.parquet")
    assert list(table(shell).index) == [10, 20, 30, 44]


def test_nodes_that_the_model_has_not_seen(fitted):
    rows = ["id,height,weight,age", "zoe,0.1,0.2,0.9", "yan,0.5,0.1,0.3", "ann,0.3,0.3,0.3"]
    (fitted.folder / "new.csv").write_text("\n".join(rows))
    (fitted.folder / "new-edges.csv").write_text("source,target\nzoe,yan\nyan,ann\n")
    words = ("embed", "model", "new-edges.csv", "--features", "new.csv")
    fitted.run(*words, "--output", "emb.parquet")
    found = table(fitted)
    assert list(found.index) == ["zoe", "yan", "ann"]
    assert np.isfinite(found.to_numpy()).all()


def test_the_order_of_feature_columns_does_not_matter(fitted):
    fitted.run("embed", "model", *DATA, "--output", "emb.parquet")
    write_nodes(fitted.folder / "nodes.csv", columns=("age", "extra", "height", "weight"))
    result = fitted.run("embed", "model", *DATA, "--output", "other.parquet")
    assert "1 feature columns unknown to the model left out" in result.stderr
    np.testing.assert_array_equal(table(fitted), table(fitted, "other.parquet"))


def test_missing_feature_columns_are_named(fitted):
    write_nodes(fitted.folder / "few.csv", columns=("height",))
    words = ("embed", "model", "edges.csv", "--features", "few.csv", "--output", "e.csv")
    assert "2 of the model's 3 feature columns (weight, age)" in fitted.mistake(*words)


def test_features_must_be_of_the_same_kind(fitted):
    words = ("edges.csv", "--output", "e.csv")
    assert "(height, weight, age)" in fitted.mistake("embed", "model", *words)
    fitted.run("fit", "edges.csv", "--set", "epochs=1", "--output", "bare")
    sentence = fitted.mistake("embed", "bare", *DATA, "--output", "e.csv")
    assert sentence == "the model was trained without node features; leave out --features"


def test_a_wrong_number_of_rows_is_refused(shell):
    (shell.folder / "edges.csv").write_text("source,target\n0,1\n1,2\n2,3\n3,0\n")
    rows = np.random.default_rng(0).random((4, 3)).astype(np.float32)
    np.save(shell.folder / "x.npy", rows)
    np.save(shell.folder / "few.npy", rows[:3])
    np.save(shell.folder / "narrow.npy", rows[:, :2])
    shell.run("fit", "edges.csv", "--features", "x.npy", "--set", "epochs=1")
    for name, part in (("few", "3"), ("narrow", "3 features")):
        words = ("embed", "model", "edges.csv", "--features", f"{name}.npy", "--output", "e.npy")
        assert part in shell.mistake(*words)


def test_output_paths_are_checked_before_the_model_is_read(fitted, monkeypatch):
    monkeypatch.setattr("graphrank.cli.actions.embed.load_model", pytest.fail)
    (fitted.folder / "there.csv").write_text("mine")
    (fitted.folder / "emb.ids.txt").write_text("mine")
    sentence = fitted.mistake("embed", "model", *DATA, "--output", "there.csv")
    assert sentence == "there.csv exists already; choose another path or say --overwrite"
    assert "emb.ids.txt exists" in fitted.mistake("embed", "model", *DATA, "--output", "emb.npy")
    assert ".parquet" in fitted.mistake("embed", "model", *DATA, "--output", "emb.xlsx")


def test_overwrite_replaces_the_file(fitted):
    (fitted.folder / "emb.parquet").write_text("old")
    fitted.run("embed", "model", *DATA, "--output", "emb.parquet", "--overwrite")
    assert len(table(fitted)) == 8


def test_words_and_gaps_of_another_table(shell):
    """Values that do not occur again are no mistake, and those that training had not seen go."""
    edges = "source,target\na,b\nb,c\nc,d\nd,a\n"
    (shell.folder / "edges.csv").write_text(edges)
    (shell.folder / "nodes.csv").write_text("id,size,color\na,1,red\nb,,green\nc,3,blue\nd,2,red\n")
    data = ("edges.csv", "--features", "nodes.csv")
    said = shell.run("fit", *data, "--set", "epochs=1").stderr
    assert "nodes.csv: each of the 3 values of color becomes a feature" in said
    assert "nodes.csv: 1 of 4 values of size are missing" in said
    (shell.folder / "new.csv").write_text("id,size,color\na,1,red\nb,2,green\nc,3,pink\nd,2,red\n")
    new = ("edges.csv", "--features", "new.csv")
    said = shell.run("embed", "model", *new, "--output", "new.parquet").stderr
    assert "1 feature columns unknown to the model left out (color=pink)" in said
    assert np.isfinite(table(shell, "new.parquet").to_numpy()).all()


def test_edges_of_the_other_file_count(fitted):
    write_edges(fitted.folder / "less.csv", EDGES[:-1])
    fitted.run("embed", "model", *DATA, "--output", "emb.parquet")
    words = ("embed", "model", "less.csv", "--features", "nodes.csv", "--output", "less.parquet")
    fitted.run(*words)
    assert not np.array_equal(table(fitted), table(fitted, "less.parquet"))

"""``graphrank predict-links``: own ids, known neighbours left out, clear refusals."""

import pandas as pd
import pytest
import torch
import torch.nn.functional as F

from graphrank import load, load_model
from tests.cli.conftest import EDGES, NAMES

DATA = ("edges.csv", "--features", "nodes.csv")


def cosines():
    z = F.normalize(load_model("model").transform(load("edges.csv", features="nodes.csv")), dim=1)
    return z @ z.T


def known():
    return {frozenset((NAMES[a], NAMES[b])) for a, b in EDGES}


def predict(shell, *words, output="links.csv"):
    shell.run("predict-links", "model", *DATA, *words, "--output", output)
    reads = {"csv": pd.read_csv, "parquet": pd.read_parquet}
    return reads[output.split(".")[-1]](shell.folder / output)


@pytest.fixture
def mistake(fitted):
    return lambda *words: fitted.mistake("predict-links", "model", *DATA, *words)


def test_the_best_new_neighbours_of_a_node(fitted):
    found = predict(fitted, "--node", "ann", "--top", 3)
    assert list(found.columns) == ["source", "target", "rank", "score"]
    row = cosines()[NAMES.index("ann")]
    others = [n for n in NAMES if n != "ann" and frozenset(("ann", n)) not in known()]
    best = sorted(others, key=lambda name: -float(row[NAMES.index(name)]))[:3]
    assert [float(row[NAMES.index(n)]) for n in found.target] == pytest.approx(
        [float(row[NAMES.index(n)]) for n in best], abs=1e-5
    )
    assert list(found["rank"]) == [1, 2, 3] and set(found.source) == {"ann"}
    assert set(found.target) <= set(others)


def test_known_neighbours_on_demand(fitted):
    found = predict(fitted, "--node", "ann", "--include-known", "--top", 100)
    assert sorted(found.target) == sorted(set(NAMES) - {"ann"})
    assert found.score.is_monotonic_decreasing


def test_all_nodes(fitted):
    found = predict(fitted, "--all", "--top", 2, output="links.parquet")
    assert list(found.source.unique()) == NAMES and len(found) == 16
    pairs = {frozenset(pair) for pair in zip(found.source, found.target, strict=True)}
    assert not pairs & known() and all(len(pair) == 2 for pair in pairs)


@pytest.mark.parametrize(
    "text",
    [
        "source,target\nann,bob\nhal,ann\n",
        "x,to,from\n1,bob,ann\n2,ann,hal\n",
        "left;right\nann;bob\nhal;ann\n",
        "ann,bob\nhal,ann\n",
    ],
)
def test_pairs_in_their_order(fitted, text):
    (fitted.folder / "pairs.csv").write_text(text)
    found = predict(fitted, "--pairs", "pairs.csv")
    assert found[["source", "target"]].to_numpy().tolist() == [["ann", "bob"], ["hal", "ann"]]
    expected = cosines()[torch.tensor([0, 7]), torch.tensor([1, 0])]
    assert list(found.score) == pytest.approx(expected.tolist(), abs=1e-5)
    assert list(found.known) == [True, False]


def test_ids_that_are_numbers(shell):
    shell.run("fit", "karate", "--method", "smoothing", "--output", "model")
    result = shell.run(
        "predict-links", "model", "karate", "--node", "33", "--node", "0", "--top", 2
    )
    assert "Links by cosine" in result.stdout
    assert [line.split()[0] for line in result.stdout.splitlines()[4:8]] == ["33", "33", "0", "0"]
    shell.run("predict-links", "model", "karate", "--node", "33", "--output", "links.parquet")
    found = pd.read_parquet(shell.folder / "links.parquet")
    assert set(found.source) == {33} and found.target.dtype == "int64"


def test_other_scorers(fitted):
    by_degree = predict(fitted, "--node", "ann", "--scorer", "degree-cosine")
    by_cosine = predict(fitted, "--node", "ann", output="other.csv")
    assert (by_degree.score.sort_values().to_numpy() > by_cosine.score.sort_values()).all()


def test_nobody_left(shell):
    (shell.folder / "edges.csv").write_text("source,target\n1,2\n2,3\n3,1\n")
    shell.run("fit", "edges.csv", "--method", "smoothing")
    result = shell.run("predict-links", "model", "edges.csv", "--node", "2")
    assert "no pair is left" in result.stdout


def test_the_terminal_shows_the_head(shell):
    shell.run("fit", "karate", "--method", "smoothing")
    rows = "\n".join(f"{i},{j}" for i in range(34) for j in range(2))
    (shell.folder / "pairs.csv").write_text(rows)
    result = shell.run("predict-links", "model", "karate", "--pairs", "pairs.csv")
    assert "and 18 more; write all with --output" in result.stdout


def test_an_unknown_node(mistake):
    assert mistake("--node", "anne") == (
        "there is no node 'anne' in the graph; did you mean 'ann'?"
    )
    assert "its nodes are ann, bob, cid, …" in mistake("--node", "12345")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "source,score\nann,1\n",
            "names only one end of its pairs (its columns are source, score)",
        ),
        ("who\nann\n", "has one column (who) and pairs take two; name them source and target"),
        ("a,b\nann,bo\n", "in column 'b' of pairs.csv there is no node 'bo' in the graph; did you"),
        ("source,target\nann,\n", "has no id in row 1"),
        ("", "pairs.csv is empty"),
    ],
)
def test_pairs_that_cannot_be_used(fitted, mistake, text, sentence):
    (fitted.folder / "pairs.csv").write_text(text)
    assert sentence in mistake("--pairs", "pairs.csv")


def test_requests_that_make_no_sense(fitted, mistake):
    assert mistake() == "say one of --node ID, --pairs FILE and --all"
    assert mistake("--node", "ann", "--all", "--output", "x.csv") == mistake()
    assert "say where they go with --output" in mistake("--all")
    assert "there is no file 'none.csv'" in mistake("--pairs", "none.csv")
    assert "did you mean 'cosine'" in mistake("--node", "ann", "--scorer", "cosin")
    assert "cannot tell the format of x.txt" in mistake("--node", "ann", "--output", "x.txt")
    predict(fitted, "--node", "ann")
    assert "exists already" in mistake("--node", "ann", "--output", "links.csv")
    predict(fitted, "--node", "ann", "--overwrite")


def test_items_for_a_user_and_users_for_an_item(shell):
    """Ids that both kinds share are told apart, and only the other kind is proposed."""
    rows = [(u, i) for u in range(6) for i in range(5) if (u + i) % 3]
    pd.DataFrame(rows, columns=["user", "item"]).to_csv(shell.folder / "buys.csv", index=False)
    words = ("--bipartite", "--set", "epochs=1", "--set", "channels=4")
    shell.run("fit", "buys.csv", *words, "--output", "two")
    query = ("--bipartite", "--node", "user:1", "--node", "item:4", "--top", 9)
    shell.run("predict-links", "two", "buys.csv", *query, "--output", "links.csv")
    found = pd.read_csv(shell.folder / "links.csv")
    bought = {(f"user:{u}", f"item:{i}") for u, i in rows}
    free = {(f"user:{u}", f"item:{i}") for u in range(6) for i in range(5)} - bought
    of_user = {pair for pair in free if pair[0] == "user:1"}
    of_item = {(i, u) for u, i in free if i == "item:4"}
    assert set(zip(found.source, found.target, strict=True)) == of_user | of_item

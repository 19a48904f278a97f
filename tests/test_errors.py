import pytest

from graphrank import errors
from graphrank.errors import GraphRankError, unknown_name


@pytest.mark.parametrize("name", ["DataError", "ConfigError", "ModelError", "TrainingError"])
def test_all_are_of_one_family(name):
    assert issubclass(getattr(errors, name), GraphRankError)
    assert issubclass(GraphRankError, ValueError)


def test_the_nearest_is_suggested_in_its_own_writing():
    choices = ["Cora", "CiteSeer", "PubMed"]
    assert unknown_name("dataset", "citeser", choices).endswith("did you mean 'CiteSeer'?")
    assert unknown_name("dataset", "CORAA", choices).endswith("did you mean 'Cora'?")


def test_nothing_near_lists_what_is_known():
    assert unknown_name("x", "zzz", ["b", "a"]) == "there is no x 'zzz'; known are a, b"


def test_a_word_that_one_choice_alone_has_tells_it():
    choices = ["table-clustering", "table-training-time", "figure-margin", "figure-negative-count"]
    for typed, meant in {
        "table-margin": "figure-margin",
        "Margin": "figure-margin",
        "training": "table-training-time",
        "tabel-clusterin": "table-clustering",  # no whole word: the nearest by letters
    }.items():
        assert unknown_name("item", typed, choices).endswith(f"did you mean {meant!r}?"), typed
    both = unknown_name("item", "margin-clustering", choices)
    assert both.startswith("there is no item 'margin-clustering'; ")


def test_the_one_choice_that_begins_so_is_meant():
    choices = ["table-complexity", "table-node-classification"]
    assert unknown_name("item", "table-nod", choices).endswith("mean 'table-node-classification'?")
    assert "did you mean" in unknown_name("item", "table-", choices)

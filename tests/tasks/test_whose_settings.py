import pytest

from graphrank.errors import ConfigError
from graphrank.methods.registry import method_class
from graphrank.tasks.whose_settings import follows, shared_out

NAMES = ("graphrank", "grace", "cca-ssg", "untrained")
KINDS = [method_class(name) for name in NAMES]


def shares(settings):
    return dict(zip(NAMES, shared_out(settings, KINDS, "node"), strict=True))


def test_options_are_of_the_first_and_of_its_control():
    assert shares({"epochs": 3}) == {
        "graphrank": {"epochs": 3},
        "grace": {},
        "cca-ssg": {},
        "untrained": {"epochs": 3},
    }


def test_a_name_before_the_option_tells_whose_it_is():
    found = shares({"epochs": 3, "grace.epochs": 4, "CCA_SSG.channels": 8, "untrained.epochs": 0})
    assert found == {
        "graphrank": {"epochs": 3},
        "grace": {"epochs": 4},
        "cca-ssg": {"channels": 8},
        "untrained": {"epochs": 0},
    }


def test_the_first_may_be_named_and_the_last_word_holds():
    found = shares({"epochs": 3, "graphrank.epochs": 5})
    assert found["graphrank"] == found["untrained"] == {"epochs": 5}


def test_names_are_completed_by_the_level():
    kinds = [method_class("graphrank", "graph"), method_class("bgrl", "graph")]
    assert shared_out({"bgrl.epochs": 2}, kinds, "graph") == [{}, {"epochs": 2}]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bgrl.epochs", "'bgrl.epochs' is of a method that is not measured.*--method bgrl"),
        ("grac.epochs", "no method 'grac'; did you mean 'grace'"),
    ],
)
def test_an_option_of_a_method_that_is_not_there(name, says):
    with pytest.raises(ConfigError, match=says):
        shares({name: 1})


def test_a_control_follows_what_it_is_made_from_alone():
    graphrank, grace, _, untrained = KINDS
    assert follows(untrained, graphrank) and follows(grace, grace)
    assert not follows(untrained, grace) and not follows(graphrank, untrained)

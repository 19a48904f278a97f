import pytest

from graphrank.errors import ConfigError
from graphrank.methods.controls import RawFeatures
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.registry import CONTROLS, METHODS, make_method, method_class


def test_every_method_stands_under_its_own_name():
    assert {name: method.info.name for name, method in METHODS.items()} == {n: n for n in METHODS}
    assert set(CONTROLS) <= set(METHODS)
    assert all(METHODS[name].info.family == "control" for name in CONTROLS)


@pytest.mark.parametrize("name", ["raw-features", "raw_features", "Raw-Features"])
def test_names_in_any_writing(name):
    assert method_class(name) is RawFeatures


def test_unknown_name_suggests():
    with pytest.raises(ConfigError, match="no method 'grafrank'; did you mean 'graphrank'"):
        make_method("grafrank")


def test_settings_on_top_of_a_preset():
    model = make_method("graphrank", "paper", {"margin": 0.25, "channels": 8})
    assert isinstance(model, GraphRank)
    assert (model.margin, model.channels, model.similarity) == (0.25, 8, "dot")
    with pytest.raises(ConfigError, match="did you mean 'margin'"):
        make_method("graphrank", "paper", {"margn": 1.0})
    with pytest.raises(ConfigError, match="preset of graphrank 'papr'; did you mean 'paper'"):
        make_method("graphrank", "papr")

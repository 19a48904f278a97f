from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from graphrank.errors import ConfigError
from graphrank.methods.options import Option, check_options, option_rows, parse_settings


@dataclass(kw_only=True)
class Example:
    width: Annotated[int, Option("a whole number", low=1, high=9)] = 3
    rate: Annotated[float, Option("a share", low=0, below=1)] = 0.5
    flag: Annotated[bool, Option("yes or no")] = True
    kind: Annotated[Literal["red", "green"], Option("a choice")] = "red"
    limit: Annotated[int | None, Option("a number or none", low=0)] = None
    word: Annotated[str, Option("anything")] = ""
    free: Annotated[float, Option("no limits")] = 0.0


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [
        ("margin=0.5", "margin", 0.5),
        ("epochs=40", "epochs", 40),
        ("learning_rate=1e-3", "learning_rate", 1e-3),
        ("rate=2E5", "rate", 2e5),
        ("rate=-.5e1", "rate", -5.0),
        ("encoder=gcn", "encoder", "gcn"),
        ("act=none", "act", "none"),
        ("flag=true", "flag", True),
        ("flag=false", "flag", False),
        ("limit=null", "limit", None),
        ("edge-drop-1 = 0.2", "edge_drop_1", 0.2),
        ("word=a=b", "word", "a=b"),
        ("word=[", "word", "["),
        ("word=element", "word", "element"),
        ("word=infinity", "word", "infinity"),
    ],
)
def test_parse(setting, name, value):
    parsed = parse_settings([setting])
    assert parsed == {name: value}
    assert type(parsed[name]) is type(value)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.booleans())
def test_parse_what_python_and_yaml_print(number, whole, flag):
    texts = [f"a={number!r}", f"b={whole}", f"c={flag}", f"d={yaml.safe_dump(flag).split()[0]}"]
    assert parse_settings(texts) == {"a": number, "b": whole, "c": flag, "d": flag}


def test_parse_needs_an_equals_sign():
    with pytest.raises(ConfigError, match="write it as name=value"):
        parse_settings(["margin"])


def test_later_settings_win():
    assert parse_settings(["a=1", "a=2"]) == {"a": 2}


@pytest.mark.parametrize(
    "good",
    [
        {"width": 1},
        {"width": 9},
        {"rate": 0},
        {"rate": 0.999},
        {"flag": False},
        {"kind": "green"},
        {"limit": None},
        {"limit": 3},
        {"free": -1e9},
        {"word": "x"},
    ],
)
def test_fit_values(good):
    check_options(Example, good)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"width": 0}, "width=0 is out of range; width is at least 1 and at most 9"),
        ({"width": 10}, "out of range"),
        ({"width": 2.0}, "width takes int, not 2.0; its default is 3"),
        ({"width": True}, "width takes int, not True"),
        ({"width": None}, "width takes int, not None"),
        ({"rate": 1.0}, "rate=1.0 is out of range; rate is at least 0 and below 1"),
        ({"rate": -0.1}, "out of range"),
        ({"rate": float("nan")}, "out of range"),
        ({"rate": "0.5"}, "rate takes float"),
        ({"flag": 1}, "flag takes bool, not 1"),
        ({"kind": "gren"}, "no value for kind 'gren'; did you mean 'green'?"),
        ({"kind": 3}, "known are green, red"),
        ({"limit": -1}, "out of range; limit is at least 0"),
        ({"limit": "x"}, r"limit takes int \| none"),
        ({"wdith": 2}, "no option of Example 'wdith'; did you mean 'width'?"),
    ],
)
def test_unfit_values(bad, message):
    with pytest.raises(ConfigError, match=message):
        check_options(Example, bad)


def test_rows_describe_the_options_in_order():
    rows = option_rows(Example)
    assert list(rows) == ["width", "rate", "flag", "kind", "limit", "word", "free"]
    assert rows["kind"].kind_name == "red | green"
    assert rows["kind"].choices == ("red", "green")
    assert rows["limit"].kind_name == "int | none"
    assert rows["rate"].kind_name == "float" and rows["rate"].default == 0.5
    assert rows["word"].option.help == "anything"

"""Lines of results files that something has happened to."""

import copy
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrank.errors import GraphRankError
from graphrank.report.compare import compare
from graphrank.report.tables import score_table
from graphrank.results.parse import parse_line
from graphrank.results.store import append, read
from tests.results.test_record import make

WHOLE = json.loads(make((3, 4), environment={"torch": "2"}).to_line())
MAY_BE_LEFT_OUT = {"environment", "preset", "diagnostic"}
OTHER_TYPES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=2)), max_size=3),
    st.dictionaries(st.text(max_size=2), st.one_of(st.none(), st.integers()), max_size=2),
)


def places(value, path=()):
    """The way to everything inside a line, the line itself left out."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in inside:
        yield (*path, name)
        if isinstance(part, dict | list):
            yield from places(part, (*path, name))


def changed(path, change):
    """The line as text, with ``change`` called on what holds the place and on its name."""
    line = copy.deepcopy(WHOLE)
    holder = line
    for name in path[:-1]:
        holder = holder[name]
    change(holder, path[-1])
    return json.dumps(line)


def remove(holder, name):
    del holder[name]


PLACES = sorted(places(WHOLE), key=str)


@st.composite
def mutilated(draw):
    """A line with a place removed, of another type, shortened, or cut off as text."""
    path = draw(st.sampled_from(PLACES))
    way = draw(st.sampled_from(["removed", "replaced", "cut"]))
    if way == "removed":
        return changed(path, remove)
    if way == "replaced":
        value = draw(OTHER_TYPES)
        return changed(path, lambda holder, name: holder.__setitem__(name, value))
    text = json.dumps(WHOLE)
    return text[: draw(st.integers(1, len(text) - 1))]


@settings(max_examples=300)
@given(st.lists(mutilated(), min_size=1, max_size=4))
def test_mutilated_lines_are_read_or_skipped_and_counted(tmp_path_factory, lines):
    """What is read can be merged, taken apart and shown; what is not is counted."""
    file = tmp_path_factory.mktemp("lines") / "results.jsonl"
    append(file, make((3,)))
    with file.open("a") as out:
        out.writelines(line + "\n" for line in lines)
    try:
        parsed = [parse_line(line, "file") for line in lines]
    except GraphRankError as error:
        assert "install a newer graphrank" in str(error)
        with pytest.raises(GraphRankError, match="install a newer graphrank"):
            read(file)
        return
    with pytest.MonkeyPatch.context() as patch:
        said = []
        patch.setattr("graphrank.results.store._log.warning", lambda *words: said.append(words))
        results = read(file)
    damaged = sum(each is None for each in parsed)
    assert [words[2] for words in said] == [damaged] * (damaged > 0)
    for result in results:
        rows = [result.peak_mib, *result.values.values(), *result.seconds.values()]
        assert {len(row) for row in rows} == {len(result.seeds)}
        assert result.only(result.seeds[:1]).seeds == result.seeds[:1]
        json.dumps(result.to_report())
        score_table(compare([result]))


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_line_without_a_field(name):
    parsed = parse_line(changed((name,), remove), "file")
    assert (parsed is not None) == (name in MAY_BE_LEFT_OUT)


@pytest.mark.parametrize("name", sorted(WHOLE))
@pytest.mark.parametrize("other", [None, 1.5, "text", ["list"], {"an": "object"}, -1])
def test_a_field_of_another_type(name, other):
    line = json.loads(json.dumps(WHOLE))
    fits = isinstance(other, type(line[name])) and name in {
        *("task", "dataset", "method", "protocol", "preset", "config", "environment")
    }
    line[name] = other
    assert (parse_line(json.dumps(line), "file") is not None) == fits


@pytest.mark.parametrize(
    "change",
    [
        {"values": {"accuracy": []}},
        {"values": {"accuracy": [80.0]}},
        {"values": {"accuracy": [80.0, 81.0, 82.0]}},
        {"values": {"accuracy": [80.0, "81"]}},
        {"values": {"accuracy": [80.0, None]}},
        {"values": {"accuracy": [80.0, True]}},
        {"values": {"accuracy": [80.0, math.inf]}},
        {"values": {"accuracy": [80.0, 10**400]}},
        {"values": {"accuracy": 80.0}},
        {"values": {}},
        {"seconds": {"fit": [1.0]}},
        {"seconds": {"fit": "12"}},
        {"peak_mib": [100.0]},
        {"peak_mib": {"0": 1.0, "1": 2.0}},
        {"seeds": [3]},
        {"seeds": [3, 3]},
        {"seeds": [3, 4.0]},
        {"seeds": [3, "4"]},
        {"seeds": [True, False]},
        {"seeds": [], "values": {"accuracy": []}, "seconds": {}, "peak_mib": []},
        {"environment": {"torch": 2}},
        {"config": {"method": ["channels"]}},
        {"config": {"task": "probe"}},
        {"method": ["graphrank"]},
        {"format": "1"},
        {"format": True},
        {"format": 0},
    ],
    ids=lambda change: json.dumps(change)[:40],
)
def test_damage_that_json_does_not_show(change):
    assert parse_line(json.dumps({**WHOLE, **change}), "file") is None


def test_a_number_may_be_missing_or_whole():
    line = {**WHOLE, "values": {"accuracy": [math.nan, 80]}}
    result = parse_line(json.dumps(line), "file")
    assert result is not None and result.values["accuracy"][1] == 80


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": ' + "1" * 5000 + "}", "\x00"])
def test_text_that_strains_the_parser(text):
    assert parse_line(text, "file") is None

"""YAML as people write it, and one sentence for what is none."""

from dataclasses import dataclass

import pytest

from graphrank.errors import ConfigError
from graphrank.yaml_files import from_mapping, read_yaml


@dataclass(frozen=True)
class Recipe:
    flour: int
    eggs: tuple = ()


@pytest.fixture
def content(tmp_path):
    """What is read from a text, or from bytes."""

    def content(text):
        path = tmp_path / "file.yaml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_yaml(path)

    return content


def test_numbers_words_and_nested_mappings(content):
    assert content("{a: 1e-3, b: [on, x], c: {a: 2}}") == {
        "a": 1e-3,
        "b": [True, "x"],
        "c": {"a": 2},
    }
    assert content("") is None


def test_a_mapping_may_build_on_another(content):
    text = "one: &one {a: 1, b: 2}\ntwo: {<<: *one, b: 3}\n"
    assert content(text)["two"] == {"a": 1, "b": 3}


@pytest.mark.parametrize("text", ["{a: 1, b: 2, a: 3}", "outer:\n  - {x: 0}\n  - a: 1\n    a: 1\n"])
def test_a_name_that_comes_twice_is_refused(content, text):
    with pytest.raises(ConfigError, match=r"^it has the name 'a' twice; leave out one of them$"):
        content(text)


@pytest.mark.parametrize("text", ["{a: 1", b"\xff\xfe\x00", "!!python/object:os.system {}"])
def test_what_is_no_yaml_is_one_sentence_and_runs_nothing(content, text):
    with pytest.raises(ConfigError, match=r"^it is no YAML \(.*\); mend it$"):
        content(text)


def test_a_dataclass_from_a_mapping():
    assert from_mapping(Recipe, {"flour": 1, "eggs": [2]}, "the cake") == Recipe(1, (2,))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"flour": 1, "egs": 2}, "there is no entry of the cake 'egs'; did you mean 'eggs'?"),
        ({"flour": 1, True: 2}, "there is no entry of the cake 'True'; known are eggs, flour"),
        ({"eggs": []}, "the cake lacks its flour"),
        ([1], "the cake has to be a mapping of names and values"),
    ],
)
def test_a_mapping_that_does_not_fit(content, sentence):
    with pytest.raises(ConfigError) as error:
        from_mapping(Recipe, content, "the cake")
    assert str(error.value) == sentence

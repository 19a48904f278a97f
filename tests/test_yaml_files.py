"""YAML as people write it, and one sentence for what is none."""

import pytest

from graphrank.errors import ConfigError
from graphrank.yaml_files import read_yaml


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

"""What a name stands for, without reading it."""

from pathlib import Path

import pytest

from graphrank.data.catalog import dataset_info
from graphrank.data.source import find_source
from graphrank.errors import DataError


def test_a_dataset_a_file_or_a_synthetic_graph(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friends.csv").write_text("not even read")
    assert find_source("amazon-photo") is dataset_info("photo")  # its files need not be there
    assert find_source("friends.csv") == Path("friends.csv")
    assert find_source("sbm:nodes=90,classes=3") is None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("karrate", "did you mean 'karate'"), ("gone.csv", "there is no file 'gone.csv'")],
)
def test_what_stands_for_nothing(name, sentence):
    with pytest.raises(DataError, match=sentence):
        find_source(name)

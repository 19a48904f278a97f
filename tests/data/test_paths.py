from pathlib import Path

import pytest

from graphrank.data.paths import cache_dir, data_root
from graphrank.errors import DataError


def test_argument_before_environment(tmp_path, monkeypatch):
    assert data_root() is None
    monkeypatch.setenv("GRAPHRANK_DATA", str(tmp_path))
    assert data_root() == tmp_path
    (tmp_path / "other").mkdir()
    assert data_root(tmp_path / "other") == tmp_path / "other"


def test_missing_root(tmp_path):
    with pytest.raises(DataError, match="is no folder"):
        data_root(tmp_path / "gone")


def test_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GRAPHRANK_CACHE", str(tmp_path))
    assert cache_dir() == tmp_path
    monkeypatch.delenv("GRAPHRANK_CACHE")
    assert "graphrank" in cache_dir().parts
    assert isinstance(cache_dir(), Path)

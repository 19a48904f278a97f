"""Fixtures of the data layer: no network, no user's cache, and real data only where asked for."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import numpy as np
import pytest
import torch
from torch_geometric.data import Data


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def isolated(request, monkeypatch, tmp_path_factory, session_cache):
    """Keep every test away from the network, the user's cache and, unless marked, real data."""

    def no_network(*args: object, **options: object) -> None:
        raise OSError("no network in tests")

    monkeypatch.setattr(urllib.request, "urlopen", no_network)
    if request.node.get_closest_marker("real_data"):
        monkeypatch.setenv("GRAPHRANK_CACHE", str(session_cache))
    else:
        monkeypatch.setenv("GRAPHRANK_CACHE", str(tmp_path_factory.mktemp("cache")))
        monkeypatch.delenv("GRAPHRANK_DATA", raising=False)


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a text file and returns its path."""

    def write_text(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


@pytest.fixture
def triangle() -> Data:
    """Return three nodes in a circle and an isolated one, with features and labels."""
    edges = torch.tensor([[0, 1, 2], [1, 2, 0]])
    x = torch.arange(8, dtype=torch.float32).reshape(4, 2)
    return Data(x=x, edge_index=edges, y=torch.tensor([0, 1, 0, 1]))


@pytest.fixture
def mutag_folder(tmp_path) -> Path:
    """Return a folder in the TU layout: a path of three nodes and a pair."""
    folder = tmp_path / "MUTAG"
    folder.mkdir()
    texts = {
        "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
        "graph_indicator": "1\n1\n1\n2\n2\n",
        "graph_labels": "-1\n1\n",
        "node_labels": "3\n5\n3\n5\n9\n",
    }
    for part, text in texts.items():
        (folder / f"MUTAG_{part}.txt").write_text(text)
    return folder


@pytest.fixture
def shchur_arrays() -> dict[str, np.ndarray]:
    """Return a directed triangle with a loop in the layout of Shchur et al."""
    return {
        "adj_data": np.ones(4, dtype=np.float32),
        "adj_indices": np.array([0, 1, 2, 0]),
        "adj_indptr": np.array([0, 2, 3, 4]),
        "adj_shape": np.array([3, 3]),
        "attr_data": np.array([2.0, 1.0], dtype=np.float32),
        "attr_indices": np.array([0, 1]),
        "attr_indptr": np.array([0, 1, 2, 2]),
        "attr_shape": np.array([3, 2]),
        "labels": np.array([0, 1, 1]),
    }

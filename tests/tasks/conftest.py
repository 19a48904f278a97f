"""What tests of tasks share."""

import pytest

from graphrank import GraphRank
from tests.conftest import toy_graph


@pytest.fixture
def data():
    """A small graph with labels and a name."""
    graph = toy_graph(size=30)
    graph.name = "toy"
    return graph


@pytest.fixture
def fitted(monkeypatch):
    """The seeds of all fits of GraphRank, in order."""
    seeds, real = [], GraphRank.fit

    def counted(self, *args, **kwargs):
        seeds.append(self.seed)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(GraphRank, "fit", counted)
    return seeds

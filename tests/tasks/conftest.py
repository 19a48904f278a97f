"""What tests of tasks share."""

import pytest

from graphrank import GraphRank


@pytest.fixture
def fitted(monkeypatch):
    """The seeds of all fits of GraphRank, in order."""
    seeds, real = [], GraphRank.fit

    def counted(self, *args, **kwargs):
        seeds.append(self.seed)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(GraphRank, "fit", counted)
    return seeds

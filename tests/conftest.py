"""What all tests share: a quick hypothesis profile, toy graphs, published data, a terminal."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, settings
from torch_geometric.data import Data

from graphrank.measure import set_imports_aside

# Derandomised: a failure here is a failure everywhere.
settings.register_profile(
    "graphrank",
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("graphrank")


def pytest_runtest_setup(item):
    """Random numbers of a test do not depend on which tests ran before it in its process."""
    torch.manual_seed(0)


def pytest_collection_finish(session):
    """Set aside what tests import: memory is measured before each fit, after a look for garbage."""
    set_imports_aside()


@pytest.fixture
def data_root():
    """The folder of published datasets, which is only read."""
    root = os.environ.get("GRAPHRANK_DATA")
    if not root:
        pytest.skip("set GRAPHRANK_DATA to the folder of the published datasets")
    return Path(root)


@pytest.fixture
def two_threads():
    """Two threads for the block, so that races have a chance to show."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def toy():
    """Two groups of twelve nodes with labels, 16 features, and two isolated nodes."""
    return toy_graph()


def toy_graph(seed=0, groups=2, size=12, isolated=2, features=16):
    """A small random graph with labels that follow its structure and its features."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(groups), size)
    y = np.concatenate([y, np.zeros(isolated, dtype=y.dtype)])
    nodes = y.size
    pairs = [
        (i, j)
        for i in range(nodes - isolated)
        for j in range(i)
        if random.random() < (0.4 if y[i] == y[j] else 0.05)
    ]
    both = np.array(pairs + [(j, i) for i, j in pairs]).T
    centre = random.normal(size=(groups, features))
    x = centre[y] + random.normal(size=(nodes, features))
    return Data(
        x=torch.from_numpy(x.astype(np.float32)),
        edge_index=torch.from_numpy(both),
        y=torch.from_numpy(y),
        num_nodes=nodes,
    )


@pytest.fixture
def terminal(monkeypatch):
    """Let rich take standard error for a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TTY_COMPATIBLE", raising=False)


def plain(text):
    """Text without the codes that steer a terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)

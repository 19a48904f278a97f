import pytest
import torch

from graphrank import GraphRank
from graphrank.errors import ConfigError
from graphrank.training.device import resolve_device


def test_cpu():
    assert resolve_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize(("there", "expected"), [(True, "cuda"), (False, "cpu")])
def test_auto_takes_what_is_there(monkeypatch, there, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: there)
    assert resolve_device("auto").type == expected


@pytest.mark.parametrize("name", ["gpu", "cuda:x", ""])
def test_no_such_device(name):
    with pytest.raises(ConfigError, match="no device"):
        resolve_device(name)


def test_no_gpu(monkeypatch, toy):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="asks for a GPU and torch sees none; use device=cpu"):
        GraphRank(device="cuda:0").fit(toy)

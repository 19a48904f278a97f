import pytest
import torch
from torch import nn

from graphrank.nn.sized_by_data import SizedByData


class Words(SizedByData):
    def __init__(self):
        super().__init__()
        self.vector = nn.Parameter(torch.empty(0, 3))
        self.register_buffer("number", torch.empty(0, dtype=torch.long))


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Words()


def test_what_is_remembered_is_loaded_whatever_its_size():
    filled = Outer()
    filled.inner.remember("vector", torch.arange(6.0).double().view(2, 3))
    filled.inner.remember("number", torch.tensor([4, 5, 6, 7]))
    assert filled.inner.vector.dtype == torch.float32 and filled.inner.vector.requires_grad
    read = Outer()
    read.load_state_dict(filled.state_dict())
    for name, value in filled.state_dict().items():
        assert torch.equal(read.state_dict()[name], value)
    assert isinstance(read.inner.vector, nn.Parameter)
    read.inner.vector.data.zero_()
    assert filled.inner.vector.any()  # not the same memory


def test_what_does_not_fit_is_refused():
    with pytest.raises(RuntimeError, match="size mismatch"):
        Words().load_state_dict({"vector": torch.zeros(2), "number": torch.zeros(1)})
    with pytest.raises(RuntimeError, match="Missing key"):
        Words().load_state_dict({"number": torch.zeros(1)})
    with pytest.raises(AttributeError):
        Words().remember("nothing", torch.zeros(1))

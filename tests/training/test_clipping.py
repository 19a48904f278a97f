import pytest
import torch
from torch import nn

from graphrank.training.clipping import clipped


@pytest.mark.parametrize(("gradient", "moved"), [([3.0, 4.0], 2.0), ([0.3, 0.4], 0.5)])
def test_long_gradients_are_shortened_and_others_left(gradient, moved):
    first, second = nn.Parameter(torch.zeros(1)), nn.Parameter(torch.zeros(1))
    optimizer = clipped(torch.optim.SGD([{"params": [first]}, {"params": [second]}], lr=1.0), 2.0)
    first.grad, second.grad = torch.tensor(gradient[:1]), torch.tensor(gradient[1:])
    optimizer.step()
    step = torch.cat([first, second]).detach()
    assert float(step.norm()) == pytest.approx(moved, rel=1e-4)
    torch.testing.assert_close(step / step.norm(), torch.tensor([-0.6, -0.8]))

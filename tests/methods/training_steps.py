"""What tests of several methods do with one step of training."""

import warnings

import torch
from torch import nn
from torch.func import functional_call

from graphrank.training.collapse import CollapseWarning


def gradients_are_right(method, net, graph, *, fast=False):
    """Compare with central differences under fixed draws, in every parameter that is trained."""

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self):
            torch.manual_seed(3)
            return method.training_step(self.net, graph)

    step = Step()
    trained = {name: value for name, value in step.named_parameters() if value.requires_grad}

    def loss(*values):
        return functional_call(step, dict(zip(trained, values, strict=True)), ())

    given = tuple(value.detach().requires_grad_() for value in trained.values())
    return torch.autograd.gradcheck(loss, given, fast_mode=fast)


def fit_quietly(method, data):
    """Fit on a toy, where collapse is no matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        return method.fit(data)


def record_views(monkeypatch, source):
    """The views that training steps of the methods in module ``source`` draw from now on."""
    drawn, real = [], source.corrupt

    def recorded(graph, corruption):
        drawn.append(real(graph, corruption))
        return drawn[-1]

    monkeypatch.setattr(source, "corrupt", recorded)
    return drawn

"""Heads that several methods share, and the encoder of InfoGraph, GraphCL and those after them."""

from __future__ import annotations

from typing import TypeVar

from torch import nn

from graphrank.nn.gin import GINEncoder
from graphrank.nn.shortcut_mlp import ShortcutMLP

ModuleT = TypeVar("ModuleT", bound=nn.Module)


def from_glorot(module: ModuleT) -> ModuleT:
    """Draw the linear maps of a module anew, from Glorot's uniform distribution, biases zero."""
    for part in module.modules():
        if isinstance(part, nn.Linear):
            nn.init.xavier_uniform_(part.weight)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
    return module


def infograph_encoder(num_features: int, channels: int, num_layers: int) -> GINEncoder:
    """InfoGraph's GIN: MLPs without inner norm, and each layer's norm after its activation."""
    encoder = GINEncoder(num_features, channels, num_layers, inner_norm=False, act_first=True)
    return from_glorot(encoder)


def elu_projector(channels: int, width: int) -> nn.Sequential:
    """GRACE's MLP between embeddings and loss: to ``width``, ELU, and back to ``channels``."""
    return nn.Sequential(nn.Linear(channels, width), nn.ELU(), nn.Linear(width, channels))


def projection_head(width: int) -> nn.Sequential:
    """Two linear maps with a ReLU between them, all of one width."""
    return from_glorot(nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width)))


def shortcut_head(width: int) -> ShortcutMLP:
    """An MLP beside one linear map, all of one width."""
    return from_glorot(ShortcutMLP(width, width))

"""Heads that several methods share, and the encoder of InfoGraph, GraphCL and those after them."""

from __future__ import annotations

from typing import TypeVar

import torch
from torch import Tensor, nn

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


@torch.no_grad()
def basis_of_outputs(layer: nn.Linear) -> Tensor | None:
    """Coordinates in which the outputs of a layer to more channels than it has inputs are narrow.

    Outputs lie in the span of the layer's columns and its bias. In an orthonormal basis of that
    span they have the same lengths and dot products, and so has any loss made of these the same
    gradient, though the basis is held constant: no gradient leaves the span.

    Args:
        layer: from ``inputs`` to ``outputs`` channels.

    Returns:
        ``[outputs, inputs + 1]`` orthonormal columns (one less without a bias), or nothing where
        the layer's outputs have no more channels than that.
    """
    columns = layer.weight
    if layer.bias is not None:
        columns = torch.cat([columns, layer.bias.unsqueeze(1)], dim=1)
    if columns.size(1) >= columns.size(0):
        return None
    basis: Tensor = torch.linalg.qr(columns).Q
    return basis


def projection_head(width: int) -> nn.Sequential:
    """Two linear maps with a ReLU between them, all of one width."""
    return from_glorot(nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width)))


def shortcut_head(width: int) -> ShortcutMLP:
    """An MLP beside one linear map, all of one width."""
    return from_glorot(ShortcutMLP(width, width))

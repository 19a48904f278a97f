"""Where the computation runs."""

from __future__ import annotations

import torch

from graphrank.errors import ConfigError


def resolve_device(name: str) -> torch.device:
    """``auto`` takes a GPU where there is one; other names are torch's."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ConfigError(f"there is no device {name!r}; use auto, cpu or cuda") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        seen = torch.cuda.device_count() or "none"
        raise ConfigError(f"device {name!r} asks for a GPU and torch sees {seen}; use device=cpu")
    return device


def is_usable(name: str) -> bool:
    """Whether a device of that name can be computed on here."""
    try:
        resolve_device(name)
    except ConfigError:
        return False
    return True

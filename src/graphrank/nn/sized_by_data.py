"""Modules whose tensors are as large as what they have seen, such as a vocabulary."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class SizedByData(nn.Module):
    """A module whose tensors are empty until training, or a stored model, gives them a size."""

    def remember(self, name: str, value: Tensor) -> None:
        """Fill a tensor of this module, of whatever size it was."""
        tensor = self.get_parameter(name) if name in self._parameters else self.get_buffer(name)
        tensor.data = value.to(tensor)

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, *rest: Any, **options: Any
    ) -> None:
        for name, tensor in (self._parameters | self._buffers).items():
            stored = state_dict.get(prefix + name)
            if tensor is not None and stored is not None and stored.dim() == tensor.dim():
                tensor.data = torch.empty_like(stored, dtype=tensor.dtype, device=tensor.device)
        super()._load_from_state_dict(state_dict, prefix, *rest, **options)

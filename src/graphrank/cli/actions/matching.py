"""Give a trained model the feature columns that it knows, in the order that it knows."""

from __future__ import annotations

import copy
import logging
from typing import Any

import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data.features import canonical_csr, csr_tensor, scipy_csr
from graphrank.errors import ModelError
from graphrank.methods.base import Method

_log = logging.getLogger("graphrank")
_SHOWN = 5


def match_features(data: Data, model: Method[Any]) -> Data:
    """Return the graph with the model's feature columns, found by name where there are names.

    Raises:
        ModelError: If the graph lacks some, or has features of another kind.
    """
    _check_kind(data, model)
    wanted, given = model.feature_names_, data.get("feature_names")
    if wanted is None or given is None or list(given) == wanted:
        return data
    missing = [name for name in wanted if name not in set(given)]
    if missing:
        raise ModelError(
            f"the graph lacks {len(missing)} of the model's {len(wanted)} feature columns "
            f"({_some(missing)}); add them to the features"
        )
    if len(given) > len(wanted):
        _log.info("%d feature columns unknown to the model left out", len(given) - len(wanted))
    place = {name: position for position, name in enumerate(given)}
    matched = copy.copy(data)
    matched.x = _columns(data.x, [place[name] for name in wanted])
    matched.feature_names = wanted
    return matched


def _check_kind(data: Data, model: Method[Any]) -> None:
    """Refuse a graph without features for a model that needs them, and the reverse."""
    kinds = (model.feature_source_, data.get("feature_source"))
    if kinds == ("given", "structural"):
        columns = f" ({_some(model.feature_names_)})" if model.feature_names_ else ""
        raise ModelError(
            f"the model was trained on {model.num_features_} node features{columns} and this "
            "graph has none; give them with --features"
        )
    if kinds == ("structural", "given"):
        raise ModelError("the model was trained without node features; leave out --features")


def _columns(x: Tensor, order: list[int]) -> Tensor:
    """Columns of dense or CSR features in another order."""
    if x.layout == torch.strided:
        return x[:, order]
    return csr_tensor(canonical_csr(scipy_csr(x)[:, order]))


def _some(names: list[str]) -> str:
    more = ["…"] if len(names) > _SHOWN else []
    return ", ".join([*names[:_SHOWN], *more])

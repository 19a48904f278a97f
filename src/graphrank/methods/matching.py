"""Give a trained model the feature columns that it knows, in the order that it knows."""

from __future__ import annotations

import copy
import logging
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from scipy import sparse
from torch import Tensor
from torch_geometric.data import Data

from graphrank.data.encode import is_absent_mark
from graphrank.data.features import canonical_csr, csr_tensor, scipy_csr
from graphrank.errors import ModelError

if TYPE_CHECKING:
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
    place = {name: position for position, name in enumerate(given)}
    absent = [name for name in wanted if name not in place]
    missing = [name for name in absent if not is_absent_mark(name, place.keys())]
    if missing:
        raise ModelError(
            f"the graph lacks {len(missing)} of the model's {len(wanted)} feature columns "
            f"({_some(missing)}); add them to the features"
        )
    known = set(wanted)
    unknown = [name for name in given if name not in known]
    if unknown:
        _log.warning(
            "%d feature columns unknown to the model left out (%s)", len(unknown), _some(unknown)
        )
    if absent:
        _log.info("%d values of words do not occur here (%s)", len(absent), _some(absent))
    matched = copy.copy(data)
    matched.x = _columns(data.x, [place.get(name, len(given)) for name in wanted])
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
    """Columns of dense or CSR features in another order; one past the last is empty."""
    if x.layout == torch.strided:
        return F.pad(x, (0, 1))[:, order]
    matrix = scipy_csr(x)
    padded = sparse.hstack([matrix, sparse.csr_array((matrix.shape[0], 1))], format="csr")
    return csr_tensor(canonical_csr(padded[:, order]))


def _some(names: list[str]) -> str:
    more = ["…"] if len(names) > _SHOWN else []
    return ", ".join([*names[:_SHOWN], *more])

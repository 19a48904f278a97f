"""One fit for many judges: tasks that show a method the same graph share its embedding."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import GraphSet, fingerprint
from graphrank.measure import Measured
from graphrank.methods.base import Method

Fit = tuple[Tensor, Measured]
FitT = TypeVar("FitT")


@dataclass
class Fits(Generic[FitT]):
    """The last fits: of each its embedding and cost, or whatever else a caller keeps of a fit.

    A method's embedding depends on its options, its seed and the graph that it sees, and on
    nothing else: classification and clustering of one seed, or two probes of it, need one fit.

    Args:
        most: how many embeddings are kept; the one used longest ago goes first.
    """

    most: int = 2
    kept: OrderedDict[str, FitT] = field(default_factory=OrderedDict)

    def get(self, method: Method[Any], visible: Data | GraphSet, fit: Callable[[], FitT]) -> FitT:
        """The embedding of a method on what it may see, fitted now if it is not there yet."""
        key = _key(method, visible)
        if key not in self.kept:
            self.kept[key] = fit()
        self.kept.move_to_end(key)
        while len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return self.kept[key]


def _key(method: Method[Any], visible: Data | GraphSet) -> str:
    what = [method.info.name, method.get_params(), fingerprint(visible)]
    return hashlib.sha256(json.dumps(what, sort_keys=True, default=str).encode()).hexdigest()

"""GraphRank: embeddings of graphs without labels.

The public names are imported when first used, so that ``graphrank --help`` answers at once.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

# Let torch place large tensors on huge pages (Linux): the first touch of fresh memory is a third
# of an epoch otherwise, see docs/performance.md. It has to be said before torch is imported.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

from graphrank.version import __version__

if TYPE_CHECKING:
    from graphrank.data import GraphSet, load
    from graphrank.errors import GraphRankError
    from graphrank.methods.base import Method
    from graphrank.methods.controls import RawFeatures, Smoothing, Untrained
    from graphrank.methods.graphrank import GraphRank
    from graphrank.methods.graphrank_graph import GraphRankGraph
    from graphrank.methods.registry import METHODS, load_model, make_method
    from graphrank.methods.trained import TrainedMethod
    from graphrank.tasks.runner import Experiment, evaluate
    from graphrank.training.loop import Run

__all__ = [
    "METHODS",
    "Experiment",
    "GraphRank",
    "GraphRankError",
    "GraphRankGraph",
    "GraphSet",
    "Method",
    "RawFeatures",
    "Run",
    "Smoothing",
    "TrainedMethod",
    "Untrained",
    "__version__",
    "evaluate",
    "load",
    "load_model",
    "make_method",
]

_HOMES = {
    "graphrank.data": ("GraphSet", "load"),
    "graphrank.errors": ("GraphRankError",),
    "graphrank.methods.base": ("Method",),
    "graphrank.methods.trained": ("TrainedMethod",),
    "graphrank.methods.controls": ("RawFeatures", "Smoothing", "Untrained"),
    "graphrank.methods.graphrank": ("GraphRank",),
    "graphrank.methods.graphrank_graph": ("GraphRankGraph",),
    "graphrank.methods.registry": ("METHODS", "load_model", "make_method"),
    "graphrank.tasks.runner": ("Experiment", "evaluate"),
    "graphrank.training.loop": ("Run",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'graphrank' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    """The public names, for completion."""
    return sorted(__all__)

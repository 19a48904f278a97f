"""GraphRank: embeddings of graphs without labels."""

from graphrank.data import GraphSet, load
from graphrank.errors import GraphRankError
from graphrank.methods.base import Method, TrainedMethod
from graphrank.methods.controls import RawFeatures, Smoothing, Untrained
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.registry import METHODS, load_model, make_method
from graphrank.training.loop import Run
from graphrank.version import __version__

__all__ = [
    "METHODS",
    "GraphRank",
    "GraphRankError",
    "GraphSet",
    "Method",
    "RawFeatures",
    "Run",
    "Smoothing",
    "TrainedMethod",
    "Untrained",
    "__version__",
    "load",
    "load_model",
    "make_method",
]

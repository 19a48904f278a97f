"""All methods by name. A new method adds its one line here; the contract tests find it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrank.errors import ConfigError, unknown_name
from graphrank.methods.appnp import APPNP
from graphrank.methods.base import Method
from graphrank.methods.bgrl import BGRL
from graphrank.methods.bgrl_graph import BGRLGraph
from graphrank.methods.can import CAN
from graphrank.methods.cca_ssg import CCASSG
from graphrank.methods.controls import RawFeatures, Smoothing, Untrained
from graphrank.methods.dgi import DGI
from graphrank.methods.dgk import DGK
from graphrank.methods.diffpool import DiffPool
from graphrank.methods.gat import GAT
from graphrank.methods.gca import GCA
from graphrank.methods.gcc import GCC
from graphrank.methods.gcn import GCN
from graphrank.methods.gin import GIN
from graphrank.methods.grace import Grace
from graphrank.methods.graph2vec import Graph2Vec
from graphrank.methods.graph_controls import DegreeHistogram, LabelHistogram, UntrainedGIN
from graphrank.methods.graphcl import GraphCL
from graphrank.methods.graphmae import GraphMAE
from graphrank.methods.graphmae_graph import GraphMAEGraph
from graphrank.methods.graphrank import GraphRank
from graphrank.methods.graphrank_graph import GraphRankGraph
from graphrank.methods.info import Level
from graphrank.methods.infogcl import InfoGCL
from graphrank.methods.infograph import InfoGraph
from graphrank.methods.joao import JOAO
from graphrank.methods.mvgrl import MVGRL
from graphrank.methods.mvgrl_graph import MVGRLGraph
from graphrank.methods.seegera import SeeGera
from graphrank.methods.sig_vae import SIGVAE
from graphrank.methods.wl import WL
from graphrank.training.checkpoint import read_model

METHODS: dict[str, type[Method[Any]]] = {
    method.info.name: method
    for method in (
        GraphRank,
        Grace,
        GCA,
        DGI,
        MVGRL,
        BGRL,
        CCASSG,
        GraphMAE,
        CAN,
        SIGVAE,
        SeeGera,
        GCN,
        GAT,
        APPNP,
        Smoothing,
        Untrained,
        RawFeatures,
        GraphRankGraph,
        InfoGraph,
        GraphCL,
        JOAO,
        InfoGCL,
        GIN,
        DiffPool,
        WL,
        DGK,
        Graph2Vec,
        GCC,
        MVGRLGraph,
        BGRLGraph,
        GraphMAEGraph,
        UntrainedGIN,
        DegreeHistogram,
        LabelHistogram,
    )
}

CONTROLS = ("smoothing", "untrained", "raw-features")
GRAPH_CONTROLS = ("untrained-gin", "degree-histogram", "label-histogram")


def controls_of(level: Level) -> tuple[str, ...]:
    """The controls that stand beside methods of a level."""
    return GRAPH_CONTROLS if level == "graph" else CONTROLS


def method_class(name: str, level: Level | None = None) -> type[Method[Any]]:
    """The class of a method by its name on the command line.

    Args:
        name: the name, in any case.
        level: what it has to embed. A method for nodes that is one for graphs too has the latter
            under its name and ``-graph``, which may be left out here.

    Example:
        >>> method_class("graphrank", "graph").info.name
        'graphrank-graph'
    """
    key = name.casefold().replace("_", "-")
    if level == "graph" and f"{key}-graph" in METHODS:
        key = f"{key}-graph"
    if key not in METHODS:
        known = [known for known, kind in METHODS.items() if level in (None, kind.info.level)]
        raise ConfigError(unknown_name("method", name, known))
    return METHODS[key]


def make_method(
    name: str,
    preset: str = "default",
    settings: Mapping[str, Any] | None = None,
    *,
    dataset: str | None = None,
    level: Level | None = None,
) -> Method[Any]:
    """A method by name, with a preset and settings on top of it.

    ``make_method("grace", "authors", dataset="cora")`` is GRACE as its authors set it for Cora.
    """
    return method_class(name, level).from_preset(preset, settings, dataset=dataset)


def load_model(path: str | Path) -> Method[Any]:
    """Read a model directory, whatever method wrote it."""
    return method_class(read_model(Path(path)).method).load(path)

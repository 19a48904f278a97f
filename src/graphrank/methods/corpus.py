"""Graphs of several sets in one, to pre-train on: their structure and nothing else."""

from __future__ import annotations

import torch
from torch_geometric.data import Data

from graphrank.data import GraphSet, load
from graphrank.errors import ConfigError
from graphrank.methods.inputs import graph_set


def read_corpus(names: str) -> GraphSet:
    """All graphs of some sets without features, labels and classes, one set after another.

    Args:
        names: names of datasets or paths, joined by commas. One graph counts as a set of one.

    Raises:
        ConfigError: If a name is empty or there twice.
        DataError: If one of them cannot be found or read.
    """
    listed = [name.strip() for name in names.split(",")]
    if "" in listed:
        raise ConfigError(
            f"the corpus {names!r} has an empty name; write names joined by single commas, as in "
            "corpus=imdb-binary,imdb-multi"
        )
    parts: dict[str, GraphSet] = {}
    for name in listed:
        part = _structure_of(load(name, structural_features=False), name)
        if part.name in parts:
            raise ConfigError(f"{part.name} is twice in the corpus; leave out one of them")
        parts[part.name] = part
    return _joined(list(parts.values()))


def structure(graphs: GraphSet) -> GraphSet:
    """The graphs without features and node labels."""
    return GraphSet(graphs.name, graphs.edge_index, graphs.ptr, graph_id=graphs.graph_id)


def _structure_of(loaded: Data | GraphSet, name: str) -> GraphSet:
    """The structure alone: a union of features or classes of several sets would mean nothing."""
    if isinstance(loaded, GraphSet):
        return structure(graph_set(loaded))
    ptr = torch.tensor([0, int(loaded.num_nodes or 0)])
    return GraphSet(loaded.get("name") or name, loaded.edge_index, ptr)


def _joined(parts: list[GraphSet]) -> GraphSet:
    """One set of all graphs, nodes numbered through; ids repeat from set to set and are left out.

    The edges stay sorted, since each part's follow those of the part before.
    """
    start = torch.tensor([0, *(part.num_nodes for part in parts)]).cumsum(0)
    edges = [part.edge_index + low for part, low in zip(parts, start[:-1], strict=True)]
    ends = [part.ptr[1:] + low for part, low in zip(parts, start[:-1], strict=True)]
    name = ",".join(part.name for part in parts)
    return GraphSet(name, torch.cat(edges, dim=1), torch.cat([start[:1], *ends]))

"""Which graph it is: one of the catalogue by its name, any other by its content."""

from __future__ import annotations

from torch_geometric.data import Data

from graphrank.data.catalog import CATALOG
from graphrank.data.fingerprint import fingerprint
from graphrank.data.graphset import GraphSet


def catalog_name(data: Data | GraphSet) -> str | None:
    """The name of a graph or set of the catalog; none for a file that only bears such a name."""
    info = CATALOG.get(getattr(data, "name", None) or "")
    size = len(data) if isinstance(data, GraphSet) else data.num_nodes
    if info is None or (info.size, info.edges) != (size, data.edge_index.size(1)):
        return None
    return info.name


def graph_identity(data: Data | GraphSet) -> dict[str, str]:
    """What tells a graph of the user's own from another of the same name, for result lines.

    Labels and masks count: with more labels, the figures of before are those of another graph.
    """
    if catalog_name(data) is not None:
        return {}
    # Pairs of one kind are no negatives where there are two: figures of another task.
    names = data.get("kind_names") if isinstance(data, Data) else None
    kinds = {} if names is None else {"kinds": ", ".join(names)}
    return {"graph": fingerprint(data, with_labels=True), **kinds}

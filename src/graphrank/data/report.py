"""What loading found and mended, for the log and for the user."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.sparse import csgraph

from graphrank.data.edges import CleanEdges


@dataclass(frozen=True)
class LoadReport:
    """The counts of one graph after loading.

    Attributes:
        nodes: Number of nodes.
        edges: Columns of ``edge_index``: an undirected edge counts twice.
        self_loops_removed: Edges from a node to itself that were removed.
        duplicates_merged: Repeated edges that were merged into the first one.
        zero_weights_removed: Edges of weight zero that were removed.
        isolated: Nodes without any edge; they are kept.
        components: Connected components, directions ignored; an isolated node is one.
        directed: Whether the directions were kept.
        symmetrised: Whether opposite directions had to be added.
        feature_source: ``"given"``, ``"structural"`` or ``"none"``.
    """

    nodes: int
    edges: int
    self_loops_removed: int
    duplicates_merged: int
    zero_weights_removed: int
    isolated: int
    components: int
    directed: bool
    symmetrised: bool
    feature_source: str

    def __str__(self) -> str:
        size = f"{self.nodes:,} nodes, {self.edges:,} edge entries"
        kind = "directed" if self.directed else "undirected"
        mended = [f"{count:,} {what}" for what, count in self._mended().items() if count]
        mended += ["missing opposite directions added"] if self.symmetrised else []
        found = f"{self.components:,} component{'s' * (self.components != 1)}"
        return "; ".join([f"{size}, {kind}, {found}", *mended])

    def _mended(self) -> dict[str, int]:
        """Return what is worth a word when it is not zero."""
        return {
            "isolated nodes kept": self.isolated,
            "self-loops removed": self.self_loops_removed,
            "duplicate edges merged": self.duplicates_merged,
            "edges of weight zero removed": self.zero_weights_removed,
        }


def make_report(edges: CleanEdges, *, directed: bool, feature_source: str) -> LoadReport:
    """Count what is in ``edges``."""
    adjacency = edges.adjacency
    degree = adjacency.count_nonzero(axis=0) + adjacency.count_nonzero(axis=1)
    components, _ = csgraph.connected_components(adjacency, directed=False)
    return LoadReport(
        nodes=adjacency.shape[0],
        edges=int(adjacency.nnz),
        self_loops_removed=edges.self_loops,
        duplicates_merged=edges.duplicates,
        zero_weights_removed=edges.zero_weights,
        isolated=int((degree == 0).sum()),
        components=components,
        directed=directed,
        symmetrised=edges.symmetrised,
        feature_source=feature_source,
    )

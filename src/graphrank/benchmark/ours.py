"""Our own training, one epoch at a time, as the training loop runs it."""

from __future__ import annotations

from torch_geometric.data import Data

from graphrank.methods.graphrank import GraphRank
from graphrank.nn.graph_input import GraphInput


class Ours:
    """GraphRank's epochs without progress, checkpoints or history.

    Args:
        data: the graph.
        method: the configuration.
    """

    def __init__(self, data: Data, method: GraphRank) -> None:
        self.method = method
        self.graph = GraphInput.from_data(data)
        self.module = method.build(data.num_features)
        self.optimizer = method.optimizer(self.module)

    def epoch(self) -> float:
        """One step of training on the whole graph."""
        loss = self.method.training_step(self.module, self.graph)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        return float(loss.detach())

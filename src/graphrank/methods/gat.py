"""GAT: graph attention, trained on the labels of a few nodes.

Reference: Veličković, Cucurull, Casanova, Romero, Liò & Bengio, "Graph Attention Networks", ICLR
2018. Where a convolution weighs neighbours by their degrees, attention learns from the features
how much each of them counts; several heads learn it side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import torch.nn.functional as F
from torch import Tensor, nn

from graphrank.augment.views import View
from graphrank.methods.info import MethodInfo
from graphrank.methods.node_supervised import SupervisedNodeMethod
from graphrank.methods.options import Option
from graphrank.nn.attention import AttentionLayer
from graphrank.nn.dropout import Dropout


class AttentionClassifier(nn.Module):
    """A layer of concatenated heads and one of averaged heads, an ELU between them.

    Args:
        num_features: number of feature columns.
        channels: width of the hidden layer, all heads together.
        num_classes: number of class scores.
        heads: heads of the hidden layer; must divide ``channels``.
        output_heads: heads of the output layer, averaged.
        dropout: chance of a hidden activation to be dropped in training.
        attention_dropout: chance of an attention weight to be dropped in training.
    """

    def __init__(
        self,
        num_features: int,
        channels: int,
        num_classes: int,
        heads: int,
        output_heads: int,
        dropout: float,
        attention_dropout: float,
    ) -> None:
        super().__init__()
        self.hidden = AttentionLayer(num_features, channels, heads, dropout=attention_dropout)
        self.output = AttentionLayer(
            channels, num_classes, output_heads, dropout=attention_dropout, average=True
        )
        self.dropout = Dropout(dropout)

    def forward(self, view: View) -> Tensor:
        """Class scores, ``[nodes, classes]``."""
        hidden = F.elu(self.hidden(view, view.project(self.hidden.weight)))
        scores: Tensor = self.output(view, self.dropout(hidden) @ self.output.weight)
        return scores


@dataclass(kw_only=True, eq=False, repr=False)
class GAT(SupervisedNodeMethod):
    """Classes of nodes by graph attention, in time linear in nodes and edges.

    Edge weights are not looked at: attention finds its own.
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="gat",
        title="GAT",
        level="node",
        family="supervised",
        paper="Veličković et al., Graph Attention Networks, ICLR 2018",
        time="O((N+E)d)",
        memory="O(Nd+Eh), h heads",
    )

    channels: Annotated[int, Option("width of the hidden layer, all heads together", low=1)] = 64
    heads: Annotated[int, Option("heads of the hidden layer; divide `channels`", low=1)] = 8
    output_heads: Annotated[int, Option("heads of the output layer, averaged", low=1)] = 1
    dropout: Annotated[
        float, Option("dropout on features and hidden activations", low=0, below=1)
    ] = 0.6
    attention_dropout: Annotated[float, Option("dropout on attention", low=0, below=1)] = 0.6
    epochs: Annotated[int, Option("passes over the graph, at most", low=0)] = 100_000
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 5e-3
    weight_decay: Annotated[float, Option("L2 penalty on the weights", low=0)] = 5e-4

    def network(self, num_features: int, num_classes: int) -> nn.Module:
        """Two layers of attention."""
        return AttentionClassifier(
            num_features,
            self.channels,
            num_classes,
            self.heads,
            self.output_heads,
            self.dropout,
            self.attention_dropout,
        )

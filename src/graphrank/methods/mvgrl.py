"""MVGRL: nodes seen along the edges and graphs seen through a diffusion, and the other way round.

Reference: Hassani & Khasahmadi, "Contrastive Multi-View Representation Learning on Graphs",
ICML 2020.

Two encoders see the same features over two structures: the adjacency matrix and its diffusion. A
node of one should go with the summary of the other, and a node with shuffled features should not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import torch
from torch import Tensor, nn

from graphrank.augment.windows import window_view
from graphrank.methods.info import MethodInfo
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.diffusion import Diffusion, DiffusionName
from graphrank.nn.encoders import GCNEncoder
from graphrank.nn.graph_input import GraphInput
from graphrank.nn.mutual_information import BilinearCritic, discrimination_loss, summarize
from graphrank.nn.propagation import Propagation


class MVGRLModule(nn.Module):
    """One graph convolution with PReLU for each structure, and the critic that they share.

    Args:
        num_features: number of feature columns.
        channels: width of the embedding.
    """

    def __init__(self, num_features: int, channels: int) -> None:
        super().__init__()
        self.over_edges = self._convolution(num_features, channels)
        self.over_diffusion = self._convolution(num_features, channels)
        self.critic = BilinearCritic(channels)

    @staticmethod
    def _convolution(num_features: int, channels: int) -> GCNEncoder:
        return GCNEncoder(
            num_features, channels, channels, num_layers=1, act="prelu", last_act=True
        )


@dataclass(kw_only=True, eq=False, repr=False)
class MVGRL(TrainedMethod[MVGRLModule]):
    """Embeddings on which edges and diffusion agree.

    Example:
        >>> MVGRL(channels=8, epochs=2).fit_transform("karate").shape
        torch.Size([34, 8])
    """

    info: ClassVar[MethodInfo] = MethodInfo(
        name="mvgrl",
        title="MVGRL",
        level="node",
        family="contrastive",
        paper="Hassani & Khasahmadi, Contrastive Multi-View Representation Learning, ICML 2020",
        time="O(N²d) dense, O(Nkd) top-k",
        memory="O(N²) dense, O(N(k+d)) top-k",
        draws_epochs=True,
    )

    channels: Annotated[int, Option("width of the embedding", low=1)] = 512
    diffusion: Annotated[DiffusionName, Option("personalised PageRank or the heat kernel")] = "ppr"
    teleport: Annotated[
        float, Option("chance of a `ppr` walk to end at each step", low=0.01, below=1)
    ] = 0.2
    heat_time: Annotated[float, Option("mean steps of a `heat` walk", low=0, high=100)] = 5.0
    dense_limit: Annotated[
        int, Option("most nodes of a graph whose whole diffusion matrix is kept", low=0)
    ] = 5000
    top_k: Annotated[int, Option("entries of each row kept for a larger graph", low=1)] = 64
    floor: Annotated[
        float,
        Option(
            "entries of the diffusion below it are left out, and the largest of each column made "
            "one; 0 for the diffusion as it is",
            low=0,
            below=1,
            before=0,
        ),
    ] = 0.0
    sample: Annotated[
        int, Option("consecutive nodes of a sub-graph to train on; 0 for the whole graph", low=0)
    ] = 2000
    subgraphs: Annotated[int, Option("sub-graphs in one step", low=1)] = 4
    epochs: Annotated[int, Option("most steps of training", low=0)] = 3000
    stop: Annotated[
        Literal["none", "plateau", "best"],
        Option("best: when `patience` epochs bring no smaller loss, at the weights of the least"),
    ] = "best"

    def build(self, num_features: int) -> MVGRLModule:
        """Two encoders and one critic."""
        return MVGRLModule(num_features, self.channels)

    def training_step(self, module: MVGRLModule, graph: GraphInput) -> Tensor:
        """The critic's cross-entropy on nodes of each structure against the other's summary."""
        starts, size = self._windows(graph.num_nodes)
        places = torch.arange(size, device=graph.device)
        shuffled = torch.randperm(size, device=graph.device)
        near, far = self._encoded(module, graph, starts, torch.stack([places, shuffled]))
        (near_real, near_fake), (far_real, far_fake) = near.unbind(1), far.unbind(1)
        of_near, of_far = summarize(near_real), summarize(far_real)
        critic = module.critic
        return (
            discrimination_loss(critic(far_real, of_near), critic(far_fake, of_near))
            + discrimination_loss(critic(near_real, of_far), critic(near_fake, of_far))
        ) / 2

    def encode(self, module: MVGRLModule, graph: GraphInput) -> Tensor:
        """The sum of both embeddings of the whole clean graph, ``[nodes, channels]``."""
        places = torch.arange(graph.num_nodes, device=graph.device)
        near, far = self._encoded(module, graph, [0], places.unsqueeze(0))
        return (near + far)[0, 0]

    def _encoded(
        self, module: MVGRLModule, graph: GraphInput, starts: list[int], orders: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Windows over the edges and over the diffusion, ``[windows, copies, size, channels]``."""
        diffusion = Diffusion(
            self.diffusion, self.teleport, self.heat_time, self.dense_limit, self.top_k, self.floor
        )
        shape = (len(starts), *orders.shape, self.channels)
        over_edges = window_view(graph, Propagation.of_adjacency(graph), starts, orders)
        over_diffusion = window_view(graph, diffusion.matrix(graph), starts, orders)
        near: Tensor = module.over_edges(over_edges)
        far: Tensor = module.over_diffusion(over_diffusion)
        return near.view(shape), far.view(shape)

    def _windows(self, num_nodes: int) -> tuple[list[int], int]:
        """First nodes of this step's sub-graphs, and their size; one if it holds all nodes."""
        if self.sample == 0 or num_nodes <= self.sample:
            return [0], num_nodes
        starts = torch.randint(num_nodes - self.sample + 1, (self.subgraphs,))
        return starts.tolist(), self.sample

"""The options of GraphRank with their defaults, which are one configuration for all graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from graphrank.methods.feature_scaling import FeatureScaling
from graphrank.methods.graphrank_module import GraphRankModule
from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.encoders import ActivationName, EncoderName, NormName
from graphrank.nn.similarity import SimilarityName


@dataclass(kw_only=True, eq=False, repr=False)
class GraphRankOptions(TrainedMethod[GraphRankModule]):
    """What can be set of GraphRank: its encoder, its views, its ranks and its readout."""

    scale_features: FeatureScaling = "auto-words"
    encoder: Annotated[EncoderName, Option("linear, GCN, or GAT (ignores edge weights)")] = "linear"
    channels: Annotated[
        int, Option("width of the encoder, and of each part of the readout", low=1)
    ] = 512
    num_layers: Annotated[int, Option("layers of the encoder, or hops of `linear`", low=1)] = 2
    init: Annotated[
        Literal["random", "svd"],
        Option("first weights of `linear`: random, within the features' leading subspace or not"),
    ] = "svd"
    heads: Annotated[int, Option("attention heads of `gat`", low=1)] = 4
    act: Annotated[ActivationName, Option("activation between layers")] = "relu"
    norm: Annotated[NormName, Option("normalisation between layers")] = "none"
    dropout: Annotated[float, Option("dropout between layers", low=0, below=1)] = 0.0
    residual: Annotated[
        bool, Option("add its input to each layer's output, in `gcn` and `gat`", before=False)
    ] = False
    projector: Annotated[int, Option("width of an MLP before the loss; 0 for none", low=0)] = 0

    edge_drop_1: Annotated[float, Option("edges dropped in view 1", low=0, below=1)] = 0.2
    edge_drop_2: Annotated[float, Option("edges dropped in view 2", low=0, below=1)] = 0.3
    feature_mask_1: Annotated[float, Option("columns masked in view 1", low=0, below=1)] = 0.2
    feature_mask_2: Annotated[float, Option("columns masked in view 2", low=0, below=1)] = 0.4
    node_mask_1: Annotated[float, Option("nodes masked in view 1", low=0, below=1)] = 0.0
    node_mask_2: Annotated[float, Option("nodes masked in view 2", low=0, below=1)] = 0.0
    pairwise_drop: Annotated[
        bool, Option("drop both directions of an edge together (the paper: each for itself)")
    ] = True

    similarity: Annotated[SimilarityName, Option("what the ranks compare")] = "cosine"
    standardize: Annotated[bool, Option("z-score every column before the loss")] = True
    margin: Annotated[float, Option("how much nearer the node itself must be", low=0)] = 1.0
    negatives: Annotated[int, Option("random nodes to rank `linear` against", low=1)] = 1
    neighbor_weight: Annotated[
        float, Option("weight of a second rank level: a neighbour over a random node", low=0)
    ] = 0.5
    neighbor_margin: Annotated[float, Option("margin of that level", low=0)] = 0.5
    two_hop_weight: Annotated[
        float, Option("weight of a third: a neighbour's neighbour over a random node", low=0)
    ] = 0.0
    two_hop_margin: Annotated[float, Option("margin of that level", low=0)] = 0.25
    chain: Annotated[
        bool, Option("each level over the next, only the last over random nodes", before=False)
    ] = False
    softness: Annotated[
        float, Option("width of a smooth ranking (softplus) at the margins; 0: the hinge", low=0)
    ] = 0.0
    margin_rise: Annotated[
        float, Option("share of the epochs in which margins grow from 0; 0: none", low=0, high=1)
    ] = 0.0
    hardest: Annotated[bool, Option("count only the most similar negative of a node")] = False

    mlp: Annotated[
        int,
        Option(
            "width of an MLP beside `linear`, for features of the node, of its neighbours and of "
            "its wider surroundings; part of the readout `diffusion`, 0 for none",
            low=0,
            before=0,
        ),
    ] = 256
    mlp_hidden: Annotated[int, Option("width of its first layer", low=1)] = 1024
    mlp_features: Annotated[int, Option("singular vectors that it sees features in", low=1)] = 256
    mlp_mask: Annotated[float, Option("columns masked in each of its views", low=0, below=1)] = 0.3
    mlp_dropout: Annotated[float, Option("dropout after its layers", low=0, below=1)] = 0.3
    mlp_batch: Annotated[int, Option("nodes that it ranks against each other", low=2)] = 512
    mlp_steps: Annotated[int, Option("its batches in an epoch", low=1)] = 5
    own_mlp: Annotated[
        int,
        Option(
            "width of a second MLP, else like `mlp`, that sees the node's own features and ranks "
            "its neighbours; part of the readout `diffusion` over two hops, 0 for none",
            low=0,
            before=0,
        ),
    ] = 0
    own_mlp_steps: Annotated[int, Option("its batches in an epoch", low=1)] = 20

    structure: Annotated[
        int,
        Option("who the neighbours are: directions of the adjacency matrix", low=0, before=0),
    ] = 256
    readout: Annotated[
        Literal["last", "hops", "diffusion"],
        Option(
            "of `linear`: the last hop; all hops; or hop 0 and diffusion, beside `structure`, the "
            "neighbours' SVD and the MLP's three views, or beside hop 1 where there is no MLP"
        ),
    ] = "diffusion"
    hop_weight: Annotated[
        float, Option("weight of what is near in `hops` and `diffusion`", low=0, high=1)
    ] = 0.35
    wide_view: Annotated[
        float,
        Option("weight of `diffusion` two hops wider, where features are noisy", low=0, high=1),
    ] = 0.5
    own_words: Annotated[
        float,
        Option("weight of a node's own words, where words are weighed", low=0, high=1, before=0),
    ] = 0.5
    teleport: Annotated[
        float, Option("chance of a `diffusion` walk to end at each step", low=0.01, below=1)
    ] = 0.15

    dimensions: Annotated[
        int, Option("keep so many leading directions of the readout; 0: all of it", low=0)
    ] = 0

    epochs: Annotated[int, Option("passes over the graph", low=0)] = 32
    learning_rate: Annotated[float, Option("step size of Adam", low=0)] = 2.5e-3

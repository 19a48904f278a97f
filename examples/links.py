"""Who will be friends next? The best new pairs of the karate club, and how well that works."""

import torch

from graphrank import Experiment, GraphRank, evaluate, load
from graphrank.tasks.link_scores import SeenGraph, make_scorer
from graphrank.tasks.links import top_links

data = load("karate")
model = GraphRank(seed=0, channels=16, mlp=16, mlp_hidden=32, epochs=20)
z = model.fit_transform(data)

scorer = make_scorer("degree-cosine", z, SeenGraph(data.edge_index, data.num_nodes))
members = torch.tensor([0, 33])  # the instructor and the president
found = top_links(scorer, members, k=3, exclude=data.edge_index)
for node, partner, score, rank in zip(*found.rows(), strict=True):
    print(f"{node:2} and {partner:2}: rank {rank}, score {score:.2f}")

# Is it any good? Hide a tenth of the edges, and see whether they come before random pairs.
experiment = Experiment(
    task="link-prediction",
    methods=("graphrank", "smoothing"),
    seeds=(0, 1),
    settings={"epochs": 20, "channels": 64, "mlp": 64, "mlp_hidden": 128, "mlp_steps": 5},
)
for result in evaluate(load("sbm:nodes=300,classes=4"), experiment):
    print(f"{result.method:10} AUC {result.mean('auc'):.1f} ± {result.std('auc'):.1f} %")

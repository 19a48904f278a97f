"""What should a user see next? Items for users, from who bought what, and how well that works."""

import numpy as np
import pandas as pd
import torch

from graphrank import Experiment, GraphRank, evaluate, load
from graphrank.data import ColumnNames, node_ids
from graphrank.tasks.link_scores import SeenGraph, make_scorer
from graphrank.tasks.links import top_links

# Users and items of three tastes; everybody mostly buys what is to their taste.
random = np.random.default_rng(0)
taste_of_user, taste_of_item = random.integers(0, 3, 90), random.integers(0, 3, 60)
to_taste = taste_of_user[:, None] == taste_of_item
bought = random.random((90, 60)) < np.where(to_taste, 0.25, 0.02)
purchases = pd.DataFrame(np.argwhere(bought), columns=["user", "item"])

# User 7 and item 7 are two nodes, called user:7 and item:7.
data = load(purchases, columns=ColumnNames(bipartite=True))
names = node_ids(data)
small = {"epochs": 20, "channels": 32, "mlp": 32, "mlp_hidden": 64, "mlp_steps": 2}
z = GraphRank(seed=0, **small).fit_transform(data)

scorer = make_scorer("cosine", z, SeenGraph(data.edge_index, data.num_nodes))
found = top_links(scorer, torch.tensor([0]), 5, data.edge_index, kind=data.node_kind)
for user, item, score, rank in zip(*found.rows(), strict=True):
    print(f"{names[user]} might like {names[item]}: rank {rank}, score {score:.2f}")

# Is it any good? Hide a tenth of the purchases; they are compared with pairs of a user and an item.
experiment = Experiment(
    task="link-prediction",
    methods=("graphrank", "smoothing", "raw-features"),
    seeds=(0, 1),
    settings=small,
)
for result in evaluate(data, experiment):
    print(f"{result.method:12} AUC {result.mean('auc'):.1f} ± {result.std('auc'):.1f} %")

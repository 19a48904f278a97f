"""Classes for all nodes from a few labels each, and how far to trust them."""

import torch

from graphrank import GraphRank, load
from graphrank.tasks.few_labels import predict_classes

data = load("digits")
model = GraphRank(seed=0, channels=64, mlp=64, mlp_hidden=128, mlp_steps=5, epochs=20)
z = model.fit_transform(data)  # never looks at labels

known = torch.full_like(data.y, -1)  # -1: no label
some = torch.randperm(len(known), generator=torch.Generator().manual_seed(0))[:100]
known[some] = data.y[some]
found = predict_classes(z, known)

rest = known < 0
right = (found.label[rest] == data.y[rest]).float().mean()
print(f"{(~rest).sum()} labels, {found.accuracy:.1%} of them right when held out")
print(f"{rest.sum()} nodes without one: {right:.1%} right")
unsure = found.probability.amax(dim=1).argsort()[:5].tolist()
print("look at these yourself:", unsure)

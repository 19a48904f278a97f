"""Train on your own tables, keep the model, embed a graph with nodes that it has not seen."""

import tempfile
from pathlib import Path

import pandas as pd

from graphrank import GraphRank, load, load_model
from graphrank.data import node_ids

folder = Path(tempfile.mkdtemp())
people = [f"p{i}" for i in range(60)]
pd.DataFrame({"source": people, "target": people[1:] + people[:1]}).to_csv(
    folder / "edges.csv", index=False
)
pd.DataFrame({"id": people, "age": range(60), "team": [i % 3 for i in range(60)]}).to_csv(
    folder / "nodes.csv", index=False
)

data = load(folder / "edges.csv", features=folder / "nodes.csv")
GraphRank(seed=0, channels=16, mlp_steps=5, epochs=20).fit(data).save(folder / "model")

newcomers = pd.DataFrame({"id": ["q0", "q1"], "age": [30, 31], "team": [0, 1]})
newcomers.to_csv(folder / "nodes2.csv", index=False)
pd.DataFrame({"source": ["q0"], "target": ["q1"]}).to_csv(folder / "edges2.csv", index=False)
unseen = load(folder / "edges2.csv", features=folder / "nodes2.csv")
z = load_model(folder / "model").transform(unseen)
for name, row in zip(node_ids(unseen), z, strict=True):
    print(name, [round(value, 3) for value in row[:4].tolist()])

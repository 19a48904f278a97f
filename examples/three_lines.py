"""Embed a graph in three lines."""

from graphrank import GraphRank

model = GraphRank(seed=0).fit("karate")
z = model.transform("karate")
print(f"{z.shape[0]} nodes, {z.shape[1]} numbers each")

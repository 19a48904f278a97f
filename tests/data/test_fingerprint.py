from dataclasses import replace

import torch
from torch_geometric.data import Data

from graphrank.data import GraphSet, fingerprint


def graph(**change):
    edges = torch.tensor([[0, 1], [1, 0]])
    return Data(**({"x": torch.eye(2), "edge_index": edges, "y": torch.zeros(2)} | change))


def test_content_decides():
    base = fingerprint(graph())
    assert len(base) == 64
    assert base == fingerprint(graph())
    assert base == fingerprint(graph(y=torch.ones(2), name="other"))
    changes = (
        {"x": torch.eye(2) * 2},
        {"x": torch.eye(2).reshape(1, 4)},
        {"x": None},
        {"edge_index": torch.tensor([[0], [1]])},
        {"edge_weight": torch.ones(2)},
        {"x": torch.eye(2).to_sparse_csr()},
        {"x": (torch.eye(2) * 2).to_sparse_csr()},
    )
    prints = [fingerprint(graph(**change)) for change in changes]
    assert len({base, *prints}) == len(prints) + 1


def test_memory_layout_does_not_matter():
    x = torch.arange(6.0).reshape(2, 3)
    assert fingerprint(graph(x=x)) == fingerprint(graph(x=x.T.contiguous().T))


def test_sets_of_graphs():
    edges, labels = torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]), torch.tensor([0, 1, 0, 1])
    base = GraphSet("a", edges, torch.tensor([0, 2, 4]), node_label=labels, y=torch.tensor([0, 1]))
    assert fingerprint(base) == fingerprint(replace(base, name="b", y=None, graph_id=["x", "y"]))
    changes = (
        {"ptr": torch.tensor([0, 4])},
        {"node_label": labels.flip(0)},
        {"label_names": ["C", "N"]},
        {"x": torch.eye(4)},
    )
    prints = [fingerprint(replace(base, **{"graph_id": (), **change})) for change in changes]
    assert len({fingerprint(base), *prints}) == len(prints) + 1

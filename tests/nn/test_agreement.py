import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cosine_similarity

from graphrank.nn.adjacency import Adjacency
from graphrank.nn.agreement import neighborhood_agreement


def ring(size, both=True):
    nodes = torch.arange(size)
    edges = torch.stack([nodes, (nodes + 1) % size])
    return torch.cat([edges, edges.flip(0)], dim=1) if both else edges


def exact_agreement(edge_index, rows):
    """Every node against every other neighbourhood, by loops."""
    sums = torch.zeros_like(rows)
    for source, target in edge_index.T.tolist():
        sums[target] += rows[source]
    joined = [node for node in range(len(rows)) if sums[node].abs().sum() > 0]
    wins, pairs = 0.0, 0
    for node in joined:
        own = cosine_similarity(rows[node], sums[node], dim=0)
        for other in joined:
            if other != node:
                to_other = cosine_similarity(rows[node], sums[other], dim=0)
                wins += 1.0 if own > to_other else 0.5 * float(own == to_other)
                pairs += 1
    return wins / pairs


@given(st.integers(0, 1000), st.booleans())
def test_it_is_the_share_of_neighbourhoods_that_are_farther_up_to_the_draw(seed, both):
    generator = torch.Generator().manual_seed(seed)
    edges, rows = ring(60, both), torch.randn(60, 3, generator=generator)
    torch.manual_seed(seed)
    found = neighborhood_agreement(Adjacency(edges, 60), rows)
    # 480 draws: their mean deviates by at most 0.023.
    assert found == pytest.approx(exact_agreement(edges, rows), abs=0.12)


def test_features_that_say_all_and_features_that_say_nothing():
    angle = torch.arange(40) * (2 * torch.pi / 40)
    circle = torch.stack([angle.cos(), angle.sin()], dim=1)
    assert neighborhood_agreement(Adjacency(ring(40), 40), circle) == 1.0
    alike = neighborhood_agreement(Adjacency(ring(40), 40), torch.ones(40, 2))
    assert alike == pytest.approx(0.5)
    turned = circle * torch.tensor([1.0, -1.0]).repeat(20).unsqueeze(1)
    assert neighborhood_agreement(Adjacency(ring(40), 40), turned) < 0.1


def test_weights_count_and_nodes_without_neighbours_do_not():
    edges = torch.tensor([[0, 1, 2, 3, 0, 2], [1, 0, 3, 2, 2, 0]])
    rows = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [5.0, 5.0]])
    alike, unlike = (
        [neighborhood_agreement(Adjacency(edges, 5, torch.tensor(weight)), rows) for _ in range(20)]
        for weight in ([1.0] * 4 + [1e-6] * 2, [1e-6] * 4 + [1.0] * 2)
    )
    # Four nodes: what the others are is drawn, so a single look is far from the mean.
    assert sum(alike) / 20 > 0.75 and sum(unlike) / 20 < 0.65


def test_without_edges_there_is_nothing_to_disagree_with():
    empty = torch.empty(2, 0, dtype=torch.long)
    assert neighborhood_agreement(Adjacency(empty, 3), torch.ones(3, 2)) == 1.0

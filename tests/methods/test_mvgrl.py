import math

import pytest
import torch

from graphrank import load_model
from graphrank.methods.mvgrl import MVGRL
from tests.conftest import toy_graph
from tests.methods.discrimination import decided, embedded, entropies
from tests.methods.training_steps import gradients_are_right
from tests.nn.reference import dense_adjacency, dense_normalized, make_graph
from tests.nn.test_diffusion import reference


def module_of(method, features, seed=0):
    torch.manual_seed(seed)
    return decided(method.build(features), "over_edges", "over_diffusion")


@pytest.mark.parametrize("kind", ["ppr", "heat"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("sample", [0, 5, 8, 50])
def test_training_step_equals_the_formula(kind, directed, sample):
    edge_index, weight, x, graph = make_graph(nodes=12, directed=directed, weighted=True)
    method = MVGRL(channels=4, diffusion=kind, teleport=0.3, heat_time=2.0, sample=sample)
    module = module_of(method, 6)
    torch.manual_seed(7)
    starts, size = [0], 12
    if 0 < sample < 12:
        starts, size = torch.randint(12 - sample + 1, (4,)).tolist(), sample
    order = torch.randperm(size)
    adjacency = dense_normalized(dense_adjacency(edge_index, 12, weight))
    diffusion = reference(kind, edge_index, 12, weight, teleport=0.3, time=2.0)
    expected = []
    for start in starts:
        part = slice(start, start + size)
        near, near_fake, far, far_fake = (
            embedded(encoder, matrix[part, part], features)
            for encoder, matrix in (
                (module.over_edges, adjacency),
                (module.over_diffusion, diffusion),
            )
            for features in (x[part], x[part][order])
        )
        expected += entropies(module.critic, far, far_fake, near)
        expected += entropies(module.critic, near, near_fake, far)
    torch.manual_seed(7)
    found = float(method.training_step(module, graph).detach())
    assert found == pytest.approx(sum(expected) / len(expected), rel=1e-9)


@pytest.mark.parametrize("kind", ["ppr", "heat"])
def test_the_embedding_is_the_sum_of_both_over_the_whole_graph(kind):
    edge_index, weight, x, graph = make_graph(nodes=12, weighted=True)
    method = MVGRL(channels=4, diffusion=kind, sample=5)
    module = module_of(method, 6)
    adjacency = dense_normalized(dense_adjacency(edge_index, 12, weight))
    expected = embedded(module.over_edges, adjacency, x) + embedded(
        module.over_diffusion, reference(kind, edge_index, 12, weight), x
    )
    torch.testing.assert_close(method.encode(module, graph).detach(), expected)


@pytest.mark.parametrize("sample", [0, 4])
def test_gradcheck(sample):
    _, _, _, graph = make_graph(nodes=6, features=3, directed=True)
    method = MVGRL(channels=2, sample=sample, subgraphs=2)
    assert gradients_are_right(method, module_of(method, 3), graph)


def test_windows_lie_within_the_graph_and_reach_both_ends():
    torch.manual_seed(0)
    method = MVGRL(sample=7, subgraphs=3)
    starts = []
    for _ in range(50):
        drawn, size = method._windows(10)
        assert size == 7 and len(drawn) == 3
        starts += drawn
    assert set(starts) == {0, 1, 2, 3}
    assert method._windows(7) == ([0], 7) == method._windows(7)
    assert MVGRL(sample=0)._windows(10) == ([0], 10)


def test_all_entries_kept_sparsely_give_the_dense_embedding(toy):
    settings = {"channels": 8, "epochs": 5, "sample": 20}
    dense = MVGRL(**settings).fit(toy).embedding_
    sparse = MVGRL(**settings, dense_limit=0, top_k=100).fit(toy).embedding_
    torch.testing.assert_close(sparse, dense, rtol=1e-3, atol=1e-3)
    fewer = MVGRL(**settings, dense_limit=0, top_k=2).fit(toy).embedding_
    assert not torch.allclose(fewer, dense, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("dense_limit", [0, 5000])
def test_a_loaded_model_diffuses_over_the_graph_it_is_given(toy, tmp_path, dense_limit):
    model = MVGRL(channels=8, epochs=3, dense_limit=dense_limit).fit(toy)
    model.save(tmp_path / "model")
    other = toy_graph(seed=4, size=15)
    found = load_model(tmp_path / "model").transform(other)
    assert torch.equal(found, model.transform(other))
    module, x = model.module_.double(), other.x.double()
    if model.scaling_ is not None:
        x = model.scaling_.apply(other.x).double()
    adjacency = dense_adjacency(other.edge_index, other.num_nodes)
    diffusion = reference("ppr", other.edge_index, other.num_nodes)
    near = embedded(module.over_edges, dense_normalized(adjacency), x)
    far = embedded(module.over_diffusion, diffusion, x)
    torch.testing.assert_close(found.double(), near + far, rtol=1e-4, atol=1e-4)


def test_it_learns_to_tell_real_from_shuffled(toy):
    history = MVGRL(channels=16, epochs=60, learning_rate=0.01).fit(toy).history_
    assert history.loss[0] == pytest.approx(math.log(2), abs=0.02)
    assert min(history.loss) < 0.8 * math.log(2)


def test_overlapping_windows_repeat_to_the_bit_with_two_threads(two_threads):
    _, _, _, graph = make_graph(nodes=400, features=40, share=0.02)
    method = MVGRL(channels=64, sample=300, dense_limit=0, top_k=8)
    module = module_of(method, 40)

    def gradients():
        torch.manual_seed(0)
        loss = method.training_step(module, graph)
        return torch.autograd.grad(loss, list(module.parameters()))

    first = gradients()
    for _ in range(3):
        assert all(torch.equal(a, b) for a, b in zip(gradients(), first, strict=True))

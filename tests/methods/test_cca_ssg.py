import pytest
import torch

import graphrank.methods.cca_ssg as source
from graphrank.methods.cca_ssg import CCASSG
from tests.methods.training_steps import fit_quietly, record_views
from tests.nn.reference import make_graph
from tests.nn.test_decorrelation import by_loops
from tests.nn.test_encoders import dense_gcn, dense_view
from tests.nn.test_mlp_encoder import dense_mlp

SMALL = {"hidden_channels": 12, "channels": 8, "epochs": 3}


def fit(data, **settings):
    return fit_quietly(CCASSG(**{**SMALL, **settings}), data)


@pytest.fixture
def views(monkeypatch):
    """The views that a training step draws."""
    return record_views(monkeypatch, source)


@pytest.mark.parametrize("encoder", ["gcn", "mlp"])
@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_training_step_equals_the_plain_dense_computation(encoder, num_layers, views):
    torch.manual_seed(1)
    settings = {"edge_drop": 0.4, "feature_mask": 0.2, "decorrelation": 0.05}
    method = CCASSG(**{**SMALL, **settings}, encoder=encoder, num_layers=num_layers)
    net = method.build(6).double()
    _, _, _, graph = make_graph(10, seed=8)
    loss = method.training_step(net, graph)
    dense = [dense_view(graph, view) for view in views]
    plain = [dense_gcn(net, *d) if encoder == "gcn" else dense_mlp(net, d[0]) for d in dense]
    assert float(loss) == pytest.approx(by_loops(*plain, 0.05))


def test_two_views_of_equal_rates_each_direction_of_an_edge_for_itself(views):
    method = CCASSG(**SMALL, edge_drop=0.5, feature_mask=0.5)
    _, _, _, graph = make_graph(30, features=40, seed=8)
    method.training_step(method.build(40).double(), graph)
    first, second = views
    assert not first.symmetric and not second.symmetric
    for one, other in (
        (first.edge_kept, second.edge_kept),
        (first.column_kept, second.column_kept),
    ):
        assert 0.3 < float(one.mean()) < 0.8 and not torch.equal(one, other)


def test_the_embedding_is_the_encoders_output_as_it_is(toy):
    model = fit(toy, scale_features="none")
    _, _, _, graph = make_graph(10, features=16, seed=3)
    net = model.module_.double()
    expected = dense_gcn(net, *dense_view(graph, source.clean_view(graph)))
    torch.testing.assert_close(model.encode(net, graph), expected)


def test_a_last_bias_that_the_loss_cannot_see_is_left_alone(toy):
    biases = fit(toy, learning_rate=0.05).module_.biases
    assert biases[0].abs().max() > 0 and biases[1].eq(0).all()
    assert biases[0].requires_grad and not biases[1].requires_grad


@pytest.mark.parametrize("encoder", ["gcn", "mlp"])
def test_the_order_of_nodes_does_not_matter(encoder, toy):
    """Without random views training is a function of the graph, whatever its nodes' order."""
    still = {"encoder": encoder, "edge_drop": 0.0, "feature_mask": 0.0, "epochs": 5}
    expected = fit(toy, **still).embedding_
    order = torch.randperm(toy.num_nodes, generator=torch.Generator().manual_seed(0))
    toy.x, toy.edge_index = toy.x[order], order.argsort()[toy.edge_index]
    torch.testing.assert_close(fit(toy, **still).embedding_, expected[order], rtol=1e-3, atol=1e-4)


def test_an_mlp_does_not_see_edges(toy):
    expected = fit(toy, encoder="mlp", epochs=5).embedding_
    toy.edge_index = toy.edge_index[:, :6]
    assert torch.equal(fit(toy, encoder="mlp", epochs=5).embedding_, expected)
    assert torch.equal(fit(toy, encoder="mlp", epochs=5, edge_drop=0.0).embedding_, expected)


@pytest.mark.parametrize("encoder", ["gcn", "mlp"])
def test_the_loss_falls(encoder, toy):
    losses = fit(toy, encoder=encoder, epochs=40, learning_rate=0.01).history_.loss
    assert sum(losses[-5:]) < sum(losses[:5]) < 0


def test_decorrelation_keeps_columns_apart(toy):
    def redundancy(weight):
        model = fit(toy, epochs=60, learning_rate=0.01, decorrelation=weight)
        correlation = torch.corrcoef(model.embedding_.T)
        return float((correlation - torch.eye(8)).square().sum())

    assert redundancy(1.0) < 0.5 * redundancy(0.0)


EFFECTS = {
    "encoder": "mlp",
    "hidden_channels": 9,
    "channels": 5,
    "num_layers": 3,
    "edge_drop": 0.8,
    "feature_mask": 0.7,
    "decorrelation": 5.0,
    "epochs": 5,
    "learning_rate": 0.05,
    "weight_decay": 0.1,
    "scale_features": "standard",
}


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option, toy):
    base = fit(toy).embedding_
    changed = fit(toy, **{option: EFFECTS[option]}).embedding_
    assert base.shape != changed.shape or not torch.allclose(base, changed)


@pytest.mark.real_data
def test_cora_beats_the_untrained_encoder(data_root):
    from graphrank import Experiment, evaluate, load

    data = load("cora", data_root=data_root)
    settings = {"hidden_channels": 128, "channels": 128}
    trained, untrained = (
        evaluate(
            data,
            Experiment(methods=("cca-ssg",), seeds=(0,), settings={**settings, "epochs": epochs}),
            progress=False,
        )[0].mean("accuracy")
        for epochs in (30, 0)
    )
    assert trained > untrained + 2

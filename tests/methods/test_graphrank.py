import warnings

import pytest
import torch
from torch import nn
from torch_geometric.data import Data

import graphrank.methods.graphrank as module
from graphrank import GraphRank, load
from graphrank.errors import ConfigError
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.hop_mlp import NodesAlone, SomeNodes
from graphrank.nn.structure import neighbor_coordinates
from graphrank.training.collapse import CollapseWarning, mean_similarity
from tests.methods.older_models import saved_before
from tests.methods.training_steps import gradients_are_right
from tests.nn.reference import make_graph
from tests.nn.test_encoders import dense_gat, dense_gcn, dense_linear, dense_view

DENSE = {"linear": dense_linear, "gcn": dense_gcn, "gat": dense_gat}


@pytest.fixture
def drawn(monkeypatch):
    """What a training step draws at random: two views, negatives, neighbours."""
    record = {"corrupt": [], "random_negatives": [], "random_neighbor": []}

    def spy(owner, name):
        real = getattr(owner, name)

        def recorded(*args, **kwargs):
            record[name].append(real(*args, **kwargs))
            return record[name][-1]

        monkeypatch.setattr(owner, name, recorded)

    spy(module, "corrupt")
    spy(module, "random_negatives")
    spy(Adjacency, "random_neighbor")
    return record


def plain_loss(method, net, graph, drawn):
    """Algorithm 1 with dense matrices and loops over nodes and negatives."""
    embeddings = []
    for view in drawn["corrupt"]:
        z = net.projector(DENSE[method.encoder](net.encoder, *dense_view(graph, view)))
        if method.standardize:
            z = (z - z.mean(dim=0)) / (z.var(dim=0, correction=0) + 1e-5).sqrt()
        if method.similarity == "cosine":
            z = z / z.norm(dim=1, keepdim=True)
        embeddings.append(z)
    z_1, z_2 = embeddings
    (negatives,) = drawn["random_negatives"]
    levels = [(method.margin, 1.0, torch.arange(graph.num_nodes))]
    steps = list(drawn["random_neighbor"])
    if method.neighbor_weight:
        levels.append((method.neighbor_margin, method.neighbor_weight, steps.pop(0)))
    if method.two_hop_weight:
        # The first step is where the second one starts from; the second one is the counterpart.
        levels.append((method.two_hop_margin, method.two_hop_weight, steps[1]))
    loss = torch.zeros((), dtype=torch.double)
    for number, (margin, weight, positive) in enumerate(levels):
        costs = []
        for v in range(graph.num_nodes):
            others = negatives[v].tolist()
            if method.chain and number < len(levels) - 1:
                others = [int(levels[number + 1][2][v])]
                if others[0] in [int(nearer[2][v]) for nearer in levels[: number + 1]]:
                    costs.append(torch.zeros((), dtype=torch.double))
                    continue
            if method.hardest:
                others = [max(others, key=lambda u: (z_1[v] * z_2[u]).sum().item())]
            for u in others:
                gain = (z_1[v] * z_2[positive[v]]).sum() - (z_1[v] * z_2[u]).sum()
                costs.append(plain_cost(margin - gain, method.softness))
        loss = loss + weight * torch.stack(costs).mean()
    return loss


def plain_cost(missing, softness):
    """What a gain short of the margin costs."""
    if softness == 0:
        return torch.clamp(missing, min=0.0)
    return softness * torch.log1p(torch.exp(missing / softness))


BASE = {
    "mlp": 0,
    "channels": 4,
    "heads": 2,
    "edge_drop_1": 0.2,
    "edge_drop_2": 0.4,
    "feature_mask_1": 0.2,
    "feature_mask_2": 0.3,
}
VARIANTS = {
    "plain": {},
    "dot": {"similarity": "dot", "standardize": False, "margin": 0.3},
    "negatives": {"negatives": 3, "neighbor_weight": 0.7, "neighbor_margin": 0.2},
    "no neighbours": {"neighbor_weight": 0.0, "pairwise_drop": False},
    "node masks": {"node_mask_1": 0.2, "node_mask_2": 0.3},
    "projector": {"projector": 5},
    "two hops": {"two_hop_weight": 0.4, "two_hop_margin": 0.7},
    "two hops alone": {"two_hop_weight": 0.4, "neighbor_weight": 0.0},
    "soft": {"softness": 0.3, "negatives": 2},
    "hardest": {"hardest": True, "negatives": 3},
    "chain": {"chain": True, "negatives": 2},
    "chain of three": {"chain": True, "two_hop_weight": 0.4, "softness": 0.3},
    "residual": {"residual": True, "num_layers": 3},
}


def build(settings, density=1.0):
    torch.manual_seed(1)
    method = GraphRank(**{**BASE, **settings})
    net = method.build(6).double()
    for name, parameter in net.named_parameters():
        if "bias" in name:
            nn.init.normal_(parameter, std=0.3)
    _, _, _, graph = make_graph(10, seed=8, density=density)
    return method, net, graph


@pytest.mark.parametrize("encoder", DENSE)
@pytest.mark.parametrize("variant", VARIANTS)
def test_training_step_equals_the_plain_dense_computation(encoder, variant, drawn):
    method, net, graph = build({"encoder": encoder, **VARIANTS[variant]})
    torch.manual_seed(3)
    loss = method.training_step(net, graph)
    loss.backward()
    found = {name: p.grad.clone() for name, p in net.named_parameters()}
    net.zero_grad()
    expected = plain_loss(method, net, graph, drawn)
    assert expected.item() > 0
    expected.backward()
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(found, {n: p.grad for n, p in net.named_parameters()})


@pytest.mark.parametrize("encoder", DENSE)
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
@pytest.mark.parametrize("variant", ["plain", "dot", "negatives", "chain", "residual"])
def test_gradcheck_of_the_whole_training_loss(encoder, density, variant):
    """Central differences of the loss under fixed draws, in every parameter."""
    method, net, graph = build({"encoder": encoder, **VARIANTS[variant], "act": "elu"}, density)
    assert gradients_are_right(method, net, graph)


def test_two_views_are_drawn_with_their_own_rates(drawn):
    rates = {"edge_drop_1": 0.0, "feature_mask_1": 0.0, "edge_drop_2": 0.5, "feature_mask_2": 0.5}
    method, net, graph = build({**rates, "node_mask_1": 0.5})
    method.training_step(net, graph)
    first, second = drawn["corrupt"]
    assert first.edge_kept is None and first.column_kept is None and first.node_kept is not None
    assert second.edge_kept is not None and second.column_kept is not None
    assert second.node_kept is None


SMALL = {"channels": 8, "epochs": 3, "encoder": "gcn", "readout": "last"}
EFFECTS = {
    "encoder": "gat",
    "channels": 12,
    "num_layers": 3,
    "act": "elu",
    "norm": "batch",
    "dropout": 0.5,
    "residual": True,
    "projector": 4,
    "edge_drop_1": 0.7,
    "edge_drop_2": 0.7,
    "feature_mask_1": 0.7,
    "feature_mask_2": 0.7,
    "node_mask_1": 0.5,
    "node_mask_2": 0.5,
    "pairwise_drop": False,
    "similarity": "dot",
    "standardize": False,
    "margin": 0.1,
    "negatives": 3,
    "neighbor_weight": 2.0,
    "neighbor_margin": 1.5,
    "two_hop_weight": 0.5,
    "chain": True,
    "softness": 0.5,
    "margin_rise": 1.0,
    "epochs": 5,
    "learning_rate": 0.05,
    "weight_decay": 0.1,
    "seed": 1,
    "scale_features": "none",
}


def embed(data, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        return GraphRank(**{**SMALL, "neighbor_weight": 0.5, **settings}).fit(data).embedding_


@pytest.mark.parametrize("option", EFFECTS)
def test_every_option_has_an_effect(option, toy):
    base, changed = embed(toy), embed(toy, **{option: EFFECTS[option]})
    assert base.shape != changed.shape or not torch.allclose(base, changed)


def test_margins_rise_to_their_value_over_a_share_of_the_epochs(toy):
    rising = GraphRank(**{**SMALL, "epochs": 4, "margin_rise": 0.5})
    net, shares = rising.build(toy.num_features), []
    for epoch in range(4):
        rising.before_epoch(net, epoch)
        shares.append(net.margin_share)
    assert shares == [0.5, 1.0, 1.0, 1.0]


def test_options_that_need_another_have_an_effect(toy):
    far = {"two_hop_weight": 0.5, "two_hop_margin": 0.2}
    assert not torch.allclose(embed(toy, **far), embed(toy, **{**far, "two_hop_margin": 1.5}))
    many = {"negatives": 4}
    assert not torch.allclose(embed(toy, **many), embed(toy, **many, hardest=True))


def test_options_of_single_encoders_have_an_effect(toy):
    gat = {"encoder": "gat", "heads": 4}
    assert not torch.allclose(embed(toy, **gat), embed(toy, **{**gat, "heads": 2}))
    assert not torch.allclose(embed(toy, **gat), embed(toy, **gat, residual=True))
    linear = {"encoder": "linear", "readout": "hops", "hop_weight": 0.5}
    assert not torch.allclose(embed(toy, **linear), embed(toy, **{**linear, "hop_weight": 0.9}))
    assert embed(toy, **linear).shape != embed(toy, **{**linear, "readout": "last"}).shape
    diffused = {"encoder": "linear", "readout": "diffusion", "teleport": 0.2}
    assert not torch.allclose(embed(toy, **diffused), embed(toy, **{**diffused, "teleport": 0.6}))


def test_hops_readout_sets_weighted_hops_side_by_side(toy):
    settings = {"encoder": "linear", "num_layers": 2, "hop_weight": 0.5, "channels": 8}
    whole = embed(toy, **settings, readout="hops")
    last = embed(toy, **settings, readout="last")
    assert whole.shape == (toy.num_nodes, 24)
    lengths = whole.view(-1, 3, 8).norm(dim=2)
    torch.testing.assert_close(lengths, torch.tensor([0.5, 0.5, 1.0]).expand_as(lengths))
    unit = nn.functional.normalize(last, dim=1)
    torch.testing.assert_close(whole[:, 16:], unit)


def test_diffusion_readout_without_mlp_sets_four_parts_side_by_side(toy):
    """The neighbours in the features' basis, hops 0 and 1 of what was learnt, its diffusion."""
    settings = {
        "channels": 8, "epochs": 3, "hop_weight": 0.5, "scale_features": "none", "mlp": 0,
        "structure": 0, "wide_view": 0,
    }  # fmt: skip
    model = GraphRank(**settings).fit(toy)
    parts = model.embedding_.view(-1, 4, 8)
    weight = model.module_.encoder.weight.detach()
    torch.testing.assert_close(parts[:, 1], 0.5 * nn.functional.normalize(toy.x @ weight, dim=1))
    learnt = GraphRank(**settings, readout="hops").fit(toy).embedding_.view(-1, 3, 8)
    torch.testing.assert_close(parts[:, 1:3], learnt[:, :2])
    torch.testing.assert_close(parts[:, 3].norm(dim=1), torch.ones(toy.num_nodes))
    untrained = GraphRank(**{**settings, "epochs": 0}).fit(toy).embedding_.view(-1, 4, 8)
    torch.testing.assert_close(parts[:, 0], untrained[:, 0])
    assert not torch.allclose(parts[:, 3], untrained[:, 3])


BESIDE = {
    "encoder": "linear", "readout": "diffusion", "channels": 8, "mlp": 8, "mlp_hidden": 16,
    "mlp_batch": 9, "mlp_steps": 2, "epochs": 3, "hop_weight": 0.5, "scale_features": "none",
    "structure": 0, "wide_view": 0,
}  # fmt: skip


def test_diffusion_readout_has_the_three_views_of_the_mlp(toy):
    """Neighbours' SVD, own projection, the MLP near, nearer and far, the diffusion."""
    model = GraphRank(**BESIDE).fit(toy)
    parts = model.embedding_.view(-1, 6, 8)
    lengths = parts.norm(dim=2)
    torch.testing.assert_close(lengths, torch.tensor([0.5] * 5 + [1.0]).expand_as(lengths))
    own = nn.functional.normalize(toy.x @ model.module_.basis, dim=1) * 8**0.5
    with torch.no_grad():
        expected = nn.functional.normalize(model.module_.mlp.eval()(own), dim=1)
    torch.testing.assert_close(parts[:, 2], 0.5 * expected)
    untrained = GraphRank(**{**BESIDE, "epochs": 0}).fit(toy).embedding_.view(-1, 6, 8)
    torch.testing.assert_close(parts[:, 0], untrained[:, 0])
    for part in range(1, 6):
        assert not torch.allclose(parts[:, part], untrained[:, part])


OWN = {**BESIDE, "own_mlp": 6, "own_mlp_steps": 3}


def test_the_mlp_of_own_features_is_read_out_over_two_hops(toy):
    """Its embedding of the node, of its neighbours' mean, of theirs; the diffusion stays last."""
    model = GraphRank(**OWN).fit(toy)
    before, found, last = model.embedding_.tensor_split([40, 58], dim=1)
    assert before.shape == (toy.num_nodes, 40) and last.shape == (toy.num_nodes, 8)
    own = nn.functional.normalize(toy.x @ model.module_.basis, dim=1) * 8**0.5
    step = model._prepare(toy).adjacency
    values = torch.sparse_csr_tensor(
        step.pattern.row_pointer, step.pattern.column, step.normalized_weight, step.pattern.shape
    ).to_dense()
    with torch.no_grad():
        hop = model.module_.own_mlp.eval()(own)
    for part in found.split(6, dim=1):
        torch.testing.assert_close(part, 0.5 * nn.functional.normalize(hop, dim=1))
        hop = values @ hop
    untrained = GraphRank(**{**OWN, "epochs": 0}).fit(toy).embedding_
    assert not torch.allclose(found, untrained[:, 40:58])


def test_the_mlp_of_own_features_stands_without_the_other(toy):
    alone = embed(toy, **{**OWN, "mlp": 0})
    assert alone.shape == (toy.num_nodes, 4 * 8 + 3 * 6)


def test_own_features_are_trained_on_batches_of_their_own(toy):
    method = GraphRank(**OWN)
    _, *some = list(method.batches(method._prepare(toy)))
    assert [isinstance(batch, NodesAlone) for batch in some] == [False] * 2 + [True] * 3
    assert len(list(GraphRank(encoder="gcn", own_mlp=6).batches(method._prepare(toy)))) == 1


def test_a_loss_of_own_features_moves_their_mlp_alone(toy):
    method = GraphRank(**OWN).fit(toy)
    graph, module = method._prepare(toy), method.module_
    method.initialize(module, graph)
    batch = list(method.batches(graph))[-1]
    module.zero_grad()
    method.training_step(module, batch).backward()
    moved = {name.partition(".")[0] for name, p in module.named_parameters() if p.grad is not None}
    assert moved == {"own_mlp"}


def test_structure_stands_before_the_rest_and_needs_no_training(toy):
    """Rows of the adjacency matrix in its leading directions; all else is as it is without."""
    model = GraphRank(**{**BESIDE, "structure": 6}).fit(toy)
    found, rest = model.embedding_[:, :6], model.embedding_[:, 6:]
    graph = model._prepare(toy)
    expected = nn.functional.normalize(neighbor_coordinates(graph.adjacency, 6), dim=1)
    torch.testing.assert_close(found, 0.5 * expected)
    torch.testing.assert_close(rest, embed(toy, **BESIDE))


def test_structure_is_the_same_whenever_a_graph_is_embedded():
    """Directions are found from random ones; they must not differ from call to call."""
    graph = load("sbm:nodes=200,classes=3,seed=0")
    model = GraphRank(**{**BESIDE, "structure": 8}).fit(graph)
    torch.manual_seed(5)
    torch.testing.assert_close(model.transform(graph), model.embedding_, rtol=0, atol=1e-5)
    torch.manual_seed(5)
    drawn = torch.rand(1)
    torch.manual_seed(5)
    model.transform(graph)
    assert torch.equal(torch.rand(1), drawn)


def test_structure_goes_with_its_node_to_another_order_and_to_a_larger_graph(toy):
    """The graph as it was trained on, renumbered, or with a node more."""
    torch.manual_seed(0)
    toy.x = torch.randn(toy.num_nodes, 40)  # enough columns to tell all directions by
    # Weights that differ leave no two singular values equal.
    forward = toy.edge_index[0] < toy.edge_index[1]
    edges = toy.edge_index[:, forward]
    weight = 0.5 + torch.rand(edges.size(1))
    toy.edge_index, toy.edge_weight = torch.cat([edges, edges.flip(0)], 1), weight.repeat(2)
    model = GraphRank(**{**BESIDE, "structure": 16, "channels": 40}).fit(toy)
    order = torch.randperm(toy.num_nodes)
    moved = Data(
        x=toy.x[order], edge_index=order.argsort()[toy.edge_index], edge_weight=toy.edge_weight
    )
    torch.testing.assert_close(model.transform(moved), model.embedding_[order], rtol=0, atol=0.01)
    one_more = Data(x=torch.cat([toy.x, toy.x[:1]]), edge_index=toy.edge_index)
    one_more.edge_weight = toy.edge_weight
    unseen = model.transform(one_more)
    # An isolated node has no neighbours to tell of; the others are hardly moved by it.
    assert not unseen[-1, :16].any() and unseen[-1, 16:].any()
    torch.testing.assert_close(unseen[:-1, :16], model.embedding_[:, :16], rtol=0, atol=0.05)


def test_a_model_from_before_structure_is_read_as_one_without(toy, tmp_path):
    model = GraphRank(**BESIDE).fit(toy)
    assert "frame" not in model.module_.state_dict()  # as in files of that time
    older = saved_before(model, tmp_path / "model", "structure")
    assert older.structure == 0
    torch.testing.assert_close(older.transform(toy), model.embedding_)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("structure", 4), ("mlp", 4), ("mlp_hidden", 4), ("mlp_features", 3), ("mlp_mask", 0.7),
        ("mlp_dropout", 0.6), ("mlp_batch", 4), ("mlp_steps", 4), ("own_mlp", 4), ("chain", True),
    ],
)  # fmt: skip
def test_options_of_the_readout_have_an_effect(option, value, toy):
    base, changed = embed(toy, **BESIDE), embed(toy, **{**BESIDE, option: value})
    assert base.shape != changed.shape or not torch.allclose(base, changed)


def test_an_epoch_is_the_whole_graph_and_then_batches_of_distinct_nodes(toy):
    method = GraphRank(**BESIDE)
    whole, *some = list(method.batches(method._prepare(toy)))
    assert not isinstance(whole, SomeNodes) and len(some) == 2
    for batch in some:
        assert len(batch.nodes) == len(set(batch.nodes.tolist())) == 9
    assert len(list(GraphRank(encoder="gcn").batches(whole))) == 1
    assert len(list(GraphRank(readout="last").batches(whole))) == 1


def test_what_the_mlp_saw_is_let_go_and_never_stored(toy, tmp_path):
    model = GraphRank(**BESIDE).fit(toy)
    assert model.module_.seen.numel() == 0
    model.save(tmp_path / "model")
    assert "seen" not in model.module_.state_dict()
    torch.testing.assert_close(GraphRank.load(tmp_path / "model").transform(toy), model.embedding_)


def test_a_linear_encoder_starts_within_the_leading_singular_vectors(toy):
    model = GraphRank(channels=8, epochs=0, scale_features="none").fit(toy)
    basis, weight = model.module_.basis, model.module_.encoder.weight.detach()
    _, _, expected = torch.linalg.svd(toy.x, full_matrices=False)
    overlap = torch.linalg.svdvals(basis.T @ expected[:8].T)
    torch.testing.assert_close(overlap, torch.ones(8), rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(basis @ (basis.T @ weight), weight, rtol=1e-3, atol=1e-4)
    random = GraphRank(channels=8, epochs=0, init="random").fit(toy).module_.encoder.weight
    assert not torch.allclose(basis @ (basis.T @ random), random, atol=1e-2)


def test_a_model_from_before_the_mlp_is_read_as_one_without(toy, tmp_path):
    model = GraphRank(channels=8, epochs=2, mlp=0).fit(toy)
    options = [name for name in model.get_params() if name.startswith("mlp")]
    older = saved_before(model, tmp_path / "model", *options)
    assert older.mlp == 0
    torch.testing.assert_close(older.transform(toy), model.embedding_)


def test_a_model_from_before_chains_and_shortcuts_is_read_as_one_without(toy, tmp_path):
    model = GraphRank(**SMALL).fit(toy)
    assert not any("shortcut" in name for name in model.module_.state_dict())
    older = saved_before(model, tmp_path / "model", "chain", "residual")
    assert not older.chain and not older.residual
    torch.testing.assert_close(older.transform(toy), model.embedding_)


def test_a_residual_model_is_saved_and_read(toy, tmp_path):
    model = GraphRank(**SMALL, residual=True).fit(toy)
    model.save(tmp_path / "model")
    assert torch.equal(GraphRank.load(tmp_path / "model").transform(toy), model.embedding_)


@pytest.mark.parametrize("encoder", ["linear", "gcn", "gat"])
def test_the_loss_falls(encoder, toy):
    model = GraphRank(**{**SMALL, "encoder": encoder, "epochs": 60, "learning_rate": 0.01})
    losses = model.fit(toy).history_.loss
    assert sum(losses[-10:]) < 0.95 * sum(losses[:10])


def test_weights_of_edges_count(toy):
    plain = embed(toy)
    toy.edge_weight = torch.full((toy.num_edges,), 2.5)
    weighted = embed(toy)
    assert torch.isfinite(weighted).all() and not torch.allclose(weighted, plain)


def test_preset_paper_is_what_the_text_says():
    """Dot product, margin 0, one negative, a two-layer GCN; nothing that the text does not name."""
    paper = GraphRank.from_preset("paper")
    assert (paper.encoder, paper.num_layers) == ("gcn", 2)
    assert (paper.similarity, paper.margin, paper.negatives) == ("dot", 0.0, 1)
    assert not paper.standardize and paper.neighbor_weight == 0.0 and paper.projector == 0
    assert not paper.pairwise_drop and paper.readout == "last" and paper.stop == "none"
    assert paper.mlp == 0 and paper.structure == 0
    assert paper.edge_drop_1 != paper.edge_drop_2
    assert paper.feature_mask_1 != paper.feature_mask_2
    for number in (1, 2):
        assert 0.1 <= getattr(paper, f"edge_drop_{number}") <= 0.5
        assert 0.1 <= getattr(paper, f"feature_mask_{number}") <= 0.5


def test_preset_paper_runs(toy):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        model = GraphRank.from_preset("paper", {"channels": 8, "epochs": 4}).fit(toy)
    assert model.history_.epochs == 4 and torch.isfinite(model.embedding_).all()


def test_collapse_is_warned_of(toy):
    """Weight decay shrinks a dot-product loss at margin 0 to nothing."""
    settings = {"channels": 8, "epochs": 150, "learning_rate": 0.05, "weight_decay": 0.5}
    with pytest.warns(CollapseWarning, match="the embedding of GraphRank has collapsed"):
        model = GraphRank.from_preset("paper", settings).fit(toy)
    assert mean_similarity(model.embedding_) > 0.99


def test_a_sound_embedding_is_not_warned_of(toy):
    with warnings.catch_warnings():
        warnings.simplefilter("error", CollapseWarning)
        model = GraphRank(channels=16, epochs=5).fit(toy)
    assert mean_similarity(model.embedding_) < 0.9


def test_plateau_stops_before_the_last_epoch(toy):
    settings = {"channels": 8, "stop": "plateau", "patience": 3, "learning_rate": 0.0}
    model = GraphRank(epochs=400, **settings).fit(toy)
    assert 6 <= model.history_.epochs < 400
    assert model.history_.stopped == "plateau"


def test_heads_that_do_not_divide_the_width(toy):
    with pytest.raises(ConfigError, match="3 attention heads do not divide a width of 8"):
        GraphRank(encoder="gat", channels=8, heads=3).fit(toy)


@pytest.mark.real_data
def test_cora_beats_raw_features_and_repeats_to_the_bit(data_root):
    from graphrank import Experiment, evaluate, load

    data = load("cora", data_root=data_root)
    settings = {"epochs": 10, "channels": 128}
    experiment = Experiment(
        methods=("graphrank", "raw-features"), seeds=(0,), protocol="public", settings=settings
    )
    ours, raw = evaluate(data, experiment, progress=False)
    assert ours.mean("accuracy") > raw.mean("accuracy") + 15
    short = {"epochs": 3, "channels": 64}
    first, second = (GraphRank(**short).fit(data).embedding_ for _ in range(2))
    assert torch.equal(first, second)

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.func import functional_call

from graphrank.augment import Corruption, clean_view, corrupt
from graphrank.nn.encoders import ACTIVATIONS, NORMS, GATEncoder, GCNEncoder, LinearPropagation
from graphrank.nn.graph_input import GraphInput
from tests.nn.reference import dense_normalized, make_graph, places, to_dense

STRONG = Corruption(edge_drop=0.4, feature_mask=0.3, node_mask=0.2)
SINGLE = Corruption(edge_drop=0.4, feature_mask=0.3, pairwise=False)
VIEWS = [None, STRONG, SINGLE]


def dense_view(graph, view):
    """The view's features and kept entries as plain dense matrices."""
    x = graph.features.to_dense().clone()
    if view.column_kept is not None:
        x = x * view.column_kept
    if view.node_kept is not None:
        x = x * view.node_kept.unsqueeze(1)
    matrix = to_dense(graph.adjacency.pattern, graph.adjacency.weight)
    if view.edge_kept is not None:
        for place, kept in zip(places(graph.adjacency.pattern), view.edge_kept, strict=True):
            matrix[place] *= kept
    return x, matrix


def draw_view(graph, corruption):
    torch.manual_seed(11)
    return clean_view(graph) if corruption is None else corrupt(graph, corruption)


def dense_linear(encoder, x, matrix):
    hidden = x @ encoder.weight
    for _ in range(encoder.hops):
        hidden = dense_normalized(matrix) @ hidden
    return hidden


def dense_shortcut(encoder, number, given):
    """What is added to a layer's output: its input, mapped where there is a map."""
    if encoder.shortcuts is None:
        return 0.0
    weight = encoder.shortcuts[number].weight
    return given if weight is None else given @ weight


def dense_gcn(encoder, x, matrix):
    """act(norm(A H W + b)), after the last layer where the encoder has it."""
    propagation, hidden = dense_normalized(matrix), x
    for layer, (weight, bias) in enumerate(zip(encoder.weights, encoder.biases, strict=True)):
        given = hidden
        hidden = propagation @ (hidden @ weight) + bias
        if layer < len(encoder.acts):
            hidden = encoder.acts[layer](encoder.norms[layer](hidden))
        hidden = hidden + dense_shortcut(encoder, layer, given)
    return hidden


def dense_gat(encoder, x, matrix):
    """One attention at a time: softmax of LeakyReLU(a·[Wh_i | Wh_j]) over kept neighbours."""
    hidden = x
    for number, layer in enumerate(encoder.layers):
        projected = (hidden @ layer.weight).view(-1, layer.heads, layer.channels)
        rows = []
        for i in range(matrix.size(0)):
            near = [j for j in range(matrix.size(0)) if matrix[i, j] != 0]
            heads = []
            for head in range(layer.heads):
                own = (projected[i, head] * layer.to_target[head]).sum()
                scores = [
                    F.leaky_relu(own + (projected[j, head] * layer.to_source[head]).sum(), 0.2)
                    for j in near
                ]
                share = torch.softmax(torch.stack(scores), dim=0)
                heads.append(sum(s * projected[j, head] for s, j in zip(share, near, strict=True)))
            rows.append(torch.cat(heads))
        given, hidden = hidden, torch.stack(rows) + layer.bias
        if number < len(encoder.acts):
            hidden = encoder.acts[number](encoder.norms[number](hidden))
        hidden = hidden + dense_shortcut(encoder, number, given)
    return hidden


def with_random_biases(encoder):
    """Weights that are zero at the start would hide an error."""
    for name, parameter in encoder.named_parameters():
        if "bias" in name:
            torch.nn.init.normal_(parameter)
    return encoder.double()


def make_encoders():
    torch.manual_seed(5)
    return {
        "linear": (LinearPropagation(6, 4, hops=2), dense_linear),
        "gcn": (with_random_biases(GCNEncoder(6, 8, 4, 2, act="prelu")), dense_gcn),
        "gcn-3-layer": (with_random_biases(GCNEncoder(6, 8, 4, 3, "elu", "layer")), dense_gcn),
        "gcn-batch": (with_random_biases(GCNEncoder(6, 8, 4, 2, "relu", "batch")), dense_gcn),
        "gcn-1-layer": (with_random_biases(GCNEncoder(6, 8, 4, 1)), dense_gcn),
        "gcn-last-act": (
            with_random_biases(GCNEncoder(6, 8, 4, 2, "rrelu", last_act=True)),
            dense_gcn,
        ),
        "gcn-residual": (
            with_random_biases(GCNEncoder(6, 8, 4, 3, "prelu", residual=True)),
            dense_gcn,
        ),
        "gcn-residual-last-act": (
            with_random_biases(GCNEncoder(6, 4, 4, 3, "elu", "batch", 0, True, residual=True)),
            dense_gcn,
        ),
        "gat": (with_random_biases(GATEncoder(6, 8, 4, 2, heads=2)), dense_gat),
        "gat-residual": (
            with_random_biases(GATEncoder(6, 8, 4, 3, 2, norm="layer", residual=True)),
            dense_gat,
        ),
        "gat-norm": (with_random_biases(GATEncoder(6, 8, 4, 3, 4, "relu", "layer")), dense_gat),
        "gat-last-act": (
            with_random_biases(GATEncoder(6, 8, 4, 2, 2, "prelu", last_act=True)),
            dense_gat,
        ),
    }


@pytest.mark.parametrize("name", make_encoders())
@pytest.mark.parametrize("corruption", VIEWS, ids=["clean", "strong", "single"])
@pytest.mark.parametrize("density", [1.0, 0.05], ids=["dense", "sparse"])
def test_output_and_gradients_equal_the_dense_computation(name, corruption, density):
    encoder, dense = make_encoders()[name]
    encoder = encoder.double()
    _, _, _, graph = make_graph(9, seed=4, density=density, weighted=not name.startswith("gat"))
    view = draw_view(graph, corruption)
    x, matrix = dense_view(graph, view)
    upstream = torch.randn(9, 4, dtype=torch.double)
    outputs, gradients = [], []
    for out in (encoder(view), dense(encoder, x, matrix)):
        encoder.zero_grad()
        (out * upstream).sum().backward()
        outputs.append(out.detach())
        gradients.append({n: p.grad.clone() for n, p in encoder.named_parameters()})
    torch.testing.assert_close(*outputs)
    torch.testing.assert_close(*gradients)
    assert outputs[0].shape == (9, 4)


@pytest.mark.parametrize("name", ["linear", "gcn", "gat", "gcn-residual", "gat-residual"])
@given(seed=st.integers(0, 1000), directed=st.booleans())
def test_permuting_the_nodes_permutes_the_embedding(name, seed, directed):
    encoder = make_encoders()[name][0].double()
    edges, weight, x, graph = make_graph(8, seed=seed, directed=directed, weighted=True)
    order = torch.randperm(8, generator=torch.Generator().manual_seed(seed))
    place = order.argsort()  # where each node went
    turned = GraphInput(
        type(graph.features)(x[order]), type(graph.adjacency)(place[edges], 8, weight)
    )
    with torch.no_grad():
        expected = encoder(clean_view(graph))[order]
        torch.testing.assert_close(encoder(clean_view(turned)), expected)


@pytest.mark.parametrize("name", ["gcn-residual-last-act", "gat-residual"])
def test_gradcheck_of_residual_encoders(name):
    """Central differences of the embedding, in every parameter."""
    encoder = make_encoders()[name][0].double()
    names, values = zip(*encoder.named_parameters(), strict=True)
    assert any(each.startswith("shortcuts") for each in names)
    view = draw_view(make_graph(5, seed=4)[3], STRONG)

    def embedding(*parameters):
        return functional_call(encoder, dict(zip(names, parameters, strict=True)), (view,))

    given_values = tuple(value.detach().requires_grad_() for value in values)
    assert torch.autograd.gradcheck(embedding, given_values)


@pytest.mark.parametrize("kind", [GCNEncoder, GATEncoder])
def test_a_residual_encoder_hands_on_what_its_layers_are_given(kind):
    """Layers that add nothing leave the mapped features; without shortcuts nothing is left."""
    _, _, x, graph = make_graph(9, seed=4)
    for residual in (True, False):
        encoder = kind(6, 4, 4, 3, residual=residual).double()
        for name, parameter in encoder.named_parameters():
            if not name.startswith("shortcuts"):
                torch.nn.init.zeros_(parameter)
        expected = torch.zeros(9, 4, dtype=torch.double)
        if residual:
            expected = x @ encoder.shortcuts[0].weight
        torch.testing.assert_close(encoder(clean_view(graph)), expected)


@pytest.mark.parametrize("kind", [GCNEncoder, GATEncoder])
def test_only_a_residual_encoder_has_weights_of_shortcuts(kind):
    """Models from before there were any are read by their names."""
    plain, residual = (
        set(kind(6, 8, 4).state_dict()),
        set(kind(6, 8, 4, residual=True).state_dict()),
    )
    assert residual - plain == {"shortcuts.0.weight", "shortcuts.1.weight"} and plain < residual


@pytest.mark.parametrize("kind", [GCNEncoder, GATEncoder])
def test_dropout_only_in_training(kind):
    _, _, _, graph = make_graph(9, seed=4)
    encoder = kind(6, 8, 4, dropout=0.5).double()
    view = clean_view(graph)
    encoder.train()
    assert not torch.equal(encoder(view), encoder(view))
    encoder.eval()
    assert torch.equal(encoder(view), encoder(view))


def test_attention_dropout_drops_whole_messages_in_training_alone():
    _, _, _, graph = make_graph(9, seed=4)
    encoder = GATEncoder(6, 8, 4, num_layers=1, heads=1, attention_dropout=0.999999).double()
    view = clean_view(graph)
    assert torch.equal(encoder(view), torch.zeros(9, 4, dtype=torch.double))
    encoder.eval()
    assert not torch.equal(encoder(view), torch.zeros(9, 4, dtype=torch.double))


def test_reset_draws_anew():
    for encoder in (
        LinearPropagation(6, 4),
        GCNEncoder(6, 8, 4),
        GCNEncoder(6, 8, 4, residual=True),
    ):
        before = {name: p.detach().clone() for name, p in encoder.named_parameters()}
        encoder.reset_parameters()
        after = dict(encoder.named_parameters())
        assert all(not torch.equal(before[n], after[n]) for n in before if "weight" in n)


@pytest.mark.parametrize("act", ACTIVATIONS)
@pytest.mark.parametrize("norm", NORMS)
def test_every_activation_and_norm_is_finite(act, norm):
    _, _, _, graph = make_graph(9, seed=4)
    encoder = GCNEncoder(6, 8, 4, 2, act, norm).double()
    assert torch.isfinite(encoder(clean_view(graph))).all()

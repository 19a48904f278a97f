import math

import pytest
import torch

from graphrank.augment.views import clean_view
from graphrank.errors import ConfigError
from graphrank.methods.gat import GAT
from graphrank.nn.graph_input import GraphInput
from tests.nn.reference import make_graph


def attend(x, neighbors, layer):
    """One layer, node by node and head by head: a list of heads, each a list of rows."""
    heads = []
    for head in range(layer.heads):
        columns = slice(head * layer.channels, (head + 1) * layer.channels)
        projected = x @ layer.weight[:, columns]
        rows = []
        for node, others in enumerate(neighbors):
            scores = []
            for other in others:
                score = float(
                    projected[node] @ layer.to_target[head]
                    + projected[other] @ layer.to_source[head]
                )
                scores.append(math.exp(score if score > 0 else 0.2 * score))
            rows.append(
                sum(s * projected[o] for s, o in zip(scores, others, strict=True)) / sum(scores)
            )
        heads.append(torch.stack(rows))
    return heads


@pytest.mark.parametrize("output_heads", [1, 3])
def test_two_layers_of_attention_as_the_paper_writes_them(output_heads):
    edges, _, x, graph = make_graph(7, seed=4)
    network = GAT(channels=4, heads=2, output_heads=output_heads).network(6, 3).double().eval()
    torch.nn.init.normal_(network.hidden.bias)
    torch.nn.init.normal_(network.output.bias)
    neighbors = [
        [node, *(s for s, t in edges.T.tolist() if t == node)] for node in range(graph.num_nodes)
    ]
    with torch.no_grad():
        hidden = torch.cat(attend(x, neighbors, network.hidden), dim=1) + network.hidden.bias
        hidden = torch.where(hidden > 0, hidden, hidden.exp() - 1)
        heads = attend(hidden, neighbors, network.output)
        expected = sum(heads) / output_heads + network.output.bias
        torch.testing.assert_close(network(clean_view(graph)), expected)


def test_edge_weights_are_not_looked_at():
    _, _, _, weighted = make_graph(7, seed=4, weighted=True)
    _, _, _, plain = make_graph(7, seed=4)
    both = (GraphInput(plain.features, graph.adjacency) for graph in (weighted, plain))
    network = GAT(channels=8).network(6, 3).double().eval()
    first, second = (network(clean_view(graph)) for graph in both)
    assert torch.equal(first, second)


def test_heads_have_to_divide_the_width():
    with pytest.raises(ConfigError, match="8 attention heads do not divide a width of 20"):
        GAT(channels=20).network(6, 3)
    GAT(channels=16, output_heads=8).network(6, 3)  # averaged heads divide nothing


def test_the_authors_settings():
    model = GAT()
    assert (model.channels, model.heads, model.output_heads) == (64, 8, 1)
    assert (model.dropout, model.attention_dropout, model.patience) == (0.6, 0.6, 100)
    assert (model.learning_rate, model.weight_decay) == (5e-3, 5e-4)

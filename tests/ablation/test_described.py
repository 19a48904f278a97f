"""What is said of an embedding without labels."""

import pytest
import torch
import torch.nn.functional as F

from graphrank.ablation import described
from graphrank.ablation.described import CRITERIA, fit_described, neighbor_alignment
from graphrank.analysis.label_free import effective_rank, mean_similarity, uniformity
from graphrank.data import without_labels
from graphrank.methods.registry import make_method
from tests.ablation.conftest import SMALL, named_toy


def test_criteria_of_a_fit_are_those_of_its_embedding():
    visible = without_labels(named_toy())
    method = make_method("graphrank", settings={**SMALL, "epochs": 2})
    found = fit_described(method, visible, progress=False)
    assert torch.equal(
        found.embedding,
        make_method("graphrank", settings=method.get_params()).fit(visible).embedding_,
    )
    assert set(found.criteria) == set(CRITERIA)
    assert found.criteria["effective_rank"] == effective_rank(found.embedding)
    assert found.criteria["uniformity"] == uniformity(found.embedding)
    assert found.criteria["mean_similarity"] == mean_similarity(found.embedding)
    assert found.criteria["loss"] == method.history_.loss[-1]
    assert found.cost.seconds > 0


def test_what_is_not_trained_has_no_loss():
    found = fit_described(make_method("smoothing"), without_labels(named_toy()), progress=False)
    assert set(CRITERIA) - set(found.criteria) == {"loss"}


def test_alignment_of_neighbours(monkeypatch):
    data = named_toy()
    z = torch.randn(data.num_nodes, 4, generator=torch.Generator().manual_seed(0))
    unit = F.normalize(z.double(), dim=1)
    distances = [float((unit[i] - unit[j]).square().sum()) for i, j in data.edge_index.T.tolist()]
    assert neighbor_alignment(z, data.edge_index) == pytest.approx(sum(distances) / len(distances))
    assert neighbor_alignment(z, data.edge_index[:, :0]) == 0.0
    monkeypatch.setattr(described, "_EDGES", 10)
    some = neighbor_alignment(z, data.edge_index)
    assert some == neighbor_alignment(z, data.edge_index)
    assert min(distances) < some < max(distances)

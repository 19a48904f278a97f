import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphrank.training.collapse import (
    CollapseWarning,
    collapse_of,
    effective_rank,
    mean_similarity,
    warn_if_collapsed,
)


def draw(nodes, width, seed=0):
    return torch.randn(nodes, width, generator=torch.Generator().manual_seed(seed))


@given(st.integers(2, 12), st.integers(1, 12), st.integers(0, 100))
def test_effective_rank_equals_numpy(nodes, width, seed):
    z = draw(nodes, width, seed)
    centred = z.double().numpy() - z.double().numpy().mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    share = values[values > 1e-7 * values.sum()] / values.sum()
    assert effective_rank(z) == pytest.approx(np.exp(-(share * np.log(share)).sum()), rel=1e-3)


def test_effective_rank_of_points_and_lines():
    assert effective_rank(torch.ones(9, 4)) == 0.0
    assert effective_rank(torch.zeros(9, 4)) == 0.0
    line = torch.arange(9.0)[:, None] * torch.tensor([1.0, 2.0, 3.0])
    assert effective_rank(line) == pytest.approx(1.0, abs=1e-3)
    assert effective_rank(1e-4 * line) == pytest.approx(1.0, abs=1e-3)  # scale does not count


@given(st.integers(2, 9), st.integers(0, 100))
def test_mean_similarity_equals_loops(nodes, seed):
    z = draw(nodes, 3, seed).double()
    pairs = [
        float((z[i] @ z[j]) / (z[i].norm() * z[j].norm()))
        for i in range(nodes)
        for j in range(nodes)
        if i != j
    ]
    assert mean_similarity(z) == pytest.approx(sum(pairs) / len(pairs), abs=1e-9)


@pytest.mark.parametrize(
    ("embedding", "word"),
    [
        (torch.ones(20, 4), "effective rank"),
        (torch.arange(20.0)[:, None] * torch.ones(4), "effective rank"),
        (100 + draw(2000, 8), "mean cosine"),
    ],
)
def test_collapse_is_named(embedding, word):
    assert word in collapse_of(embedding)
    with pytest.warns(CollapseWarning, match=f"Some title has collapsed .*{word}"):
        warn_if_collapsed(embedding, "Some title")


@pytest.mark.parametrize(
    "embedding", [draw(2000, 8), draw(5, 40), torch.ones(2, 4), torch.ones(9, 1)]
)
def test_sound_or_too_small_to_judge(embedding):
    assert collapse_of(embedding) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_collapsed(embedding, "Some title")

import warnings

import pytest
import torch

from graphrank.training.collapse import CollapseWarning, collapse_of, warn_if_collapsed


def draw(nodes, width, seed=0):
    return torch.randn(nodes, width, generator=torch.Generator().manual_seed(seed))


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

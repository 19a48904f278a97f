import numpy as np
import pytest
import torch
import torch.nn.functional as F
from scipy.optimize import minimize

from graphrank.nn.document_vectors import infer_documents
from graphrank.nn.sparse import SparsePattern


def make(documents=4, words=12, channels=5, scale=1.0, seed=0):
    random = torch.Generator().manual_seed(seed)
    vectors = scale * torch.randn(words, channels, generator=random, dtype=torch.double)
    share = torch.rand(documents, words, generator=random, dtype=torch.double)
    share = share * (share > 0.6)
    share = share / share.sum(dim=1, keepdim=True)
    sparse = share.to_sparse_csr()
    pattern = SparsePattern(sparse.crow_indices(), sparse.col_indices(), tuple(share.shape))
    return pattern, sparse.values(), share, vectors, vectors[[0, 3, 3, 7]]


def objective(vector, share, words, noise, negatives, penalty):
    """Written as it is defined."""
    true = sum(
        float(p) * np.logaddexp(0, -float(w @ vector)) for p, w in zip(share, words, strict=True)
    )
    false = np.mean([np.logaddexp(0, float(v @ vector)) for v in noise])
    return true + negatives * false + penalty / 2 * float(vector @ vector)


@pytest.mark.parametrize(("scale", "penalty"), [(1.0, 0.1), (3.0, 0.1), (1.0, 1.0), (0.1, 0.01)])
def test_vectors_minimise_the_objective(scale, penalty):
    pattern, share, dense, words, noise = make(scale=scale)
    found = infer_documents(pattern, share, words, noise, 3, penalty).numpy()
    for vector, row in zip(found, dense.numpy(), strict=True):
        given = (row, words.numpy(), noise.numpy(), 3, penalty)
        best = minimize(objective, np.zeros(5), args=given, method="BFGS", tol=1e-9)
        np.testing.assert_allclose(vector, best.x, atol=1e-4)


def test_the_gradient_vanishes():
    pattern, share, dense, words, noise = make(documents=6, words=40, channels=16, scale=2.0)
    found = infer_documents(pattern, share, words, noise, 10, 0.1).requires_grad_()
    true = (dense * F.softplus(-found @ words.T)).sum()
    false = F.softplus(found @ noise.T).mean(dim=1).sum()
    (true + 10 * false + 0.05 * found.square().sum()).backward()
    assert float(found.grad.abs().max()) < 1e-5


def test_a_document_does_not_depend_on_the_others():
    pattern, share, _, words, noise = make()
    together = infer_documents(pattern, share, words, noise, 5, 0.1)
    for row in range(4):
        alone, places = pattern.select_rows(torch.tensor([row]))
        found = infer_documents(alone, share[places], words, noise, 5, 0.1)
        torch.testing.assert_close(found[0], together[row], rtol=1e-9, atol=1e-12)

"""Where do sparse features stop to win? Sparse against dense products by density, in one run.

    python benchmarks/features.py [--nodes 10000] [--features 1000] [--channels 512]

Prints the time of X W and X.T G (what an epoch needs of X) in both forms. The crossing decides
`SPARSE_BELOW` in src/graphrank/nn/features.py.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
import torch

from graphrank.nn.sparse import SparsePattern

DENSITIES = (0.005, 0.01, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3)


def milliseconds(*contenders: Callable[[], object], rounds: int = 7) -> list[float]:
    """Median time of each contender, timed in turn; the first round warms up."""
    times: list[list[float]] = [[] for _ in contenders]
    for turn in range(rounds + 1):
        for place, contender in enumerate(contenders):
            started = time.perf_counter()
            contender()
            if turn:
                times[place].append(1e3 * (time.perf_counter() - started))
    return [statistics.median(values) for values in times]


def measure(nodes: int, features: int, channels: int, density: float) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    matrix = sp.random_array((nodes, features), density=density, format="csr", rng=rng)
    x = torch.from_numpy(matrix.toarray()).float()
    csr = x.to_sparse_csr()
    pattern = SparsePattern(csr.crow_indices(), csr.col_indices(), (nodes, features))
    turned, order = pattern.transpose
    values = csr.values()
    weight, gradient = torch.randn(features, channels), torch.randn(nodes, channels)
    sparse, dense = milliseconds(
        lambda: (pattern.multiply(values, weight), turned.multiply(values[order], gradient)),
        lambda: (x @ weight, x.T @ gradient),
    )
    return sparse, dense


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--features", type=int, default=1_000)
    parser.add_argument("--channels", type=int, default=512)
    options = parser.parse_args()
    print("density  sparse ms  dense ms  sparse is faster by")
    for density in DENSITIES:
        sparse, dense = measure(options.nodes, options.features, options.channels, density)
        print(f"{density:7.3f}  {sparse:9.1f}  {dense:8.1f}  {dense / sparse:.2f}x")


if __name__ == "__main__":
    main()

"""Do splitting and scoring of edges stay linear? Seconds and memory by the size of the graph.

    python benchmarks/links.py [--nodes 250000 500000 1000000] [--degree 10] [--channels 64]

Prints, for random graphs of growing size, the time and the extra peak memory of splitting the
edges 85 / 5 / 10 with negatives, of scoring all held-out pairs by every scorer, and of finding the
ten best new neighbours of 1,000 nodes. Each graph is measured in a process of its own, so that
peaks do not mix.
"""

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from typing import Any

import torch
from torch_geometric.data import Data

from graphrank.data.edge_splits import split_edges
from graphrank.tasks.link_prediction import LinkPlan, LinkPrediction, LinkSplit
from graphrank.tasks.link_scores import SeenGraph, make_scorer
from graphrank.tasks.links import top_links

_QUERIES = 1_000


def random_graph(nodes: int, degree: float) -> Data:
    """Both directions of uniform random edges, sorted, each once."""
    generator = torch.Generator().manual_seed(0)
    row, col = torch.randint(nodes, (2, round(nodes * degree / 2)), generator=generator)
    row, col = row[row != col], col[row != col]
    keys = torch.unique(torch.cat([row * nodes + col, col * nodes + row]))
    return Data(edge_index=torch.stack([keys // nodes, keys % nodes]), num_nodes=nodes)


def timed(work: Callable[[], Any]) -> tuple[Any, str]:
    """The result, and seconds with the growth of the peak memory."""
    before, started = _peak(), time.perf_counter()
    result = work()
    return result, f"{time.perf_counter() - started:8.2f} s {_peak() - before:7.0f} MiB"


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(nodes: int, degree: float, channels: int) -> None:
    data = random_graph(nodes, degree)
    edges, splitting = timed(lambda: split_edges(data, seed=0))
    embedding = torch.randn(nodes, channels, generator=torch.Generator().manual_seed(0))
    task = LinkPrediction()
    split = LinkSplit(edges, LinkPlan())
    _, scoring = timed(lambda: task.evaluate(embedding, data, split, 0))
    scorer = make_scorer("cosine", embedding, SeenGraph(data.edge_index, nodes))
    queries = torch.arange(min(_QUERIES, nodes))
    _, finding = timed(lambda: top_links(scorer, queries, 10, data.edge_index))
    print(f"{nodes:10,} {data.num_edges // 2:11,}  {splitting}  {scoring}  {finding}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[250_000, 500_000, 1_000_000])
    parser.add_argument("--degree", type=float, default=10.0)
    parser.add_argument("--channels", type=int, default=64)
    options = parser.parse_args()
    print("     nodes       edges  split                  score                  1,000 top-10")
    for nodes in options.nodes:
        process = multiprocessing.get_context("spawn").Process(
            target=measure, args=(nodes, options.degree, options.channels)
        )
        process.start()
        process.join()


if __name__ == "__main__":
    main()

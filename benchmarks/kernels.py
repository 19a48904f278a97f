"""What do five pieces written by hand gain over what is there? Both ways of each in one run.

    python benchmarks/kernels.py [--nodes 8000] [--degree 30] [--channels 512]

PReLU forwards and backwards beside torch's own; sums of softplus, which auto-encoders of all pairs
are made of, beside torch's softplus and a sum; the largest entries of a personalised PageRank of
an undirected graph by Chebyshev's iteration beside the plain series; GRACE's loss of projections
from a narrow layer (64 to 256) in coordinates of their span beside the same as they are; dropout
from two random bytes a number beside torch's. Medians of rounds in turn.
"""

import argparse
from collections.abc import Callable

import torch
import torch.nn.functional as F
from features import milliseconds  # the script beside this one
from torch import Tensor, nn

from graphrank.memory import kept_memory
from graphrank.nn.adjacency import Adjacency
from graphrank.nn.diffusion import Diffusion
from graphrank.nn.dropout import dropped_out
from graphrank.nn.heads import basis_of_outputs
from graphrank.nn.infonce import info_nce
from graphrank.nn.prelu import PReLU
from graphrank.nn.softplus import summed_softplus


class BySeries(Diffusion):
    """Personalised PageRank as the sum of its powers, as it is for directed graphs."""

    _solved = Diffusion._series


def activations(nodes: int, channels: int) -> list[Callable[[], object]]:
    """Ours and torch's, there and back."""
    rows = torch.randn(nodes, channels, requires_grad=True)
    pull = torch.randn(nodes, channels)

    def there_and_back(module: nn.Module) -> Callable[[], object]:
        return lambda: module(rows).backward(pull)

    return [there_and_back(PReLU()), there_and_back(nn.PReLU())]


def dropouts(nodes: int, channels: int) -> list[Callable[[], object]]:
    """Ours and torch's, there and back."""
    rows = torch.randn(nodes, channels, requires_grad=True)
    pull = torch.randn(nodes, channels)
    return [
        lambda: dropped_out(rows, 0.5).backward(pull),
        lambda: F.dropout(rows, 0.5).backward(pull),
    ]


def sums_of_softplus(rows: int, columns: int) -> list[Callable[[], object]]:
    """Ours and torch's, there and back, on a block as large as auto-encoders have them."""
    numbers = torch.randn(rows, columns, requires_grad=True)
    pull = torch.rand(columns)

    def there_and_back(total: Callable[[Tensor], Tensor]) -> Callable[[], object]:
        return lambda: torch.autograd.grad(total(numbers), numbers, pull)

    return [
        there_and_back(summed_softplus),
        there_and_back(lambda block: F.softplus(block).sum(dim=0)),
    ]


def contrasts(nodes: int, inputs: int, outputs: int) -> list[Callable[[], object]]:
    """GRACE's loss of the outputs of a layer, there and back: in their span, and as they are."""
    layer = nn.Linear(inputs, outputs)
    views = torch.randn(2, nodes, inputs)

    def there_and_back(see: Callable[[Tensor], Tensor]) -> Callable[[], object]:
        def step() -> object:
            loss = info_nce(*(see(layer(view)) for view in views), temperature=0.4)
            return torch.autograd.grad(loss, list(layer.parameters()))

        return step

    def narrow(outputs: Tensor) -> Tensor:
        basis = basis_of_outputs(layer)
        assert basis is not None
        return outputs @ basis

    return [there_and_back(narrow), there_and_back(lambda outputs: outputs)]


def random_edges(nodes: int, degree: int) -> Tensor:
    """An undirected random graph."""
    ends = torch.randint(nodes, (2, nodes * degree // 2))
    return torch.cat([ends, ends.flip(0)], dim=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=8_000)
    parser.add_argument("--degree", type=int, default=30)
    parser.add_argument("--channels", type=int, default=512)
    options = parser.parse_args()
    torch.manual_seed(0)
    adjacency = Adjacency(random_edges(options.nodes, options.degree), options.nodes)
    with kept_memory():  # as in training
        pairs = measure(options, adjacency)
    print("           ours ms  plain ms  ours is faster by")
    for name, (ours, plain) in pairs.items():
        print(f"{name:9s} {ours:9.1f} {plain:9.1f}  {plain / ours:.2f}x")


def measure(options: argparse.Namespace, adjacency: Adjacency) -> dict[str, list[float]]:
    """Milliseconds of ours and of the plain way, piece by piece."""
    return {
        "PReLU": milliseconds(*activations(options.nodes, options.channels)),
        "dropout": milliseconds(*dropouts(options.nodes, options.channels)),
        "softplus": milliseconds(*sums_of_softplus((1 << 20) // options.nodes, options.nodes)),
        "InfoNCE": milliseconds(*contrasts(options.nodes, 64, 256), rounds=3),
        "PageRank": milliseconds(
            *(
                lambda kind=kind: kind(dense_limit=0).of(adjacency, torch.float)
                for kind in (Diffusion, BySeries)
            ),
            rounds=1,
        ),
    }


if __name__ == "__main__":
    main()

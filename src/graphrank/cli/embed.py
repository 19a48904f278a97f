"""``graphrank embed``: embeddings of a graph, seen or unseen, from a trained model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from graphrank.cli import options
from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class EmbedRequest:
    """Where the embeddings go."""

    output: Annotated[Path, typer.Option(help="File to write: .parquet, .csv, .tsv or .npy.")]
    overwrite: options.Overwrite = False


@bundled
def embed(
    model: Annotated[Path, typer.Argument(metavar="MODEL_DIR", help="Folder that `fit` wrote.")],
    source: options.GraphSource,
    request: EmbedRequest,
    messages: options.Messages,
) -> None:
    """Embed the nodes of a graph, or the graphs of a set, with a trained model; they may be new.

    Tables have one row a node or a graph: the column `id`, with the ids of your data, then `e0`,
    `e1`, and so on. A `.npy` file is the bare matrix; the ids, one a line, are beside it in
    `<name>.ids.txt`. Feature columns are matched by name, so their order does not matter.

    For example:

    - `graphrank embed model edges2.csv --features nodes2.csv --output emb.parquet`
    - `graphrank embed model cora --output cora.npy`
    - `graphrank embed model mygraphs2.jsonl --output emb.parquet`
    """
    from graphrank.cli.actions.embed import embed_graph  # noqa: PLC0415 - imports torch

    messages.apply()
    embed_graph(model, source, request, progress=not messages.quiet)

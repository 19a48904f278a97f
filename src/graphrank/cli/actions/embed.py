"""Embed a graph with a trained model and write the embeddings beside their ids."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from graphrank.cli.actions.embedding_files import check_format, files_of, write_embeddings
from graphrank.cli.actions.graph import load_of_level
from graphrank.cli.console import only_warnings, output
from graphrank.cli.embed import EmbedRequest
from graphrank.cli.options import GraphSource
from graphrank.data import GraphSet, node_ids
from graphrank.data.raw import NodeIds
from graphrank.files import refuse_existing
from graphrank.methods.registry import load_model
from graphrank.terminal import status


def embed_graph(
    model_path: Path, source: GraphSource, request: EmbedRequest, *, progress: bool
) -> None:
    """Check the output, read the model and the graph, embed, write."""
    path = request.output
    check_format(path)
    for file in files_of(path):
        refuse_existing(file, overwrite=request.overwrite)
    model = load_model(model_path)
    data = load_of_level(source, model.info.level, progress=progress)
    ids = cast("NodeIds", list(data.graph_id)) if isinstance(data, GraphSet) else node_ids(data)
    with only_warnings(), status(f"embedding {source.graph}", progress):
        embedding = model.transform(data)
    write_embeddings(path, ids, embedding.numpy())
    rows, width = embedding.shape
    written = " and ".join(map(str, files_of(path)))
    what = f"{rows:,} {model.info.level}s, {width:,} numbers each"
    output().print(f"{what}: {written}", markup=False, soft_wrap=True)

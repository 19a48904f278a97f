"""Embed a graph with a trained model and write the embeddings beside their ids."""

from __future__ import annotations

from pathlib import Path

from graphrank.cli.actions.embedding_files import check_suffix, files_of, write_embeddings
from graphrank.cli.actions.graph import load_graph
from graphrank.cli.actions.matching import match_features
from graphrank.cli.console import only_warnings, output
from graphrank.cli.embed import EmbedRequest
from graphrank.cli.options import GraphSource
from graphrank.data import node_ids
from graphrank.files import refuse_existing
from graphrank.methods.registry import load_model


def embed_graph(model_path: Path, source: GraphSource, request: EmbedRequest) -> None:
    """Check the output, read the model and the graph, embed, write."""
    path = request.output
    check_suffix(path)
    for file in files_of(path):
        refuse_existing(file, overwrite=request.overwrite)
    model = load_model(model_path)
    data = match_features(load_graph(source), model)
    with only_warnings():
        embedding = model.transform(data)
    write_embeddings(path, node_ids(data), embedding.numpy())
    nodes, width = embedding.shape
    written = " and ".join(map(str, files_of(path)))
    output().print(
        f"{nodes:,} nodes, {width:,} numbers each: {written}", markup=False, soft_wrap=True
    )

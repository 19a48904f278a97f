"""Find new neighbours of nodes, or score pairs, with a trained model."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.cli.actions.graph import load_graph
from graphrank.cli.actions.pair_files import NodeNames, read_pairs
from graphrank.cli.actions.table_files import check_table, write_table
from graphrank.cli.console import only_warnings, output
from graphrank.cli.options import GraphSource
from graphrank.cli.predict_links import PredictRequest
from graphrank.data import node_ids
from graphrank.data.negatives import PairSet
from graphrank.data.raw import NodeIds
from graphrank.errors import ConfigError
from graphrank.methods.registry import load_model
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.tasks.link_scores import LinkScorer, SeenGraph, check_scorer, make_scorer
from graphrank.tasks.links import top_links
from graphrank.terminal import status

_SHOWN = 50


def predict(
    model_path: Path, source: GraphSource, request: PredictRequest, *, progress: bool
) -> None:
    """Check the request, embed the graph, score, then write or show."""
    _check(request)
    model = load_model(model_path)
    data = load_graph(source, progress=progress)
    ids = node_ids(data)
    names = NodeNames(ids)
    pairs = None if request.pairs is None else read_pairs(request.pairs, names)
    queries = torch.arange(len(ids)) if request.all_nodes else names.find(request.node or ())
    with only_warnings(), status(f"embedding {source.graph}", progress):
        embedding = model.transform(data)
    with status("scoring pairs", progress):
        scorer = make_scorer(request.scorer, embedding, SeenGraph(data.edge_index, len(ids)))
        if pairs is None:
            table = _best(scorer, queries, request, data, ids)
        else:
            table = _scored(scorer, pairs, data, ids)
    _hand_over(table, request)


def _check(request: PredictRequest) -> None:
    """Refuse what cannot be done, before anything is read."""
    ways = [bool(request.node), request.all_nodes, request.pairs is not None]
    if sum(ways) != 1:
        raise ConfigError("say one of --node ID, --pairs FILE and --all")
    if request.all_nodes and request.output is None:
        raise ConfigError("--all gives many links; say where they go with --output links.csv")
    check_scorer(request.scorer, validated=False)
    if request.output is not None:
        check_table(request.output, overwrite=request.overwrite)


def _best(
    scorer: LinkScorer, queries: Tensor, request: PredictRequest, data: Data, ids: NodeIds
) -> pd.DataFrame:
    """The best partners of each node, best first."""
    edges = torch.cat([data.edge_index, data.edge_index.flip(0)], dim=1)
    exclude = None if request.include_known else edges
    top = min(request.top, max(1, len(ids) - 1))
    found = top_links(scorer, queries, top, exclude, kind=data.get("node_kind"))
    nodes, partners, scores, rank = found.rows()
    table = _table(torch.stack([nodes, partners]), scores, ids)
    table.insert(2, "rank", rank.numpy())
    return table


def _scored(scorer: LinkScorer, pairs: Tensor, data: Data, ids: NodeIds) -> pd.DataFrame:
    """The given pairs in the given order, with their scores and whether they are edges."""
    table = _table(pairs, scorer(pairs), ids)
    table["known"] = PairSet.of(data.edge_index, len(ids)).contains(pairs).numpy()
    return table


def _table(pairs: Tensor, scores: Tensor, ids: NodeIds) -> pd.DataFrame:
    names = pd.Series(ids)
    source, target = (names.iloc[end.numpy()].to_numpy() for end in pairs)
    return pd.DataFrame({"source": source, "target": target, "score": scores.numpy()})


def _hand_over(table: pd.DataFrame, request: PredictRequest) -> None:
    """Write the table where that was asked for, else show its head."""
    if request.output is not None:
        write_table(request.output, table)
        output().print(f"{len(table):,} links: {request.output}", markup=False, soft_wrap=True)
        return
    rows = tuple(tuple(map(_cell, row)) for row in table.head(_SHOWN).itertuples(index=False))
    more = len(table) - _SHOWN
    notes = (f"and {more:,} more; write all with --output links.csv",) * (more > 0)
    notes += ("no pair is left; show those that are edges with --include-known",) * table.empty
    title = f"Links by {request.scorer}"
    shown = TextTable(title, tuple(table.columns), rows, words=2, notes=notes)
    output().print(for_terminal(shown))


def _cell(value: object) -> Cell:
    return Cell(f"{value:.4f}" if isinstance(value, float) else str(value))

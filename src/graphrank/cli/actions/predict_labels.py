"""Predict the classes of all nodes from those of a few, and say how far to trust them."""

from __future__ import annotations

import pandas as pd
import torch
from torch import Tensor
from torch_geometric.data import Data

from graphrank.cli.actions.graph import load_graph
from graphrank.cli.actions.method import requested_method
from graphrank.cli.actions.table_files import check_table, write_table
from graphrank.cli.console import only_warnings, output
from graphrank.cli.options import LabelledSource
from graphrank.cli.predict_labels import LabelRequest
from graphrank.data import node_ids
from graphrank.errors import ConfigError, DataError
from graphrank.methods.supervised import SupervisedMethod
from graphrank.report.tables import Cell, TextTable, for_terminal
from graphrank.tasks.few_labels import Predicted, predict_classes
from graphrank.terminal import status
from graphrank.training.loop import Run


def predict(source: LabelledSource, request: LabelRequest, *, progress: bool) -> None:
    """Check the request, fit without labels, learn from the labelled nodes, write and show."""
    method = requested_method(request, source.graph)
    if isinstance(method, SupervisedMethod):
        raise ConfigError(
            f"{request.method} is supervised and has no embedding; choose another --method"
        )
    check_table(request.output, overwrite=request.overwrite)
    data = load_graph(source, progress=progress)
    y = _labels(data)
    with only_warnings():
        embedding = method.fit(data, run=Run(progress=progress)).embedding_
    with status("learning from the given labels", progress):
        found = predict_classes(embedding, y, method.seed)
    write_table(request.output, _table(data, y, found))
    output().print(for_terminal(_summary(data, y, found, request)))


def _labels(data: Data) -> Tensor:
    """The labels, of at least two classes, before any time is spent on training."""
    y: Tensor | None = data.get("y")
    if y is None:
        raise DataError(
            f"{data.name} has no labels; give some with --labels, a table with id and label"
        )
    if len(set(y[y >= 0].tolist())) < 2:
        raise DataError(f"the labels of {data.name} name fewer than two classes; label some more")
    return y


def _names(data: Data, classes: Tensor) -> list[str]:
    """Classes as the user knows them; empty for -1."""
    names = data.get("class_names")
    return [
        "" if number < 0 else str(number) if names is None else names[number]
        for number in classes.tolist()
    ]


def _table(data: Data, y: Tensor, found: Predicted) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "id": node_ids(data),
            "label": _names(data, found.label),
            "probability": found.probability.amax(dim=1).numpy(),
            "given": _names(data, y),
        }
    )


def _summary(data: Data, y: Tensor, found: Predicted, request: LabelRequest) -> TextTable:
    """Given and predicted nodes of every class as rows; how well it works below."""
    classes = torch.arange(found.probability.size(1))
    given = torch.bincount(y[y >= 0], minlength=len(classes)).tolist()
    predicted = torch.bincount(found.label[y < 0], minlength=len(classes)).tolist()
    rows = tuple(
        (Cell(name), Cell(f"{known:,}"), Cell(f"{new:,}"))
        for name, known, new in zip(_names(data, classes), given, predicted, strict=True)
    )
    if found.accuracy is None:
        trust = "a class has one label alone, so that none can be held out to see how well it works"
    else:
        trust = (
            f"given labels predicted from each other: {found.accuracy:.1%} right "
            f"(the commonest one: {found.majority:.1%})"
        )
    notes = (trust, f"written to {request.output}")
    title = f"classes of {data.name}"
    return TextTable(title, ("class", "given", "predicted"), rows, words=1, notes=notes)

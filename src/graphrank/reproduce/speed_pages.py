"""The tables of speed in README.md and docs/performance.md, from measured files and lines alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from graphrank.methods.registry import METHODS
from graphrank.report.tables import Cell, TextTable
from graphrank.reproduce.headline_rows import DATASETS
from graphrank.reproduce.items import all_items
from graphrank.reproduce.render.document import Record
from graphrank.reproduce.render.items import render_items
from graphrank.reproduce.timings import Timings
from graphrank.results.record import Result

SPEED_PAGES: dict[str, tuple[str, ...]] = {
    "README.md": ("speed",),
    "docs/performance.md": ("epoch-speed", "whole-fits", "grace-speed", "method-epochs"),
}
_PACE = "table-training-time"
_DEFAULT, _INSTANT = "graphrank", "smoothing"
_EPOCH_DATASETS = {"cora": "Cora", "pubmed": "PubMed", "cs": "CS"}
_LOADED = "loaded"
_DASH = "–"

Show = Callable[[str], str]
"""The text of a dataset's cell."""


def speed_table(name: str, timings: Timings, results: Sequence[Result]) -> TextTable:
    """One of the tables that :data:`SPEED_PAGES` names; what was not measured is a dash."""
    match name:
        case "speed":
            return _datasets_across(
                _of_one_run(timings) | _beside_grace(results) | _instant(timings)
            )
        case "epoch-speed":
            return _epoch_table(timings)
        case "whole-fits":
            return _datasets_across(_whole_fits(timings))
        case "grace-speed":
            return _datasets_across(_grace_seconds(results))
        case _:
            return _method_table(timings)


def _datasets_across(rows: Mapping[str, Show]) -> TextTable:
    """Datasets in columns, a line for each title."""
    lines = tuple(
        (Cell(title), *(Cell(show(dataset)) for dataset in DATASETS))
        for title, show in rows.items()
    )
    return TextTable("", ("", *DATASETS), lines)


def _of_one_run(timings: Timings) -> dict[str, Show]:
    """What one run of ``graphrank benchmark speed`` tells."""
    rows = timings.speed

    def told(text: Callable[[str], str]) -> Show:
        return lambda dataset: text(dataset) if dataset in rows else _DASH

    def memory(dataset: str) -> str:
        peaks = rows[dataset].peak_mib
        return f"{peaks['ours']:.0f} / {peaks['plain PyG']:.0f}"

    return {
        "faster than plain PyG": told(lambda place: f"{rows[place].speedup:.1f}×"),
        "times the bare matrix products": told(lambda place: f"{rows[place].over_floor:.2f}"),
        "peak memory, ours / plain, MiB": told(memory),
        "default training, seconds": told(lambda place: f"{rows[place].default_seconds:.1f}"),
        "its peak memory, MiB": told(lambda place: f"{rows[place].default_peak_mib:.0f}"),
    }


def _beside_grace(results: Sequence[Result]) -> dict[str, Show]:
    """Ratios to GRACE, ours and the paper's."""
    paces = _paces(results)
    return {
        "faster than GRACE, the paper's peer": _ratio(paces, "speedup", 1),
        "the paper's own ratio": _ratio(paces, "published_speedup", 1),
    }


def _grace_seconds(results: Sequence[Result]) -> dict[str, Show]:
    """Seconds of both methods, and the ratios."""
    paces = _paces(results)

    def seconds(name: str) -> Show:
        return lambda dataset: _text(paces[dataset][name], "{:,.0f}")

    return {
        "GraphRank, preset `paper`, seconds of 1,000 epochs": seconds("graphrank_seconds"),
        "GRACE, the same": seconds("grace_seconds"),
        "faster by": _ratio(paces, "speedup", 1),
        "published, on a V100": _ratio(paces, "published_speedup", 2),
    }


def _paces(results: Sequence[Result]) -> dict[str, Record]:
    (rendered,) = render_items([all_items()[_PACE]], results)
    return {str(record["dataset"]): record for record in rendered.records}


def _ratio(paces: Mapping[str, Record], name: str, digits: int) -> Show:
    return lambda dataset: _text(paces[dataset][name], f"{{:.{digits}f}}×")


def _text(value: object, form: str) -> str:
    return _DASH if value is None else form.format(value)


def _instant(timings: Timings) -> dict[str, Show]:
    """Seconds of the instant mode, by ``benchmarks/training.py``."""
    return {"instant mode (`--method smoothing`), seconds": _whole(timings, _INSTANT, "seconds")}


def _whole_fits(timings: Timings) -> dict[str, Show]:
    """Seconds and memory of the default and of the instant mode."""
    return {
        "default, seconds": _whole(timings, _DEFAULT, "seconds"),
        "default, peak MiB": _whole(timings, _DEFAULT, "MiB"),
        "instant mode, seconds": _whole(timings, _INSTANT, "seconds"),
        "instant mode, peak MiB": _whole(timings, _INSTANT, "MiB"),
    }


def _whole(timings: Timings, method: str, unit: str) -> Show:
    def show(dataset: str) -> str:
        cost = timings.wholes.get((dataset, method))
        if cost is None:
            return _DASH
        return f"{cost.duration:.1f}" if unit == "seconds" else f"{cost.peak_mib:.0f}"

    return show


def _epoch_table(timings: Timings) -> TextTable:
    """An epoch of ours, of plain PyG and of the floor; then the default training as a whole."""
    columns = (
        "", "ours ms", "plain PyG ms", "floor ms", "faster by", "with our memory settings",
        "times floor", "ours MiB", "plain MiB", "default training s", "its MiB",
        "fits into 100 plain epochs",
    )  # fmt: skip
    rows = []
    for dataset in DATASETS:
        row = timings.speed.get(dataset)
        if row is None:
            rows.append((Cell(dataset), *[Cell(_DASH)] * (len(columns) - 1)))
            continue
        times, peaks = row.milliseconds, row.peak_mib
        rows.append(
            (
                Cell(dataset),
                *(Cell(f"{times[name]:.0f}") for name in ("ours", "plain PyG", "floor")),
                Cell(f"{row.speedup:.1f}×", strong=True),
                Cell(f"{row.speedup_on_our_memory:.1f}×"),
                Cell(f"{row.over_floor:.2f}"),
                *(Cell(f"{peaks[name]:.0f}") for name in ("ours", "plain PyG")),
                Cell(f"{row.default_seconds:.1f}"),
                Cell(f"{row.default_peak_mib:.0f}"),
                Cell(f"{row.default_ratio:.1f}"),
            )
        )
    return TextTable("", columns, tuple(rows))


def _method_table(timings: Timings) -> TextTable:
    """An epoch of every method that was timed."""
    names = dict.fromkeys(method for _, method in timings.epochs)
    heads = [
        head for title in _EPOCH_DATASETS.values() for head in (f"{title}: epochs", "ms", "MiB")
    ]
    rows = tuple(
        (
            Cell(_title(name)),
            *(cell for place in _EPOCH_DATASETS for cell in _costs(timings, place, name)),
        )
        for name in names
    )
    return TextTable("", ("", *heads), rows)


def _title(name: str) -> str:
    return "the graph, loaded" if name == _LOADED else METHODS[name].info.title


def _costs(timings: Timings, dataset: str, method: str) -> tuple[Cell, Cell, Cell]:
    """Epochs, milliseconds and memory; no epochs where nothing was trained."""
    cost = timings.epochs.get((dataset, method))
    if cost is None:
        return Cell(_DASH), Cell(_DASH), Cell(_DASH)
    timed = "" if cost.duration is None else f"{cost.duration:,.0f}"
    return (
        Cell(f"{cost.epochs:,}" if cost.epochs else ""),
        Cell(timed),
        Cell(f"{cost.peak_mib:,.0f}"),
    )

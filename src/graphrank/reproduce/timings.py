"""What the benchmarks left under ``results/``: speed.json, training.json, method-epochs.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from graphrank.benchmark.speed import SpeedRow

SPEED, TRAINING, EPOCHS = "speed.json", "training.json", "method-epochs.json"


@dataclass(frozen=True)
class Cost:
    """What something took.

    Args:
        duration: of a whole fit in seconds, of an epoch in milliseconds; none where it was not
            timed.
        peak_mib: peak memory, the interpreter and its libraries included.
        epochs: epochs that the settings allow; nought for a whole fit.
    """

    duration: float | None
    peak_mib: float
    epochs: int = 0


Place = tuple[str, str]
"""Dataset and method, as the files write them."""


@dataclass(frozen=True)
class Timings:
    """The files, each a run of its own.

    Args:
        speed: of ``graphrank benchmark speed``, by dataset.
        wholes: of ``benchmarks/training.py``: whole fits.
        epochs: of ``benchmarks/methods.py``: single epochs.
    """

    speed: Mapping[str, SpeedRow] = field(default_factory=dict)
    wholes: Mapping[Place, Cost] = field(default_factory=dict)
    epochs: Mapping[Place, Cost] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Timings:
        """Read the files of a folder; one that is missing tells nothing."""
        return cls(
            {row["dataset"]: _speed_row(row) for row in _rows(folder / SPEED, "rows")},
            {
                (row["dataset"], row["method"]): Cost(row["seconds"], row["peak_mib"])
                for row in _rows(folder / TRAINING, "wholes")
            },
            {
                (row["dataset"], row["method"]): Cost(
                    row["milliseconds"], row["peak_mib"], row["epochs"]
                )
                for row in _rows(folder / EPOCHS, "rows")
                if row["peak_mib"] is not None
            },
        )


def _rows(path: Path, name: str) -> Sequence[Mapping[str, Any]]:
    if not path.exists():
        return []
    rows: Sequence[Mapping[str, Any]] = json.loads(path.read_text())[name]
    return rows


def _speed_row(row: Mapping[str, Any]) -> SpeedRow:
    """The measured part of a row: its ratios are computed anew."""
    return SpeedRow(**{each.name: row[each.name] for each in fields(SpeedRow)})

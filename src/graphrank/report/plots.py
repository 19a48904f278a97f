"""Figures: matplotlib without global state, in colours that colour-blind readers can tell apart."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from graphrank.report.projection import Picture

# Okabe and Ito's palette without its black, which a dark page would swallow.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442")
MARKERS = ("o", "^", "s", "D", "v", "P", "X")

# Two colours that an HTML page replaces by its own ink and paper, light or dark.
INK, PAPER = "#1b1f24", "#fefefd"
_MUTED = "#8b949e"
_MOST_CLASSES = len(PALETTE) * len(MARKERS)
_MOST_NAMES = 20


def class_styles(count: int) -> Iterator[tuple[str, str]]:
    """Colour and marker of each class; colours repeat with another marker."""
    for place in range(count):
        turn = place // len(PALETTE)
        yield PALETTE[place % len(PALETTE)], MARKERS[turn % len(MARKERS)]


def loss_curve(loss: Sequence[float], title: str = "") -> Figure:
    """The loss of each epoch, thin, and its moving mean."""
    figure, axes = _canvas(6.4, 3.2)
    epochs = np.arange(1, len(loss) + 1)
    axes.plot(epochs, loss, color=PALETTE[0], linewidth=1, alpha=0.35)
    axes.plot(epochs, _smooth(loss), color=PALETTE[0], linewidth=2)
    if len(loss):
        axes.annotate(
            f"{loss[-1]:.3f}", (epochs[-1], loss[-1]), xytext=(4, 4),
            textcoords="offset points", color=INK, fontsize=9,
        )  # fmt: skip
    axes.set_xlabel("epoch")
    axes.set_ylabel("loss")
    axes.grid(axis="y", color=_MUTED, alpha=0.25, linewidth=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(title, loc="left", color=INK, fontsize=11)
    return figure


def embedding_picture(
    picture: Picture, y: NDArray[np.int64] | None, names: Sequence[str] | None = None
) -> Figure:
    """Nodes in the plane, coloured by class, each class named at its middle and in the legend.

    Args:
        picture: positions of the nodes shown.
        y: ``[nodes]`` class of every node of the graph, -1 where it has none; None for one colour.
        names: names of the classes.
    """
    figure, axes = _canvas(6.4, 5.6)
    axes.set_axis_off()
    axes.set_aspect("equal", adjustable="datalim")
    shown = np.zeros(len(picture.nodes), dtype=np.int64) if y is None else y[picture.nodes]
    classes = [int(label) for label in np.unique(shown) if label >= 0][:_MOST_CLASSES]
    _draw(axes, picture.points[shown < 0], _MUTED, "o", "no label")
    for label, (colour, marker) in zip(classes, class_styles(len(classes)), strict=True):
        name = str(label) if names is None else names[label]
        points = picture.points[shown == label]
        _draw(axes, points, colour, marker, name)
        if 1 < len(classes) <= _MOST_NAMES:
            _write_name(axes, points, name)
    if len(classes) > 1:
        _legend(axes, len(classes))
    return figure


def to_svg(figure: Figure, *, on_paper: bool = False) -> str:
    """The figure as SVG text, the same bytes for the same figure.

    Args:
        figure: what is drawn.
        on_paper: on white, for pages whose own ground may be dark; else on nothing.
    """
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "graphrank", "svg.fonttype": "none"}):
        figure.savefig(
            buffer, format="svg", transparent=not on_paper, facecolor=PAPER, metadata={"Date": None}
        )
    return buffer.getvalue()


def to_png(figure: Figure, dpi: int = 150) -> bytes:
    """The figure as a PNG image on white."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, facecolor=PAPER, metadata={"Software": None})
    return buffer.getvalue()


def _smooth(loss: Sequence[float]) -> NDArray[np.float64]:
    """Mean of each epoch and those near it, since the loss of random views is noisy."""
    half = len(loss) // 20
    windows = (loss[max(0, i - half) : i + half + 1] for i in range(len(loss)))
    return np.array([np.mean(window) for window in windows])


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_MUTED)
    axes.tick_params(colors=INK, labelsize=9, color=_MUTED)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    return figure, axes


def _draw(axes: Axes, points: NDArray[np.float64], colour: str, marker: str, name: str) -> None:
    if len(points):
        axes.scatter(
            points[:, 0], points[:, 1], s=14, c=colour, marker=marker, label=name, alpha=0.85,
            linewidths=0.3, edgecolors=PAPER,
        )  # fmt: skip


def _write_name(axes: Axes, points: NDArray[np.float64], name: str) -> None:
    """Put a class's name at the median of its nodes."""
    x, y = np.median(points, axis=0)
    axes.text(
        x, y, name, color=INK, fontsize=13, fontweight="bold", ha="center", va="center",
        path_effects=[withStroke(linewidth=3, foreground=PAPER)],
    )  # fmt: skip


def _legend(axes: Axes, count: int) -> None:
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=min(count, 10), frameon=False,
        labelcolor=INK, fontsize=9, handletextpad=0.1, columnspacing=0.9, markerscale=1.4,
    )  # fmt: skip

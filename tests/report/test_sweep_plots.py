"""The figure of a sweep: panels, bands, axes and ticks."""

import numpy as np
import pytest

from graphrank.analysis.sweep_result import SweepResult
from graphrank.report.plots import to_png, to_svg
from graphrank.report.sweep_plots import sweep_figure, value_text
from graphrank.results import Result


def made(values, measures=("accuracy", "outliers"), seeds=3, parameter="margin", dataset="cora"):
    random = np.random.default_rng(0)
    points = tuple(
        Result(
            f"sweep:{parameter}", dataset, "graphrank", "public", {"method": {}, "task": {}},
            list(range(seeds)), {name: random.normal(50, 5, seeds).tolist() for name in measures},
        )
        for _ in values
    )  # fmt: skip
    return SweepResult(parameter, tuple(values), tuple(range(seeds)), tuple(measures), points)


def labels(axes):
    return [tick.get_text() for tick in axes.get_xticklabels()]


def test_one_panel_a_measure_with_its_title():
    found = made([0.0, 0.1, 1.0], ("accuracy", "outliers", "loss", "seconds"))
    panels = sweep_figure(found).axes
    titles = [axes.get_title(loc="left") for axes in panels]
    assert titles == ["accuracy (%)", "outliers", "final loss", "seconds"]
    assert [axes.get_xlabel() for axes in panels] == ["", "margin", "margin", "margin"]


def test_the_line_is_the_mean_and_the_band_one_deviation():
    found = made([1.0, 0.0, 2.0])
    axes = sweep_figure(found).axes[0]
    (line,) = axes.lines
    order = [1, 0, 2]
    np.testing.assert_allclose(line.get_xdata(), [0, 1, 2])
    np.testing.assert_allclose(line.get_ydata(), found.mean("accuracy")[order])
    (band,) = [each for each in axes.collections if "Fill" in type(each).__name__]
    corners = band.get_paths()[0].vertices[:, 1]
    low, high = (
        found.mean("accuracy") - found.std("accuracy"),
        found.mean("accuracy") + found.std("accuracy"),
    )
    assert (corners.min(), corners.max()) == pytest.approx((low.min(), high.max()))
    assert len([each for each in axes.collections if each is not band]) == 3  # the seeds


def test_one_seed_has_no_band():
    axes = sweep_figure(made([0.0, 1.0], seeds=1)).axes[0]
    assert not axes.collections


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([0.1, 0.2, 0.5], "linear"),
        ([0.0], "linear"),
        ([1, 16, 1024], "log"),
        ([0.0, 0.01, 1.0, 10.0], "symlog"),
        (["linear", "gcn", "gat"], "linear"),
    ],
)
def test_the_axis_fits_the_values(values, scale):
    axes = sweep_figure(made(values)).axes[0]
    assert axes.get_xscale() == scale
    assert labels(axes) == [value_text(value) for value in values]


def test_choices_stand_apart_with_bars_and_no_line():
    axes = sweep_figure(made([True, False], parameter="standardize")).axes[0]
    assert labels(axes) == ["true", "false"]
    assert all(line.get_linestyle() == "None" for line in axes.lines)
    assert len(axes.containers) == 1


def test_labels_that_would_touch_are_left_out():
    axes = sweep_figure(made([2**power for power in range(11)])).axes[0]
    assert {"1", "1024"} <= set(labels(axes))
    assert "512" not in labels(axes)


def test_a_long_title_takes_two_lines():
    short, long = made([0, 1]), made([0, 1], ("loss",), dataset="sbm:nodes=1000,classes=5,seed=3")
    assert sweep_figure(short).get_suptitle() == "graphrank on cora"
    assert sweep_figure(long).get_suptitle() == "graphrank\nsbm:nodes=1000,classes=5,seed=3"


def test_the_preset_is_named():
    found = made([0, 1])
    found.points[0].preset = "paper"
    assert sweep_figure(found).get_suptitle() == "graphrank (paper) on cora"


def test_it_can_be_saved_and_is_the_same_every_time():
    found = made([0.0, 0.01, 10.0])
    assert to_png(sweep_figure(found)).startswith(b"\x89PNG")
    assert to_svg(sweep_figure(found)) == to_svg(sweep_figure(found))

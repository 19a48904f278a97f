"""Figures."""

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from graphrank.report.plots import (
    PALETTE,
    class_styles,
    embedding_picture,
    loss_curve,
    to_png,
    to_svg,
)
from graphrank.report.projection import Picture


def picture(nodes=40):
    points = np.random.default_rng(0).random((nodes, 2))
    return Picture(points, np.arange(nodes), "PCA")


def test_no_two_classes_look_alike():
    styles = list(class_styles(30))
    assert len(set(styles)) == 30
    assert [colour for colour, _ in styles[: len(PALETTE)]] == list(PALETTE)


def test_a_loss_curve_shows_the_loss_and_its_mean():
    loss = [3.0, 2.0, 1.0] * 20
    (axes,) = loss_curve(loss, "Loss").axes
    raw, smooth = axes.lines
    np.testing.assert_array_equal(raw.get_ydata(), loss)
    assert smooth.get_ydata()[30] == pytest.approx(np.mean(loss[27:34]))
    assert loss_curve([]).axes


def test_classes_have_their_names_in_the_legend():
    y = np.arange(40) % 3
    (axes,) = embedding_picture(picture(), y, ["low", "mid", "high"]).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["low", "mid", "high"]
    assert {text.get_text() for text in axes.texts} == {"low", "mid", "high"}


def test_nodes_without_label_and_graphs_without_labels():
    y = np.where(np.arange(40) < 5, -1, np.arange(40) % 2)
    (axes,) = embedding_picture(picture(), y).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no label", "0", "1"]
    (bare,) = embedding_picture(picture(), None).axes
    assert bare.get_legend() is None


def test_many_classes_are_named_in_the_legend_alone():
    (axes,) = embedding_picture(picture(), np.arange(40)).axes
    assert not axes.texts
    assert len(axes.get_legend().get_texts()) == 40


def test_images_are_the_same_bytes_each_time():
    for write in (to_svg, to_png):
        first, second = (write(loss_curve([2.0, 1.0])) for _ in range(2))
        assert first == second
    assert ET.fromstring(to_svg(loss_curve([2.0, 1.0]))).tag.endswith("svg")
    assert to_png(loss_curve([1.0])).startswith(b"\x89PNG")
    assert len(list(itertools.islice(class_styles(2), 5))) == 2

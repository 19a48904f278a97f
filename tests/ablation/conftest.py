"""A small plan, its graph, and lines out of thin air."""

import pytest

from graphrank.ablation.plan import Plan
from graphrank.ablation.run import Place
from graphrank.ablation.variant import parse_variant
from graphrank.methods.graphrank import GraphRank
from tests.conftest import toy_graph
from tests.report.results_for_tests import make_result

SMALL = {"channels": 4, "epochs": 1}
TASKS = ("node-classification", "link-prediction", "clustering")


@pytest.fixture
def graphs():
    return {"toy": named_toy()}


def named_toy(name="toy", seed=0):
    data = toy_graph(seed, groups=3, size=20)
    data.name = name
    return data


def make_plan(**changes):
    """Two variants of GraphRank on a graph of one's own, whose name no check knows."""
    given = {"default": {}, "wide": {"channels": 5}}
    variants = changes.pop("settings", given)
    fields = {
        "reference": "default",
        "datasets": ("karate",),
        "variants": {
            name: parse_variant(name, {"settings": {**SMALL, **settings}})
            for name, settings in variants.items()
        },
        "tasks": TASKS,
        "seeds": 2,
    }
    return Plan(**{**fields, **changes})


def figures(metric="validation_accuracy", task="node-classification", **rows):
    """Figures of variants: ``a={"cora": [1.0, 2.0]}`` has two seeds of variant a."""
    return {
        Place(variant, dataset, task): make_result("graphrank", values, metric, task=task)
        for variant, by_dataset in rows.items()
        for dataset, values in by_dataset.items()
    }


@pytest.fixture
def fitted(monkeypatch):
    """Channels and seed of every fit of GraphRank."""
    record, real = [], GraphRank.fit

    def counted(self, *args, **kwargs):
        record.append((self.channels, self.seed))
        return real(self, *args, **kwargs)

    monkeypatch.setattr(GraphRank, "fit", counted)
    return record

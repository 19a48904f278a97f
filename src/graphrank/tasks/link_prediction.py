"""Link prediction: edges are held out, embeddings of the rest tell them from other pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch_geometric.data import Data

from graphrank.data import without_labels
from graphrank.data.edge_splits import EdgeSplit, split_edges
from graphrank.data.kinds import across
from graphrank.data.negatives import Accept, PairSet
from graphrank.errors import DataError
from graphrank.tasks.base import Protocol, Task
from graphrank.tasks.link_blend import blend_validation_auc, fit_blend
from graphrank.tasks.link_decoder import train_decoder
from graphrank.tasks.link_metrics import (
    HITS_AT,
    PairScores,
    auc,
    average_precision,
    hits_at,
    mean_reciprocal_rank,
)
from graphrank.tasks.link_scores import BLEND, SeenGraph, check_scorer, choose_scorer


@dataclass(frozen=True)
class LinkPlan:
    """How a protocol splits and scores.

    Args:
        val: share of validation edges.
        test: share of test edges.
        decoder: score by a decoder trained on the training edges.
        leaky: the method sees the whole graph, held-out edges as well.
        label_aware: edges within classes only, against pairs of different classes.
    """

    val: float = 0.05
    test: float = 0.1
    decoder: bool = False
    leaky: bool = False
    label_aware: bool = False


@dataclass(frozen=True, eq=False)
class LinkSplit:
    """Split edges, the plan that they were split by, and which pairs may be joined at all.

    Args:
        edges: the split.
        plan: the plan.
        fit: tells for each of ``[2, P]`` pairs whether it goes across two kinds of nodes; none
            where all are of one kind.
    """

    edges: EdgeSplit
    plan: LinkPlan
    fit: Accept | None = None


_PLANS: dict[str, LinkPlan] = {
    "edges-85-5-10": LinkPlan(),
    "edges-70-20-10": LinkPlan(val=0.2),
    "edges-85-5-10-decoder": LinkPlan(decoder=True),
    "edges-70-20-10-decoder": LinkPlan(val=0.2, decoder=True),
    "edges-leaky": LinkPlan(leaky=True),
    "edges-label-aware": LinkPlan(label_aware=True),
}


def _summary(plan: LinkPlan) -> str:
    """What a plan does, in one line."""
    shares = f"{1 - plan.val - plan.test:.0%} / {plan.val:.0%} / {plan.test:.0%} of the edges"
    ways = {
        "a perceptron trained on the training edges": plan.decoder,
        "the method sees the held-out edges": plan.leaky,
        "edges within classes against pairs of different classes": plan.label_aware,
    }
    return "; ".join([f"{shares}, redrawn for each seed", *(way for way in ways if ways[way])])


@dataclass(frozen=True)
class LinkPrediction(Task[LinkSplit]):
    """AUC, AP, Hits@50 and MRR of held-out edges against as many pairs without an edge.

    Args:
        scorer: how two embeddings give a score: ``blend`` for several, weighed by validation pairs;
            ``auto`` for the best one on validation; or a name in
            :data:`~graphrank.tasks.link_scores.SCORERS`. The protocols with a decoder train their
            own.
    """

    name: ClassVar[str] = "link-prediction"
    summary: ClassVar[str] = "held-out edges against pairs without an edge"
    metrics: ClassVar[tuple[str, ...]] = ("auc", "ap", "hits_50", "mrr")
    protocols: ClassVar[Mapping[str, Protocol]] = {
        name: Protocol(name, _summary(plan), "validation", plan.leaky or plan.label_aware)
        for name, plan in _PLANS.items()
    }

    scorer: str = BLEND

    def __post_init__(self) -> None:
        check_scorer(self.scorer)

    def default_protocol(self, data: Data) -> str:
        """The split that most published code uses."""
        return "edges-85-5-10"

    def split(self, data: Data, protocol: Protocol, seed: int) -> LinkSplit:
        """Training, validation and test edges, and negatives for the last two.

        Where nodes are of two kinds, negatives go across as edges do.
        """
        plan = _PLANS[protocol.name]
        if not plan.label_aware:
            fit = across(data.get("node_kind"))
            edges = split_edges(data, seed, plan.val, plan.test, accept_negative=fit)
            return LinkSplit(edges, plan, fit)
        if data.get("y") is None:
            raise DataError(f"{protocol.name} needs a label for each node; name the label column")
        edges = split_edges(
            data,
            seed,
            plan.val,
            plan.test,
            keep=lambda pairs: _labelled(data.y, pairs) & ~_differ(data.y, pairs),
            accept_negative=lambda pairs: _labelled(data.y, pairs) & _differ(data.y, pairs),
        )
        return LinkSplit(edges, plan)

    def visible(self, data: Data, split: LinkSplit) -> Data:
        """The graph with its training edges alone.

        Features that were derived from the edges are taken away as well; a method derives them
        again from the edges that it sees.
        """
        visible = without_labels(data)
        if split.plan.leaky:
            return visible
        visible.edge_index = split.edges.edge_index
        if split.edges.edge_weight is not None:
            visible.edge_weight = split.edges.edge_weight
        if data.get("feature_source") == "structural":
            del visible.x, visible.feature_names
        return visible

    def evaluate(
        self, embedding: Tensor, data: Data, split: LinkSplit, seed: int
    ) -> dict[str, float]:
        """AUC, AP, Hits@50 and MRR of the test edges, in per cent."""
        score, edges = self._score(embedding, split, seed), split.edges
        positive, negative = score(edges.test), score(edges.test_negatives)
        known = PairSet.of(data.edge_index, data.num_nodes)
        figures = {
            "auc": auc(positive, negative),
            "ap": average_precision(positive, negative),
            "hits_50": hits_at(HITS_AT, positive, negative),
            "mrr": mean_reciprocal_rank(score, edges.test, known, seed, split.fit),
        }
        return {name: 100 * value for name, value in figures.items()}

    def validate(self, embedding: Tensor, data: Data, split: LinkSplit, seed: int) -> float:
        """AUC of the validation edges, in per cent; a blend is fitted to other ones of them."""
        edges = split.edges
        if self.scorer == BLEND and not split.plan.decoder:
            seen = SeenGraph(edges.edge_index, embedding.size(0))
            return 100 * blend_validation_auc(embedding, seen, edges.val, edges.val_negatives)
        score = self._score(embedding, split, seed)
        return 100 * auc(score(edges.val), score(edges.val_negatives))

    def _score(self, embedding: Tensor, split: LinkSplit, seed: int) -> PairScores:
        """What scores pairs; it is chosen on validation and knows nothing of the test edges."""
        edges = split.edges
        if split.plan.decoder:
            return train_decoder(embedding, edges, seed, accept=split.fit).score
        seen = SeenGraph(edges.edge_index, embedding.size(0))
        if self.scorer == BLEND:
            return fit_blend(embedding, seen, edges.val, edges.val_negatives)
        return choose_scorer(self.scorer, embedding, seen, edges.val, edges.val_negatives)


def _labelled(y: Tensor, pairs: Tensor) -> Tensor:
    return (y[pairs] >= 0).all(dim=0)


def _differ(y: Tensor, pairs: Tensor) -> Tensor:
    return y[pairs[0]] != y[pairs[1]]

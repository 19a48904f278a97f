"""Everything that a sweep can measure of a fitted method, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor
from torch_geometric.data import Data

from graphrank.analysis.class_geometry import inter_class_distance, intra_class_variance, outliers
from graphrank.analysis.fitted import Fitted
from graphrank.analysis.label_free import effective_rank, mean_similarity, uniformity
from graphrank.errors import ConfigError, DataError, unknown_name


@dataclass(frozen=True)
class Measure:
    """A number that describes a fitted method.

    Args:
        title: as figures and tables write it.
        summary: what it says, in one line.
        of: the measure itself.
        labelled: whether it needs labels.
        percent: whether it is in per cent.
    """

    title: str
    summary: str
    of: Callable[[Fitted], float]
    labelled: bool = False
    percent: bool = False

    @property
    def heading(self) -> str:
        """The title with its unit."""
        return f"{self.title} (%)" if self.percent else self.title


def _score_of(title: str, summary: str, of: Callable[[Fitted], float]) -> Measure:
    return Measure(title, summary, of, labelled=True, percent=True)


def _geometry_of(title: str, summary: str, of: Callable[[Tensor, Tensor], float]) -> Measure:
    return Measure(title, summary, lambda run: of(run.embedding, run.data.y), labelled=True)


def _label_free(title: str, summary: str, of: Callable[[Tensor], float]) -> Measure:
    return Measure(title, summary, lambda run: of(run.embedding))


def _last_loss(run: Fitted) -> float:
    if run.loss is None:
        raise ConfigError("nothing was trained, so there is no loss; leave out the measure loss")
    return run.loss


MEASURES: dict[str, Measure] = {
    "accuracy": _score_of(
        "accuracy", "test accuracy of a linear probe", lambda run: run.classification["accuracy"]
    ),
    "macro_f1": _score_of(
        "macro-F1", "test macro-F1 of a linear probe", lambda run: run.classification["macro_f1"]
    ),
    "nmi": _score_of(
        "k-means NMI", "k-means against the classes", lambda run: run.clustering["nmi"]
    ),
    "ari": _score_of(
        "k-means ARI", "k-means against the classes", lambda run: run.clustering["ari"]
    ),
    "intra_class_variance": _geometry_of(
        "intra-class variance", "how wide the classes are, rows as they are", intra_class_variance
    ),
    "intra_class_variance_normalized": _geometry_of(
        "intra-class variance (unit rows)",
        "how wide the classes are, rows of length one",
        lambda embedding, y: intra_class_variance(embedding, y, normalize=True),
    ),
    "inter_class_distance": _geometry_of(
        "inter-class distance", "how far class means are apart, rows as they are",
        inter_class_distance,
    ),
    "inter_class_distance_normalized": _geometry_of(
        "inter-class distance (unit rows)",
        "how far class means are apart, rows of length one",
        lambda embedding, y: inter_class_distance(embedding, y, normalize=True),
    ),
    "outliers": _geometry_of(
        "outliers",
        "number of nodes nearer to another class's mean than to their own",
        lambda embedding, y: outliers(embedding, y).count,
    ),
    "uniformity": _label_free(
        "uniformity", "0 where collapsed, lower the more evenly nodes spread", uniformity
    ),
    "effective_rank": _label_free(
        "effective rank", "number of directions that nodes really use", effective_rank
    ),
    "mean_similarity": _label_free(
        "mean similarity", "mean cosine of two nodes; 1 where collapsed", mean_similarity
    ),
    "loss": Measure("final loss", "loss of the last epoch", _last_loss),
    "seconds": Measure("seconds", "wall-clock time of the fit", lambda run: run.seconds),
}  # fmt: skip


def check_measures(names: Iterable[str]) -> tuple[str, ...]:
    """The names, each once, if all of them are known.

    Raises:
        ConfigError: For the first unknown one, or where there is none.
    """
    chosen = tuple(dict.fromkeys(names))
    for name in chosen:
        if name not in MEASURES:
            raise ConfigError(unknown_name("measure", name, MEASURES))
    if not chosen:
        raise ConfigError(f"name at least one measure of {', '.join(MEASURES)}")
    return chosen


def check_labels(names: Sequence[str], data: Data) -> None:
    """Raise a :class:`DataError` where a measure needs labels that the graph has not."""
    needing = [name for name in names if MEASURES[name].labelled]
    has_labels = data.get("y") is not None and bool((data.y >= 0).any())
    if needing and not has_labels:
        free = ", ".join(name for name, measure in MEASURES.items() if not measure.labelled)
        raise DataError(
            f"the measure {needing[0]} needs labels and this graph has none; name the label "
            f"column with --label-column, or use one of {free}"
        )


def measure(names: Iterable[str], run: Fitted) -> dict[str, float]:
    """Values of some measures of a fitted method, by name.

    Example:
        >>> from graphrank import GraphRank, load
        >>> data = load("karate")
        >>> z = GraphRank(epochs=2, channels=8).fit_transform(data)
        >>> sorted(measure(["effective_rank", "outliers"], Fitted(z, data)))
        ['effective_rank', 'outliers']
    """
    return {name: float(MEASURES[name].of(run)) for name in names}

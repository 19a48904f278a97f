"""The datasets that can be loaded by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from graphrank.errors import DataError, unknown_name

Family: TypeAlias = Literal["planetoid", "amazon", "coauthor", "tu", "builtin"]
Level: TypeAlias = Literal["node", "graph"]

_PLANETOID_PARTS = ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index")
_PLANETOID = "Yang, Cohen and Salakhutdinov 2016, arXiv:1603.08861"
_SHCHUR = "Shchur et al. 2018, arXiv:1811.05868"
_YANARDAG = "Yanardag and Vishwanathan 2015, doi:10.1145/2783258.2783417"


@dataclass(frozen=True)
class DatasetInfo:
    """What is known of a dataset before it is loaded.

    Attributes:
        name: The name of the dataset, which is also its folder in the data root.
        level: ``"node"`` for one graph, ``"graph"`` for many.
        family: Which reader takes it.
        size: Number of nodes, or of graphs at graph level.
        edges: Entries of ``edge_index`` in all, an undirected edge counting twice.
        features: Number of features (node labels at graph level), 0 where there are none.
        classes: Number of classes.
        citation: Where it was published.
        files: The published files that are read, without folders.
        protocol: The evaluation used in the literature, and the default here.
        aliases: Other names, in lower case.
        licence: The licence of the data, or ``"not stated"``.
    """

    name: str
    level: Level
    family: Family
    size: int
    edges: int
    features: int
    classes: int
    citation: str
    files: tuple[str, ...]
    protocol: str
    aliases: tuple[str, ...] = ()
    licence: str = "not stated"

    @property
    def built_in(self) -> bool:
        """Whether the dataset needs no file and no download."""
        return self.family == "builtin"


def _planetoid(name: str, size: int, edges: int, features: int, classes: int) -> DatasetInfo:
    """Describe a citation graph with its public split."""
    files = tuple(f"ind.{name.lower()}.{part}" for part in _PLANETOID_PARTS)
    return DatasetInfo(
        name, "node", "planetoid", size, edges, features, classes, _PLANETOID, files, "public"
    )


def _shchur(
    name: str, family: Family, file: str, counts: tuple[int, int, int, int], *aliases: str
) -> DatasetInfo:
    """Describe a co-purchase or co-author graph; they have no published split."""
    return DatasetInfo(name, "node", family, *counts, _SHCHUR, (file,), "random-10-10-80", aliases)


def _tu(name: str, counts: tuple[int, int, int, int], citation: str, *aliases: str) -> DatasetInfo:
    """Describe a set of graphs in the layout of the TU Dortmund collection."""
    return DatasetInfo(
        name, "graph", "tu", *counts, citation, (f"{name}.zip",), "svm-10-fold", aliases
    )


_ENTRIES = (
    _planetoid("Cora", 2708, 10556, 1433, 7),
    _planetoid("CiteSeer", 3327, 9104, 3703, 6),
    _planetoid("PubMed", 19717, 88648, 500, 3),
    _shchur(
        "Photo",
        "amazon",
        "amazon_electronics_photo.npz",
        (7650, 238162, 745, 8),
        "amazon-photo",
        "amazon-photos",
    ),
    _shchur(
        "Computers",
        "amazon",
        "amazon_electronics_computers.npz",
        (13752, 491722, 767, 10),
        "computer",
        "amazon-computers",
        "amazon-computer",
    ),
    _shchur("CS", "coauthor", "ms_academic_cs.npz", (18333, 163788, 6805, 15), "coauthor-cs"),
    _shchur(
        "Physics",
        "coauthor",
        "ms_academic_phy.npz",
        (34493, 495924, 8415, 5),
        "coauthor-physics",
        "coauthor-phy",
    ),
    _tu("MUTAG", (188, 7442, 7, 2), "Debnath et al. 1991, doi:10.1021/jm00106a046"),
    _tu(
        "PROTEINS",
        (1113, 162088, 3, 2),
        "Borgwardt et al. 2005, doi:10.1093/bioinformatics/bti1007",
    ),
    _tu("IMDB-BINARY", (1000, 193062, 0, 2), _YANARDAG, "imdb-b"),
    _tu("IMDB-MULTI", (1500, 197806, 0, 3), _YANARDAG, "imdb-m"),
    _tu("COLLAB", (5000, 24572158, 0, 3), _YANARDAG),
    _tu("REDDIT-BINARY", (2000, 1991016, 0, 2), _YANARDAG, "reddit-b"),
    DatasetInfo(
        "digits",
        "node",
        "builtin",
        1797,
        24680,
        64,
        10,
        "Alpaydin and Kaynak 1998, doi:10.24432/C50P49",
        (),
        "random-10-10-80",
        licence="CC BY 4.0",
    ),
    DatasetInfo(
        "karate",
        "node",
        "builtin",
        34,
        156,
        0,
        4,
        "Zachary 1977, doi:10.1086/jar.33.4.3629752",
        (),
        "random-10-10-80",
        ("karate-club", "karateclub"),
    ),
)

CATALOG: dict[str, DatasetInfo] = {info.name: info for info in _ENTRIES}
"""All datasets by name."""

_BY_FOLDED = {alias.casefold(): info for info in _ENTRIES for alias in (info.name, *info.aliases)}


def find(name: str) -> DatasetInfo | None:
    """Return the dataset of that name or alias, in any case, or None."""
    return _BY_FOLDED.get(name.casefold().replace("_", "-"))


def dataset_info(name: str) -> DatasetInfo:
    """Return the dataset of that name or alias, in any case.

    Raises:
        DataError: If there is none, with the nearest name.

    Example:
        >>> dataset_info("amazon-photo").name
        'Photo'
    """
    info = find(name)
    if info is None:
        raise DataError(unknown_name("dataset", name, CATALOG))
    return info

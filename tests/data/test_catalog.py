import pytest

from graphrank.data.catalog import CATALOG, dataset_info, find
from graphrank.errors import DataError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cora", "Cora"),
        ("CITESEER", "CiteSeer"),
        ("amazon-photo", "Photo"),
        ("Amazon_Photo", "Photo"),
        ("computer", "Computers"),
        ("coauthor-cs", "CS"),
        ("coauthor-physics", "Physics"),
        ("imdb-b", "IMDB-BINARY"),
        ("imdb-m", "IMDB-MULTI"),
        ("reddit-b", "REDDIT-BINARY"),
        ("karate", "karate"),
    ],
)
def test_names_and_aliases(name, expected):
    assert dataset_info(name).name == expected


def test_unknown_name():
    assert find("core") is None
    with pytest.raises(DataError, match="did you mean 'Cora'"):
        dataset_info("core")


def test_entries_are_complete():
    assert len(CATALOG) == 15
    aliases = [alias for info in CATALOG.values() for alias in (info.name.lower(), *info.aliases)]
    assert len(set(aliases)) == len(aliases)
    for info in CATALOG.values():
        assert info.built_in == (not info.files)
        assert info.licence
        assert info.citation
        assert info.protocol in {"public", "random-10-10-80", "svm-10-fold"}
        assert info.size > 0
        assert info.edges > 0
        assert info.classes > 1

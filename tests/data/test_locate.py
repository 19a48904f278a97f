import io
import urllib.request

import pytest

from graphrank.data import CATALOG, available, load
from graphrank.data.locate import locate
from graphrank.errors import DataError

PHOTO = CATALOG["Photo"]
MUTAG = CATALOG["MUTAG"]


@pytest.mark.parametrize("folder", ["Photo/raw", "Photo", "photo/raw", "PHOTO", "."])
def test_layouts_of_a_node_dataset(tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / folder / PHOTO.files[0]).touch()
    assert locate(PHOTO, tmp_path).samefile(tmp_path / folder)
    assert available(PHOTO, tmp_path)


@pytest.mark.parametrize("file", ["MUTAG.zip", "MUTAG/MUTAG_A.txt", "mutag/raw/MUTAG_A.txt"])
def test_layouts_of_a_graph_set(tmp_path, file):
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).touch()
    expected = tmp_path / file if file.endswith("zip") else (tmp_path / file).parent
    assert locate(MUTAG, tmp_path) == expected


def test_half_a_dataset_is_none(tmp_path):
    (tmp_path / "ind.cora.x").touch()
    assert not available(CATALOG["Cora"], tmp_path)


def test_built_in_is_always_available():
    assert available(CATALOG["karate"])
    assert not available(PHOTO)


def test_message_names_files_and_folder():
    with pytest.raises(DataError) as caught:
        load("photo")
    message = str(caught.value)
    assert "amazon_electronics_photo.npz" in message
    assert "Photo/raw" in message.replace("\\", "/")
    assert "GRAPHRANK_DATA" in message
    with pytest.raises(DataError, match=r"put MUTAG\.zip into <root> and"):
        load("mutag")


@pytest.mark.parametrize("name", ["Cora", "Photo", "CS", "MUTAG"])
def test_download_into_the_cache(monkeypatch, name):
    asked = []

    def answer(url, timeout):
        asked.append(url)
        assert timeout > 0
        return io.BytesIO(b"content")

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    info = CATALOG[name]
    place = locate(info)
    assert [url.rpartition("/")[2] for url in asked] == list(info.files)
    assert all(url.startswith("https://") for url in asked)
    assert available(info)
    assert locate(info) == place
    assert len(asked) == len(info.files)


def test_broken_download_leaves_nothing(monkeypatch):
    answers = iter([io.BytesIO(b"first")])

    def answer(url, timeout):
        try:
            return next(answers)
        except StopIteration:
            raise OSError("line broken") from None

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    with pytest.raises(DataError, match="line broken"):
        locate(CATALOG["Cora"])
    assert not available(CATALOG["Cora"])


def test_data_root_is_never_written(tmp_path):
    with pytest.raises(DataError):
        load("cora", data_root=tmp_path)
    assert list(tmp_path.iterdir()) == []

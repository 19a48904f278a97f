import logging
import shutil
import zipfile

import numpy as np
import pytest

from graphrank.data import load
from graphrank.data import packed as packed_module
from graphrank.data.paths import cache_dir
from graphrank.errors import DataError


def check(graphs):
    assert len(graphs) == 2
    assert graphs.y.tolist() == [0, 1]
    assert graphs.node_label.tolist() == [0, 1, 0, 1, 2]
    assert graphs.ptr.tolist() == [0, 3, 5]
    assert graphs.edge_index.tolist() == [[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]]


def test_folder_archive_and_name(mutag_folder, tmp_path):
    check(load(mutag_folder))
    archive = tmp_path / "archives" / "MUTAG.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_LZMA) as file:
        for path in mutag_folder.iterdir():
            file.write(path, f"MUTAG/{path.name}")
    check(load(archive))
    check(load("mutag", data_root=archive.parent))
    check(load("mutag", data_root=tmp_path))
    (mutag_folder / "raw").mkdir()
    for path in mutag_folder.glob("*.txt"):
        path.rename(mutag_folder / "raw" / path.name)
    check(load(mutag_folder))
    check(load("MUTAG", data_root=tmp_path))


def test_nodes_in_any_order(mutag_folder):
    (mutag_folder / "MUTAG_graph_indicator.txt").write_text("2\n2\n2\n1\n1\n")
    graphs = load(mutag_folder)
    assert graphs.ptr.tolist() == [0, 2, 5]
    assert graphs.node_label.tolist() == [1, 2, 0, 1, 0]
    assert graphs[1].edge_index.tolist() == [[0, 1, 1, 2], [1, 0, 2, 1]]


def test_a_folder_may_be_called_otherwise(mutag_folder, tmp_path):
    check(load(mutag_folder.rename(tmp_path / "mygraphs")))


def test_node_labels_keep_their_names(mutag_folder):
    (mutag_folder / "MUTAG_node_labels.txt").write_text("-1\n7\n-1\n7\n9\n")
    for _ in ("parsed", "from the cache"):
        graphs = load(mutag_folder)
        assert list(graphs.label_names) == ["-1", "7", "9"]
        assert graphs.node_label.tolist() == [0, 1, 0, 1, 2]


def test_without_node_labels(mutag_folder):
    (mutag_folder / "MUTAG_node_labels.txt").unlink()
    assert load(mutag_folder).node_label is None


def test_one_way_edges_loops_and_empty_graphs(mutag_folder):
    (mutag_folder / "MUTAG_A.txt").write_text("1, 2\n2, 3\n1, 1\n4, 5\n4, 5\n")
    (mutag_folder / "MUTAG_graph_labels.txt").write_text("0\n1\n1\n")
    graphs = load(mutag_folder)
    assert graphs.edge_index.tolist() == [[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]]
    assert graphs[2].num_nodes == 0


def test_parsed_once(mutag_folder, monkeypatch):
    first = load(mutag_folder)
    files = list((cache_dir() / "graphs").iterdir())
    assert len(files) == 1
    with np.load(files[0], allow_pickle=False) as arrays:
        filled = [key for key in arrays if arrays[key].size]
        assert {arrays[key].dtype for key in filled} == {np.dtype(np.uint8)}
    monkeypatch.setattr("graphrank.data.readers.tu._parse", None)
    check(first)
    check(load(mutag_folder))


def test_a_changed_source_is_parsed_again(mutag_folder):
    load(mutag_folder)
    (mutag_folder / "MUTAG_A.txt").write_text("1, 2\n")
    assert load(mutag_folder).edge_index.size(1) == 2


def test_a_damaged_cache_is_made_again(mutag_folder):
    load(mutag_folder)
    file = next((cache_dir() / "graphs").iterdir())
    for content in (b"", b"PK\x03\x04", file.read_bytes()[:200]):
        file.write_bytes(content)
        check(load(mutag_folder))


def test_a_cache_that_cannot_be_written_is_done_without(mutag_folder, monkeypatch):
    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(packed_module, "_write", full)
    check(load(mutag_folder))


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("A", "1, 9\n", "do not fit each other"),
        ("A", "0, 1\n", "do not fit each other"),
        ("A", "1, 4\n", "do not fit each other"),
        ("A", "one, two\n", "are damaged"),
        ("A", "1\n", "are damaged"),
        ("graph_labels", "1\n", "do not fit each other"),
        ("graph_indicator", "0\n1\n1\n1\n1\n", "do not fit each other"),
        ("node_labels", "1\n", "do not fit each other"),
        ("graph_indicator", "", "are damaged"),
    ],
)
def test_damaged_files(mutag_folder, part, text, message):
    (mutag_folder / f"MUTAG_{part}.txt").write_text(text)
    with pytest.raises(DataError, match=message):
        load(mutag_folder)


def test_missing_files(mutag_folder, tmp_path):
    (mutag_folder / "MUTAG_graph_labels.txt").unlink()
    with pytest.raises(DataError) as caught:
        load("mutag", data_root=tmp_path)
    assert str(caught.value) == (
        "MUTAG_graph_labels.txt is missing in MUTAG; add the published one"
    )
    (mutag_folder / "MUTAG_graph_indicator.txt").unlink()
    with pytest.raises(DataError) as caught:
        load(mutag_folder)
    assert str(caught.value) == (
        "MUTAG_graph_indicator.txt is missing in MUTAG; add the published one"
    )
    shutil.rmtree(mutag_folder)
    archive = tmp_path / "MUTAG.zip"
    archive.write_bytes(b"no archive")
    with pytest.raises(DataError, match="are damaged"):
        load("mutag", data_root=tmp_path)


def test_features_need_one_graph(mutag_folder):
    with pytest.raises(DataError, match="set of graphs"):
        load(mutag_folder, features=np.eye(5))


def test_changed_labels_are_read_again(mutag_folder):
    assert load(mutag_folder).y.tolist() == [0, 1]
    (mutag_folder / "MUTAG_graph_labels.txt").write_text("7\n-7\n")
    assert load(mutag_folder).y.tolist() == [1, 0]
    (mutag_folder / "MUTAG_graph_labels.txt").unlink()
    graphs = load(mutag_folder)
    assert graphs.y is None and len(graphs) == 2


def test_attributes_where_nodes_have_no_labels(mutag_folder, caplog):
    table = "0.5, 1\n1.5, 2\n2.5, 3\n3.5, 4\n4.5, 5\n"
    (mutag_folder / "MUTAG_node_attributes.txt").write_text(table)
    for _ in range(2):
        with caplog.at_level(logging.INFO, "graphrank"):
            assert load(mutag_folder).x is None
        left_out = "MUTAG: node attributes are left out, since the nodes have labels"
        assert caplog.messages.count(left_out) == 1
        caplog.clear()
    (mutag_folder / "MUTAG_node_labels.txt").unlink()
    for _ in range(2):  # parsed, and then from the cache
        graphs = load(mutag_folder)
        assert graphs.node_label is None
        assert graphs.x.tolist() == [[0.5, 1], [1.5, 2], [2.5, 3], [3.5, 4], [4.5, 5]]
    assert "left out" not in caplog.text

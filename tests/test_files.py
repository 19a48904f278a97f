import errno
import os
import stat

import pytest

from graphrank.errors import GraphRankError
from graphrank.files import (
    atomic_path,
    readable_write_errors,
    refuse_existing,
    write_bytes,
    write_text,
)


def test_written_whole_into_new_folders(tmp_path):
    write_text(tmp_path / "a/b/file.txt", "grüße")
    assert (tmp_path / "a/b/file.txt").read_text(encoding="utf-8") == "grüße"
    write_bytes(tmp_path / "a/b/file.txt", b"other")
    assert (tmp_path / "a/b/file.txt").read_bytes() == b"other"
    assert [file.name for file in (tmp_path / "a/b").iterdir()] == ["file.txt"]


def test_the_temporary_file_keeps_the_ending(tmp_path):
    """Writers that choose a format by the ending see the right one."""
    with atomic_path(tmp_path / "table.parquet") as temporary:
        assert temporary.suffix == ".parquet"
        assert temporary.parent == tmp_path and temporary.name != "table.parquet"
        temporary.write_bytes(b"x")
        assert not (tmp_path / "table.parquet").exists()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_nothing_is_left_after_a_failure(tmp_path, error):
    file = tmp_path / "file.txt"
    file.write_text("old")
    with pytest.raises(error), atomic_path(file) as temporary:
        temporary.write_text("half")
        raise error
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "no right to write"),
        (errno.EROFS, "read-only"),
    ],
)
def test_refusals_become_one_sentence(tmp_path, number, words):
    file = tmp_path / "file.txt"
    with (
        pytest.raises(GraphRankError, match=f"cannot write .*file.txt: .*{words}") as caught,
        atomic_path(file),
    ):
        raise OSError(number, os.strerror(number))
    assert "nothing was changed" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_other_errors_stay_what_they_are(tmp_path):
    with pytest.raises(OSError, match="hardware"), readable_write_errors(tmp_path):
        raise OSError(errno.EIO, "hardware")


def test_a_file_in_the_way_of_a_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(GraphRankError, match="choose another path"):
        write_text(tmp_path / "file/inner.txt", "y")
    with pytest.raises(GraphRankError, match="choose another path"):
        write_text(tmp_path / "file/deeper/inner.txt", "y")


def test_a_folder_in_the_way_of_a_file(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(GraphRankError, match="a folder of that name is there"):
        write_text(tmp_path / "folder", "y")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_a_name_that_is_too_long(tmp_path):
    with pytest.raises(GraphRankError, match="too long"):
        write_text(tmp_path / ("x" * 300), "y")


def test_rights_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "file", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_refuse_existing(tmp_path):
    refuse_existing(tmp_path / "new", overwrite=False)
    refuse_existing(tmp_path, overwrite=False)  # an empty folder
    (tmp_path / "file").write_text("x")
    for taken in (tmp_path, tmp_path / "file"):
        with pytest.raises(GraphRankError, match="exists already; choose another path"):
            refuse_existing(taken, overwrite=False)
        refuse_existing(taken, overwrite=True)

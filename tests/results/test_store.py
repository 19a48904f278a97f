import errno
import json
import multiprocessing
import os

import pytest

from graphrank import GraphRank
from graphrank.errors import GraphRankError
from graphrank.results import Result, append, read
from tests.results.test_record import make


def test_lines_of_one_cell_are_merged_in_order_of_first_appearance(tmp_path):
    file = tmp_path / "new/results.jsonl"
    append(file, make((3,)))
    append(file, make((0,), dataset="other"))
    append(file, make((1, 3)))
    merged = read(file)
    assert [(result.dataset, result.seeds) for result in merged] == [
        ("toy", [3, 1]),
        ("other", [0]),
    ]
    assert merged[0].values["accuracy"] == [83.0, 81.0]
    assert len(file.read_text().splitlines()) == 3  # nothing is ever rewritten


def test_several_files(tmp_path):
    append(tmp_path / "a", make((0,)))
    append(tmp_path / "b", make((1,)))
    (result,) = read([tmp_path / "a", tmp_path / "b"])
    assert result.seeds == [0, 1]


@pytest.mark.parametrize(
    "damaged", ["{", "not json", "[1, 2]", "null", "{}", '{"format": 1}', '{"format": 1, "x": 2}']
)
def test_a_damaged_line_is_skipped_reported_and_kept(tmp_path, caplog, damaged):
    file = tmp_path / "results.jsonl"
    append(file, make((0,)))
    with file.open("a") as out:
        out.write(damaged + "\n\n")
    append(file, make((1,)))
    (result,) = read(file)
    assert result.seeds == [0, 1]
    assert "1 damaged line(s) skipped" in caplog.text
    assert damaged in file.read_text()


def test_bytes_that_are_no_text(tmp_path, caplog):
    file = tmp_path / "results.jsonl"
    file.write_bytes(b"\xff\xfe\x00\n" + make().to_line().encode() + b"\n")
    assert len(read(file)) == 1
    assert "1 damaged" in caplog.text


def test_a_line_that_a_crash_cut_short_spoils_no_other(tmp_path, caplog):
    file = tmp_path / "results.jsonl"
    append(file, make((0,)))
    file.write_text(file.read_text() + make((1,)).to_line()[:50])
    append(file, make((2,)))
    (result,) = read(file)
    assert result.seeds == [0, 2]
    assert "1 damaged" in caplog.text


def test_a_newer_format_is_refused(tmp_path):
    file = tmp_path / "results.jsonl"
    append(file, make())
    newer = {**json.loads(make().to_line()), "format": 2}
    with file.open("a") as out:
        out.write(json.dumps(newer) + "\n")
    with pytest.raises(GraphRankError, match=r"format 2 .* install a newer graphrank"):
        read(file)


def test_no_file(tmp_path):
    with pytest.raises(GraphRankError, match="there is no results file"):
        read(tmp_path / "none")


@pytest.mark.parametrize("short", [True, False])
def test_a_full_disk(tmp_path, monkeypatch, short):
    """Whether the write fails or only a part of it fits."""

    def full(handle, content):
        if short:
            return len(content) // 2
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(GraphRankError, match="the disk is full"):
        append(tmp_path / "results.jsonl", make())


def write_many(path, first, count, start):
    start.wait()
    for seed in range(first, first + count):
        append(path, make((seed,), environment={"padding": "x" * 3000}))


def test_two_processes_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("fork")
    start, file = context.Event(), tmp_path / "results.jsonl"
    workers = [
        context.Process(target=write_many, args=(file, first, 150, start)) for first in (0, 1000)
    ]
    for worker in workers:
        worker.start()
    start.set()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    (result,) = read(file)
    assert sorted(result.seeds) == [*range(150), *range(1000, 1150)]
    # A line that is seen half-written is closed with an empty one, which nobody minds.
    lines = [line for line in file.read_text().splitlines() if line]
    assert len(lines) == 300
    assert all(json.loads(line)["format"] == 1 for line in lines)


def test_lines_of_before_an_option_belong_to_the_same_cell(tmp_path):
    options = {k: v for k, v in GraphRank().get_params().items() if k not in ("seed", "device")}
    older = {k: v for k, v in options.items() if k not in ("own_mlp", "own_mlp_steps")}
    path = tmp_path / "r.jsonl"
    for seed, chosen in enumerate((older, options)):
        one = Result(
            "t", "d", "graphrank", "p", {"method": chosen}, [seed], {"a": [1.0]}, {}, [0.0]
        )
        append(path, one)
    (merged,) = read(path)
    assert merged.seeds == [0, 1] and merged.config["method"] == options
    before_structure = {k: v for k, v in options.items() if k != "structure"}
    one = Result(
        "t", "d", "graphrank", "p", {"method": before_structure}, [2], {"a": [1.0]}, {}, [0.0]
    )
    append(path, one)
    assert [result.config["method"]["structure"] for result in read(path)] == [256, 0]

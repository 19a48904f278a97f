import pandas as pd
import pytest

from graphrank.data.keys import check_complete, key_column, original
from graphrank.data.tables import describe, read
from graphrank.errors import DataError


@pytest.mark.parametrize(
    ("name", "text", "names", "named"),
    [
        ("a.csv", "x,y\n1,2\n", ("x", "y"), True),
        ("a.csv", "1,2\n", ("0", "1"), False),
        ("a.csv", "x;y\n1;2\n", ("x", "y"), True),
        ("a.tsv", "1\t2\t3\n", ("0", "1", "2"), False),
        ("a.txt", "0 1\n1 2\n", ("0", "1"), False),
        ("a.edges", "% a comment\n\n0  1\n", ("0", "1"), False),
        ("a.txt", "# Nodes: 3\n# From\tTo\n0\t1\n", ("0", "1"), False),
        ("a.csv", '"x, y",z\n1,2\n', ("x, y", "z"), True),
        ("a.csv", "\ufeffid,b\n1,2\n", ("id", "b"), True),
        ("a.csv", "id, b\r\n1, 2\r\n", ("id", "b"), True),
    ],
)
def test_layouts(write, name, text, names, named):
    layout = describe(write(name, text), None, leading=2)
    assert layout.names == names
    assert layout.named == named
    frame = read(layout, layout.names[:1], layout.names[1:])
    assert frame.shape == (text.strip().count("\n") + named * 0 + 1 - layout.skip, len(names))
    assert frame[names[1]].dtype.kind == "i"


def test_header_option_wins(write):
    path = write("a.csv", "alice,bob\nbob,carol\n")
    assert describe(path, False, leading=2).names == ("0", "1")
    assert describe(path, None, leading=2).names == ("alice", "bob")
    assert describe(write("b.csv", "1,2\n3,4\n"), True, leading=2).names == ("1", "2")


def test_how_many_leading_cells_must_be_numbers(write):
    path = write("a.csv", "1,2,x\n")
    assert not describe(path, None, leading=2).named
    assert describe(path, None, leading=None).named


def test_keys_stay_text_and_values_become_numbers(write):
    text = 'id,a\n007,1\nNA,\n"x y",3.5\n'
    layout = describe(write("a.csv", text), None, leading=None)
    frame = read(layout, ["id"], ["a"])
    assert key_column(frame["id"]).names == ["007", "NA", "x y"]
    assert frame["a"].isna().tolist() == [False, True, False]


def test_keys_that_are_all_numbers_stay_as_written(write):
    layout = describe(write("a.csv", "007,1\n8,1e3\n"), None, leading=None)
    frame = read(layout, ["0", "1"], [])
    assert key_column(frame["0"]).names == ["007", "8"]
    assert key_column(frame["1"]).names == ["1", "1e3"]


def test_parquet_and_frames(tmp_path):
    frame = pd.DataFrame({"id": ["1", "2"], 5: [1.0, 2.0]})
    frame.rename(columns=str).to_parquet(tmp_path / "a.parquet")
    for source in (tmp_path / "a.parquet", frame):
        layout = describe(source, None, leading=None)
        assert layout.names == ("id", "5")
        assert read(layout, ["id"], ["5"])["5"].tolist() == [1.0, 2.0]
    assert describe(frame, None, leading=None).label == "the table"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"# only a comment\n", "is empty"),
        ("a.csv", b"a,a\n1,2\n", "two columns of the same name"),
        (
            "a.csv",
            b"\xff\xfe\x00\n",
            "is not text in UTF-8; save it as CSV",
        ),
        ("a.parquet", b"text", "cannot be read as a table"),
    ],
)
def test_bad_files(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        describe(path, None, leading=None)


def test_another_encoding_further_down(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n" + 10_000 * b"1,2\n" + "Müller,3\n".encode("latin-1"))
    layout = describe(path, None, leading=None)
    with pytest.raises(DataError, match=r"a\.csv is not text in UTF-8"):
        read(layout, ["a"], ["b"])


def test_rows_that_are_too_long(write):
    layout = describe(write("a.csv", "a,b\n1,2\n1,2,3\n"), None, leading=None)
    with pytest.raises(DataError, match=r"a\.csv has broken rows"):
        read(layout, ["a"], ["b"])
    layout = describe(write("a.csv", "a,b\n1,2,3\n1,2,3\n"), None, leading=None)
    with pytest.raises(DataError, match=r"a\.csv has broken rows"):
        read(layout, ["a"], ["b"])


@pytest.mark.parametrize(
    ("values", "names", "is_text"),
    [
        ([3, 1, 3], ["3", "1"], False),
        ([3.0, None, 1.0], ["3", "1"], False),
        (["3", "1"], ["3", "1"], True),
        ([1.5], ["1.5"], False),
        (["a", None], ["a"], True),
        (pd.Categorical(["b", "a"]), ["a", "b"], False),
    ],
)
def test_key_columns_of_any_type(values, names, is_text):
    key = key_column(pd.Series(values))
    assert key.names == names
    assert key.is_text == is_text


def test_missing_keys_are_named():
    with pytest.raises(DataError, match=r"column 'u' of e\.csv has no id in row 2"):
        check_complete(key_column(pd.Series(["a", ""])), "u", "e.csv")


def test_original_ids():
    assert original(["1", "2"], is_text=False) == [1, 2]
    assert original(["1", "2"], is_text=True) == ["1", "2"]

import collections
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from graphrank.data.unpickle import load_arrays
from graphrank.errors import DataError


class Call:
    """Something that calls a function when it is unpickled."""

    def __init__(self, function, *arguments):
        self.reduced = (function, arguments)

    def __reduce__(self):
        return self.reduced


@pytest.fixture
def pickled(tmp_path):
    def save(content, protocol=2):
        path = tmp_path / "part.pickle"
        path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol))
        return path

    return save


def test_arrays(pickled):
    array = np.arange(6).reshape(2, 3)
    assert (load_arrays(pickled(array, protocol=4)) == array).all()


def test_matrices(pickled):
    matrix = sparse.csr_matrix(np.eye(3))
    assert (load_arrays(pickled(matrix, protocol=4)) != matrix).nnz == 0


def test_dictionary_of_lists(pickled):
    graph = collections.defaultdict(list, {0: [1], 1: [0]})
    assert load_arrays(pickled(graph)) == graph


def test_python_2_names(pickled):
    text = b"ccollections\ndefaultdict\np0\n(c__builtin__\nlist\np1\ntRp2\nI0\n(lp3\nI1\nas."
    assert load_arrays(pickled(text)) == {0: [1]}
    text = b"cscipy.sparse.csr\ncsr_matrix\n."
    assert load_arrays(pickled(text)) is sparse.csr_matrix


HOSTILE = [
    Call(eval, "1 + 1"),
    Call(exec, "pass"),
    Call(getattr, [], "append"),
    Call(subprocess.check_output, ["true"]),
    Call(np.load, "file.npy"),
    Call(np.testing.rundocs, "file.py"),
    Call(np.fromfile, "file"),
    Call(sparse.load_npz, "file.npz"),
    Call(Path, "/"),
    Call(bytearray, 10),
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda call: call.reduced[0].__name__)
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_nothing_else_is_called(pickled, hostile, protocol):
    with pytest.raises(DataError, match="is not allowed"):
        load_arrays(pickled(hostile, protocol))


def test_os_system_is_not_called(pickled, tmp_path):
    mark = tmp_path / "called"
    with pytest.raises(DataError, match="is not allowed"):
        load_arrays(pickled(f"cos\nsystem\n(S'touch {mark}'\ntR.".encode()))
    assert not mark.exists()


def test_dotted_names_lead_nowhere(pickled):
    with pytest.raises(DataError, match="is not allowed"):
        load_arrays(pickled(b"\x80\x04\x8c\x05numpy\x8c\x11ndarray.__class__\x93."))


@pytest.mark.parametrize("content", [b"", b"text", b"\x80\x02", b"I1\n"])
def test_damaged_files(pickled, content):
    with pytest.raises(DataError, match=r"part\.pickle is not a pickle of arrays"):
        load_arrays(pickled(content))


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="gone is not a pickle"):
        load_arrays(tmp_path / "gone")


def test_matrix_with_indices_outside(pickled):
    matrix = sparse.csr_matrix(np.eye(3))
    matrix.indices[0] = 10**6
    with pytest.raises(DataError, match="not a pickle of arrays"):
        load_arrays(pickled(matrix, protocol=4))

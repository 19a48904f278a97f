"""Graphs in MATLAB files, as attributed networks and fraud data are often published."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from scipy import sparse
from scipy.io import loadmat
from scipy.io.matlab import MatReadError

from graphrank.data.raw import RawGraph
from graphrank.data.readers.matrix import read_matrix
from graphrank.data.readers.node_arrays import ADJACENCY, first_of, with_node_arrays
from graphrank.errors import DataError


def read_mat(path: Path) -> RawGraph:
    """Read adjacency, features and labels of a MATLAB file by their usual names.

    Raises:
        DataError: If the file is damaged, of MATLAB 7.3 or has no adjacency matrix.
    """
    found = _variables(path)
    adjacency = first_of(found, ADJACENCY)
    if adjacency is None:
        raise DataError(
            f"{path.name} has no adjacency matrix but {', '.join(sorted(found)) or 'nothing'}; "
            f"call it {ADJACENCY[0]}, or one of {', '.join(ADJACENCY[1:])}"
        )
    try:
        matrix = sparse.csr_array(adjacency)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{path.name} has an adjacency that is no matrix of numbers; save it as a sparse matrix"
        ) from error
    return with_node_arrays(read_matrix(matrix, path.stem), found, path.name)


def _variables(path: Path) -> dict[str, Any]:
    """What the file holds, by names in lower case."""
    try:
        variables = loadmat(path)
    except NotImplementedError as error:
        raise DataError(
            f"{path.name} is of MATLAB 7.3, which cannot be read; save it with -v7"
        ) from error
    except (MatReadError, ValueError, OSError, TypeError, EOFError, zlib.error) as error:
        raise DataError(f"{path.name} is no MATLAB file, or a damaged one ({error})") from error
    return {name.lower(): value for name, value in variables.items() if name[:2] != "__"}

"""Reading pickles of arrays without running what else a pickle may hold."""

from __future__ import annotations

import collections
import pickle
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from graphrank.errors import DataError

Unpickled: TypeAlias = Any  # an array, a CSR matrix, or dictionaries and lists of numbers

_RECONSTRUCT = np.empty(0).__reduce__()[0]

_ALLOWED: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy._core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("scipy.sparse.csr", "csr_matrix"): sparse.csr_matrix,
    ("scipy.sparse._csr", "csr_matrix"): sparse.csr_matrix,
    ("collections", "defaultdict"): collections.defaultdict,
    ("__builtin__", "list"): list,
    ("builtins", "list"): list,
}


class _ArrayUnpickler(pickle.Unpickler):
    """An unpickler that knows arrays, CSR matrices and dictionaries of lists, nothing else."""

    def find_class(self, module: str, name: str) -> object:
        """Return the allowed object of that name; old module names lead to today's objects."""
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed") from None


def load_arrays(path: Path) -> Unpickled:
    """Read a pickle of NumPy arrays, SciPy CSR matrices, or dictionaries and lists of numbers.

    Pickles of Python 2 are read as well. The indices of a matrix are checked, because SciPy
    trusts them.

    Raises:
        DataError: If the file is damaged or asks for anything else.
    """
    try:
        with path.open("rb") as file:
            content: Unpickled = _ArrayUnpickler(file, encoding="latin1").load()
        if isinstance(content, sparse.csr_matrix):
            content.check_format(full_check=True)
    except Exception as error:  # a hostile or damaged pickle can raise anything
        raise DataError(
            f"{path.name} is not a pickle of arrays ({error}); replace it by the published file"
        ) from error
    return content

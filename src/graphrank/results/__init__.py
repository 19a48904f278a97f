"""Result lines: what a run measured, appended to a file and read back from it."""

from graphrank.results.record import Result
from graphrank.results.store import append, read

__all__ = ["Result", "append", "read"]

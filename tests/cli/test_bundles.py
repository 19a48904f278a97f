"""Options out of dataclasses."""

import inspect
from dataclasses import dataclass

from graphrank.cli.bundles import bundled


@dataclass(frozen=True, kw_only=True)
class Base:
    first: int
    second: str = "two"


@dataclass(frozen=True, kw_only=True)
class More(Base):
    third: bool = False


def test_fields_become_parameters_and_come_back_as_objects():
    seen = []

    @bundled
    def command(name: str, more: More) -> None:
        """Do it."""
        seen.append((name, more))

    parameters = inspect.signature(command).parameters
    assert list(parameters) == ["name", "first", "second", "third"]
    assert parameters["first"].default is inspect.Parameter.empty
    assert parameters["second"].default == "two"
    assert command.__doc__ == "Do it."
    command(name="n", first=1, second="2", third=True)
    assert seen == [("n", More(first=1, second="2", third=True))]

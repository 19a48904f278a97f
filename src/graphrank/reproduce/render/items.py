"""An item and what there is of its cells, made ready for any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graphrank.reproduce.cells import Selection, cells_of
from graphrank.reproduce.cost import Costs
from graphrank.reproduce.item import Item
from graphrank.reproduce.items import all_items
from graphrank.reproduce.plan import State, states
from graphrank.reproduce.render.comparison import comparison
from graphrank.reproduce.render.document import Rendered
from graphrank.reproduce.render.figures import measures, sweeps
from graphrank.reproduce.render.scaling import scaling
from graphrank.reproduce.render.timing import convergence, pace
from graphrank.reproduce.render.trajectory import trajectory
from graphrank.reproduce.wanted import Stored
from graphrank.results.record import Result

_RENDERERS: dict[str, Callable[[Item, Sequence[State]], Rendered]] = {
    "comparison": comparison,
    "sweep": sweeps,
    "measures": measures,
    "false-negatives": measures,
    "trajectory": trajectory,
    "convergence": convergence,
    "pace": pace,
    "scaling": scaling,
}


def render_items(
    items: Iterable[Item], results: Sequence[Result], selection: Selection | None = None
) -> list[Rendered]:
    """Items with all that stored lines say of them."""
    stored, costs = Stored(results), Costs(results, all_items())
    rendered = []
    for item in items:
        found = states(cells_of(item, selection), stored, costs)
        rendered.append(_RENDERERS[item.kind](item, found))
    return rendered

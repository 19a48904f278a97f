"""Random columns of each row."""

import torch
from hypothesis import given

from graphrank.nn.drawn_columns import DrawnColumns
from tests.nn.reference import masks, pattern_of, places


@given(masks())
def test_about_as_many_are_drawn_as_there_are(filled):
    pattern = pattern_of(filled)
    drawn = DrawnColumns.draw(pattern).places
    rows, columns = filled.shape
    assert drawn.shape == filled.shape and drawn.num_entries % rows == 0
    assert int(drawn.column.min()) >= 0 and int(drawn.column.max()) < columns
    spare = drawn.num_entries - pattern.num_entries
    assert 0 <= spare < rows or (drawn.num_entries == rows and pattern.num_entries == 0)


@given(masks())
def test_it_knows_where_something_is(filled):
    drawn = DrawnColumns.draw(pattern_of(filled))
    found = [bool(filled[place]) for place in places(drawn.places)]
    assert drawn.filled.tolist() == found


def test_share_of_all_columns():
    pattern = pattern_of(torch.eye(4).bool())
    assert DrawnColumns.of(pattern, torch.zeros(4, 3, dtype=torch.long)).share == 0.75

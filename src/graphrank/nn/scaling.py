"""Columns of different units brought to one scale: ages in years beside incomes in thousands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

FeatureScalingName = Literal[
    "auto", "auto-l2", "auto-words", "none", "standard", "rows", "l2", "tfidf"
]  # fmt: skip

# Numbers of words differ widely where they deviate from their mean by more than this share of it:
# on citation graphs, whose abstracts are of like length, by 0.2 to 0.3; by 0.6 and more where
# nodes are authors, blogs or encyclopaedia pages.
_UNEVEN = 0.5


@dataclass(frozen=True, eq=False)
class ColumnScaling:
    """Mean and standard deviation of feature columns of the training graph.

    Args:
        mean: ``[features]``; zero for columns that stay as they are.
        deviation: ``[features]``; one for those and for constant columns.
        unit_rows: whether rows are brought to length one after that.
    """

    mean: Tensor
    deviation: Tensor
    unit_rows: bool = False

    @classmethod
    def unchanged(cls, x: Tensor) -> ColumnScaling:
        """Leave all columns as they are."""
        return cls(torch.zeros(x.size(1), dtype=x.dtype), torch.ones(x.size(1), dtype=x.dtype))

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor]) -> ColumnScaling:
        """What :meth:`to_tensors` wrote; rows as they are where it was written before they were."""
        unit_rows = bool(tensors["unit_rows"]) if "unit_rows" in tensors else False
        return cls(tensors["mean"], tensors["deviation"], unit_rows)

    def to_tensors(self) -> dict[str, Tensor]:
        """For a file of tensors."""
        unit_rows = torch.tensor(self.unit_rows)
        return {"mean": self.mean, "deviation": self.deviation, "unit_rows": unit_rows}

    @classmethod
    def of(cls, x: Tensor) -> ColumnScaling:
        """Measure the columns of a dense ``[nodes, features]`` tensor."""
        mean = x.double().mean(dim=0)
        deviation = x.double().var(dim=0, correction=0).sqrt()
        constant = deviation <= 1e-12 * mean.abs().clamp_min(1e-12)
        return cls(mean.to(x.dtype), torch.where(constant, 1.0, deviation).to(x.dtype))

    @classmethod
    def of_quantities(cls, x: Tensor) -> ColumnScaling | None:
        """Measure the columns of a table of marks that are none: dense, and beyond one.

        Amounts beside marks of categories would outweigh them all. None if there are no such.
        """
        columns = _quantities(x)
        if not columns.numel():
            return None
        measured = cls.of(_dense(x, columns))
        mean = torch.zeros(x.size(1), dtype=x.dtype).index_copy_(0, columns, measured.mean)
        deviation = torch.ones(x.size(1), dtype=x.dtype)
        return cls(mean, deviation.index_copy_(0, columns, measured.deviation))

    @classmethod
    def of_words(cls, x: Tensor) -> ColumnScaling:
        """Weigh columns by the rarity of what is in them, ``log(nodes / nodes that have it)``.

        Rows are brought to length one after that: the tf-idf of text search. What all nodes have
        tells nothing and weighs nothing; what none has is as rare as what one has.
        """
        having = torch.bincount(_entries(x)[1], minlength=x.size(1)).clamp_min(1)
        rarity = (x.size(0) / having.double()).log().to(x.dtype)
        return cls(torch.zeros_like(rarity), 1 / rarity, unit_rows=True)

    def apply(self, x: Tensor) -> Tensor:
        """Scale features of this or another graph with the training graph's figures.

        Sparse features stay sparse where few of their columns are scaled.
        """
        columns_scaled = self._apply_to_columns(x)
        return rows_of_length_one(columns_scaled) if self.unit_rows else columns_scaled

    def _apply_to_columns(self, x: Tensor) -> Tensor:
        scaled = (self.mean != 0) | (self.deviation != 1)
        if not bool(scaled.any()):
            return x
        if x.layout != torch.strided and not bool(self.mean.any()):
            value = x.values() / self.deviation[x.col_indices()]
            return torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), value, x.shape)
        if x.layout != torch.strided and 2 * int(scaled.sum()) < x.size(1):
            columns = scaled.nonzero().flatten()
            values = (_dense(x, columns) - self.mean[columns]) / self.deviation[columns]
            return _with_columns(x, columns, values)
        return (x.to_dense() - self.mean) / self.deviation


def are_uneven_counts(x: Tensor) -> bool:
    """Whether nodes have words, whole numbers of them, and some nodes far more than others.

    Long rows would outweigh short ones, and what all long rows have what tells them apart. Where
    rows are of like length there is nothing to mend. A table with amounts in it is none of words.
    """
    row, _, value = _entries(x)
    if not value.numel() or bool((value < 0).any()) or bool((value != value.round()).any()):
        return False
    number = torch.bincount(row, minlength=x.size(0)).double()
    uneven = bool(number.std(correction=0) > _UNEVEN * number.mean())
    return uneven and not _has_amounts(x)


def _has_amounts(x: Tensor) -> bool:
    """Whether a column has quantities that are seldom one: ages do, frequent words do not."""
    column, value = _entries(x)[1:]
    filled = torch.bincount(column, minlength=x.size(1))
    ones = torch.bincount(column[value == 1], minlength=x.size(1))
    return bool((4 * ones < filled)[_quantities(x)].any())


def _quantities(x: Tensor) -> Tensor:
    """Columns that at least half of the nodes have a value in, and some one beyond one in size."""
    column, value = _entries(x)[1:]
    filled = torch.bincount(column, minlength=x.size(1))
    beyond = torch.bincount(column[value.abs() > 1], minlength=x.size(1))
    return ((2 * filled >= x.size(0)) & (beyond > 0)).nonzero().flatten()


def _entries(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Row, column and value of what is not zero."""
    if x.layout == torch.strided:
        row, column = x.nonzero(as_tuple=True)
        return row, column, x[row, column]
    return torch.repeat_interleave(x.crow_indices().diff()), x.col_indices(), x.values()


def _dense(x: Tensor, columns: Tensor) -> Tensor:
    """Some columns ``[nodes, columns]``."""
    if x.layout == torch.strided:
        return x[:, columns]
    row, column, value = _entries(x)
    place = torch.full((x.size(1),), -1).index_copy_(0, columns, torch.arange(columns.numel()))
    chosen = place[column] >= 0
    dense = x.values().new_zeros(x.size(0), columns.numel())
    dense[row[chosen], place[column[chosen]]] = value[chosen]
    return dense


def _with_columns(x: Tensor, columns: Tensor, values: Tensor) -> Tensor:
    """A CSR tensor with other values in some columns ``[nodes, columns]``."""
    row, column, value = _entries(x)
    other = ~torch.isin(column, columns)
    nodes = torch.arange(x.size(0))
    row = torch.cat([row[other], nodes.repeat_interleave(columns.numel())])
    column = torch.cat([column[other], columns.repeat(x.size(0))])
    value = torch.cat([value[other], values.reshape(-1)])
    order = (row * x.size(1) + column).argsort()
    counts = torch.bincount(row, minlength=x.size(0))
    pointer = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    return torch.sparse_csr_tensor(pointer, column[order], value[order], x.shape)


def standardized(embedding: Tensor) -> Tensor:
    """Every column at mean zero and variance one; a single row, which has neither, as it is."""
    if embedding.size(0) < 2:
        return embedding
    return F.batch_norm(embedding, None, None, training=True)


def rows_to_one(x: Tensor) -> Tensor:
    """Every row divided by the sum of its sizes, sparse or dense; zero rows stay zero.

    For counts and bags of words this is PyG's ``NormalizeFeatures``. It needs no figures of the
    training graph.
    """
    if x.layout == torch.strided:
        return x / x.abs().sum(dim=1, keepdim=True).clamp_min(1e-12)
    return _divided_rows(x, _row_sums(x, x.values().abs()).clamp_min(1e-12))


def rows_of_length_one(x: Tensor) -> Tensor:
    """Every row divided by its Euclidean length, sparse or dense; zero rows stay zero.

    It needs no figures of the training graph. Squares are added up in double precision, where
    those of very large and very small features have room.
    """
    if x.layout == torch.strided:
        length: Tensor = torch.linalg.vector_norm(x, dim=1, keepdim=True, dtype=torch.double)
        return (x / length.where(length > 0, 1.0)).to(x.dtype)
    length = _row_sums(x, x.values().double().square()).sqrt()
    return _divided_rows(x, length.where(length > 0, 1.0))


def _row_sums(x: Tensor, value: Tensor) -> Tensor:
    """``[nodes]`` sums of a value for each entry of a CSR tensor."""
    return value.new_zeros(x.size(0)).index_add_(0, _entries(x)[0], value)


def _divided_rows(x: Tensor, divisor: Tensor) -> Tensor:
    """A CSR tensor with each row divided by a number of its own, ``[nodes]``."""
    row, column, value = _entries(x)
    divided = (value / divisor[row]).to(value.dtype)
    return torch.sparse_csr_tensor(x.crow_indices(), column, divided, x.shape)

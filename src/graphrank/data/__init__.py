"""Graphs: published datasets, own data, synthetic graphs, splits."""

from graphrank.data.catalog import CATALOG, DatasetInfo, dataset_info
from graphrank.data.columns import ColumnNames
from graphrank.data.fingerprint import fingerprint
from graphrank.data.graphset import GraphSet
from graphrank.data.load import load
from graphrank.data.locate import available
from graphrank.data.pack import pack
from graphrank.data.report import LoadReport
from graphrank.data.splits import NodeSplit, public_split, random_split
from graphrank.data.visible import node_ids, without_labels

__all__ = [
    "CATALOG",
    "ColumnNames",
    "DatasetInfo",
    "GraphSet",
    "LoadReport",
    "NodeSplit",
    "available",
    "dataset_info",
    "fingerprint",
    "load",
    "node_ids",
    "pack",
    "public_split",
    "random_split",
    "without_labels",
]

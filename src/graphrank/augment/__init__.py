"""Views of a graph: the clean one and randomly corrupted ones."""

from graphrank.augment.views import Corruption, View, clean_view, corrupt, shuffled_view

__all__ = ["Corruption", "View", "clean_view", "corrupt", "shuffled_view"]

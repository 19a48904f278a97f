"""Tasks judge embeddings: they split first, let a method see the rest, and score once."""

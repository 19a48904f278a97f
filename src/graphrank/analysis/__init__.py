"""What embeddings look like: the geometry of classes, label-free measures, sweeps, diagnostics."""

"""Loop, seeds, devices, history, checkpoints: once for every method."""

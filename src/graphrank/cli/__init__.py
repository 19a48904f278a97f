"""The command line: files here say what can be typed, :mod:`~graphrank.cli.actions` does it."""

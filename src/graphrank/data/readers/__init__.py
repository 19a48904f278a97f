"""One module for each format; every reader returns a ``RawGraph`` or a ``GraphSet``."""

"""The version of the package, alone in a file so that nothing has to be imported to know it."""

__version__ = "0.1.0"

"""One file per system, named as in its paper; :mod:`~graphrank.methods.base` is the contract."""

"""Variants of methods compared on validation, and the chosen one confirmed on test, once."""

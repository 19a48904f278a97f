"""Tests of the readers, one file for each."""

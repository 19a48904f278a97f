"""The kinds of work that fill a cell; each appends one result line a seed."""

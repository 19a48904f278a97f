"""The tables and figures of the GraphRank paper: measured here, beside what was published."""

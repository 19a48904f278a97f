"""Speed and memory, as ratios measured in one interleaved run against named alternatives."""

"""Plain modules and functions: sparse products, encoders, losses, heads."""

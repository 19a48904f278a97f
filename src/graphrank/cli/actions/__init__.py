"""What the commands do. These modules import torch, so commands import them when they run."""

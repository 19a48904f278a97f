"""Methods that learn from a slowly moving copy of themselves, whatever they embed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch

from graphrank.methods.options import Option
from graphrank.methods.trained import TrainedMethod
from graphrank.nn.bootstrap import Bootstrap, cosine_decay, follow


@dataclass(kw_only=True, eq=False, repr=False)
class Bootstrapped(TrainedMethod[Bootstrap]):
    """Optimiser, schedules and moving average of BGRL."""

    predictor_channels: Annotated[int, Option("inner width of the predictor", low=1)] = 512
    target_decay: Annotated[
        float, Option("how much of itself the target keeps at first; 1 at the end", low=0, high=1)
    ] = 0.99
    warmup: Annotated[
        int, Option("epochs of a rising learning rate; at most a tenth of all epochs", low=0)
    ] = 1000

    learning_rate: Annotated[float, Option("highest step size of AdamW", low=0)] = 5e-4
    weight_decay: Annotated[float, Option("decoupled decay of the weights", low=0)] = 1e-5

    def optimizer(self, module: Bootstrap) -> torch.optim.Optimizer:
        """AdamW of what is trained: neither the target nor a bias that a norm takes out again."""
        trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
        return torch.optim.AdamW(
            trained, lr=self.learning_rate, weight_decay=self.weight_decay, fused=True
        )

    def learning_rate_at(self, epoch: int) -> float:
        """A linear warm-up, then half a cosine down to zero at the last epoch."""
        warmup = min(self.warmup, self.epochs // 10)
        return self.learning_rate * cosine_decay(epoch, self.epochs, warmup)

    def after_step(self, module: Bootstrap, epoch: int) -> None:
        """Let the target follow the online encoder, more slowly with every epoch."""
        decay = 1 - (1 - self.target_decay) * cosine_decay(epoch, self.epochs)
        follow(module.target, module.online, decay)

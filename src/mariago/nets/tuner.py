"""The net that is tuned, and its training step by step.

**The norms' running statistics stay as they are.** A norm in training uses the statistics of the
batch and moves the running ones towards them. What an imported net holds as such statistics need
not be statistics: KataGo's files may have their norms merged into a scale and a bias, mean 0 and
variance 1, and a norm that takes its batch's in their place is another function; and a person's
positions are few and alike. So the net learns as it plays.

**What is not learnt from a person's games stays the base net's.** His results say who won, not how
good a position was, and a person who mostly wins would teach the net that the side to move mostly
wins. So win, score and ownership are held to what the base net says of the same positions (Li and
Hoiem 2016, "Learning without Forgetting", arXiv:1606.09282), unless results are asked for.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from mariago.nets.architecture import GoNet, Outputs
from mariago.nets.base_net import BaseNet
from mariago.nets.batches import goals_of
from mariago.nets.config import NetConfig
from mariago.nets.losses import LossParts, losses
from mariago.nets.low_rank import add_adapters, merged_state
from mariago.nets.recipe import Losses, NetSize, Recipe, Training
from mariago.nets.samples import Batch
from mariago.nets.team import Team
from mariago.nets.trainer import Inputs, Trainer, channels_last
from mariago.nets.tuning_plan import TuningPlan

__all__ = ["TunedNet", "Tuner", "arrays_of", "learning_count", "net_of_base"]

HOLD = Losses(policy=1.0, value=1.0, score=0.5, ownership=0.5)
"""What the base net's answers count where they are held to."""


class TunedNet(GoNet):
    """A net whose norms learn no statistics, except those of the parts in ``moving``."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        self.moving: list[str] = []
        """Names of parts whose norms train as in a new net; ``""`` is the whole net."""

    def train(self, mode: bool = True) -> TunedNet:
        """Leave the norms in use, whatever ``mode``."""
        super().train(False)
        for name in self.moving if mode else ():
            if name:
                self.get_submodule(name).train()
            else:
                super().train(True)
        return self


def net_of_base(base: BaseNet) -> TunedNet:
    """Return the base net in torch, with the file's numbers to the bit."""
    net = TunedNet(base.config)
    net.load_state_dict({name: torch.from_numpy(a.copy()) for name, a in base.weights.items()})
    net.eval()
    return channels_last(net)  # pyright: ignore[reportReturnType]


def _prepared(base: BaseNet, plan: TuningPlan) -> TunedNet:
    """Return the base net with the parts that learn asking for gradients."""
    net = net_of_base(base)
    if plan.what == "low-rank":
        add_adapters(net, plan.rank, plan.seed)
    elif plan.what == "head":
        net.requires_grad_(False)
        for name in _heads(plan):
            net.get_submodule(name).requires_grad_()
    if plan.norms == "running":
        net.moving = _heads(plan) if plan.what == "head" else [""]
    return net


def _heads(plan: TuningPlan) -> list[str]:
    """Return the heads that learn; held to the base net, a value head on its trunk need not."""
    return ["policy"] if plan.value == "keep" else ["policy", "value"]


def recipe_of_plan(base: BaseNet, plan: TuningPlan) -> Recipe:
    """Return a plan as the recipe that a trainer takes."""
    training = Training(
        steps=max(1, plan.steps),
        batch=plan.batch,
        learning_rate=plan.rate_used,
        warmup_steps=min(plan.warmup_steps, plan.steps // 4),
        final_rate=plan.final_rate,
        weight_decay=0.0,  # towards zero, that is away from the base net
        sizes=plan.sizes,
        seed=plan.seed,
    )
    # The net is handed in; a recipe of a new one has bounds that an imported net need not keep.
    size = NetSize(
        blocks=min(100, len(base.config.blocks)), channels=min(1024, max(4, base.config.channels))
    )
    return Recipe(net=size, training=training, losses=HOLD if plan.value == "keep" else Losses())


class Tuner(Trainer):
    """A trainer that goes on from a base net."""

    def __init__(self, base: BaseNet, plan: TuningPlan, team: Team) -> None:
        super().__init__(recipe_of_plan(base, plan), team, _prepared(base, plan))
        self.plan = plan
        self.base: GoNet | None = None
        """The net whose answers are held to; ``None`` where they cannot change, or may."""
        if plan.value == "keep" and plan.what != "head":
            self.base = net_of_base(base).to(self.device).requires_grad_(False)

    def loss(self, outputs: Outputs, batch: Batch, inputs: Inputs) -> LossParts:
        """Return the loss of a batch: the moves played, and the rest as the base net has it."""
        if self.plan.value == "results":
            return super().loss(outputs, batch, inputs)
        share = self.recipe.losses
        goals = goals_of(batch, self.device, share.tactical)
        nothing = torch.full_like(goals.score, torch.nan)
        goals = replace(goals, outcome=torch.zeros_like(goals.outcome), score=nothing)
        if self.base is None:
            return losses(outputs, goals, share)
        with torch.no_grad(), self.autocast():
            said: Outputs = self.base(*inputs)
        held = functional.softmax(said.value.float(), dim=1)
        goals = replace(goals, outcome=held, ownership=said.ownership.float())
        parts = losses(outputs, goals, share)
        miss = functional.smooth_l1_loss(
            outputs.score.float(), said.score.float(), reduction="none"
        ).mean(dim=1)
        score = (miss * goals.weight).sum() / goals.weight.sum().clamp(min=1e-6)
        return replace(parts, total=parts.total + share.score * score, score=score)

    def weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the net's arrays by the names of ``parameter_shapes``, adapters merged."""
        return arrays_of(merged_state(self.net))

    def best_of(self, state: dict[str, Tensor]) -> GoNet:
        """Return a plain net with the arrays of ``state``, which :func:`merged_state` returned."""
        net = GoNet(self.net.config).to(self.device)
        net.load_state_dict(state)
        return channels_last(net).eval()


def arrays_of(state: dict[str, Tensor]) -> dict[str, npt.NDArray[np.float32]]:
    """Return tensors as arrays of float32."""
    return {
        name: array.detach().float().cpu().contiguous().numpy() for name, array in state.items()
    }


def learning_count(net: nn.Module) -> int:
    """Return how many numbers of ``net`` learn."""
    return sum(p.numel() for p in net.parameters() if p.requires_grad)

"""One net, one optimiser: the steps of a training, without files and without progress bars."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mariago.errors import BadInputError
from mariago.nets.architecture import GoNet, Outputs
from mariago.nets.batches import goals_of, inputs_of
from mariago.nets.losses import LossParts, losses
from mariago.nets.recipe import Recipe
from mariago.nets.samples import Batch
from mariago.nets.schedule import learning_rate
from mariago.nets.team import Team

__all__ = ["LOSS_NAMES", "Inputs", "Trainer", "channels_last", "find_device", "find_precision"]

Inputs = tuple[Tensor, Tensor]  # planes and globals, as the net takes them
LOSS_NAMES = ("loss", "policy_loss", "value_loss", "score_loss")


def find_device(name: str = "auto") -> torch.device:
    """Return the device that ``name`` means: ``auto`` is a GPU where there is one.

    Raises:
        BadInputError: no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.fullmatch("cpu|cuda(:[0-9]{1,3})?", name):
        raise BadInputError(
            f"no such device: {name!r:.40}",
            where="--device",
            hint="auto, cpu, cuda, or cuda:N for the GPU of number N",
        )
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise BadInputError(
            "no such device here", where=name, hint="leave --device out to take what there is"
        ) from error
    return device


def find_precision(wanted: str, device: torch.device) -> str:
    """Return ``float32`` or ``bfloat16`` for a recipe's ``precision``.

    On two Zen 4 cores, which compute in bfloat16, it was 1.3 to 1.9 times as fast as float32; on
    processors without such instructions it is slower.
    """
    if wanted != "auto":
        return wanted
    if device.type == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    capable = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return "bfloat16" if device.type == "cpu" and capable is not None and capable() else "float32"


def channels_last(net: GoNet) -> GoNet:
    """Lay the weights of a net's convolutions out as its inputs are; return the net."""
    for convolution in net.modules():
        if isinstance(convolution, nn.Conv2d):
            weight = convolution.weight.detach().contiguous(memory_format=torch.channels_last)
            convolution.weight = nn.Parameter(weight)
    return net


class Trainer:
    """Trains a net step by step. The same recipe and batches give the same net.

    ``net`` is one to go on from, as it is; without it a new one of the recipe's architecture.
    Parameters that ask for no gradient stay as they are.
    """

    def __init__(self, recipe: Recipe, team: Team, net: GoNet | None = None) -> None:
        self.recipe = recipe
        self.team = team
        self.device = device = team.device
        self.precision = find_precision(recipe.training.precision, device)
        torch.manual_seed(recipe.training.seed)
        if device.type == "cuda":
            torch.backends.cudnn.benchmark = False
            torch.backends.cudnn.deterministic = True
        if net is None:
            net = channels_last(GoNet(recipe.net.config()).to(device=device))
        self.net = net.to(device=device)
        self.net.train()
        self.optimizer = torch.optim.AdamW(self._parameter_groups())
        self.steps_done = 0
        self.sums = torch.zeros(len(LOSS_NAMES), device=device)
        self.steps_summed = 0

    def _parameter_groups(self) -> list[dict[str, Any]]:
        """Norms and biases are not pulled towards zero."""
        named = [(name, p) for name, p in self.net.named_parameters() if p.requires_grad]
        decayed = [p for name, p in named if name.endswith(".weight")]
        free = [p for name, p in named if not name.endswith(".weight")]
        decay = self.recipe.training.weight_decay
        return [
            {"params": decayed, "weight_decay": decay},
            {"params": free, "weight_decay": 0.0},
        ]

    def autocast(self) -> AbstractContextManager[Any]:
        """Return the context in which the net computes in the recipe's precision."""
        return torch.autocast(
            self.device.type, torch.bfloat16, enabled=self.precision == "bfloat16"
        )

    def step(self, batch: Batch) -> None:
        """Learn from one batch."""
        rate = learning_rate(self.recipe.training, self.steps_done)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        inputs = inputs_of(batch, self.device)
        with self.autocast():
            outputs = self.net(*inputs)
        parts = self.loss(outputs, batch, inputs)
        self.optimizer.zero_grad(set_to_none=True)
        parts.total.backward()
        self.team.average_gradients(self.net)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.training.clip_gradient)
        self.optimizer.step()
        self.steps_done += 1
        found = (parts.total, parts.policy, parts.value, parts.score)
        self.sums += torch.stack([part.detach() for part in found])
        self.steps_summed += 1

    def loss(self, outputs: Outputs, batch: Batch, inputs: Inputs) -> LossParts:
        """Return how far ``outputs`` are from a batch's answers; ``inputs`` gave the outputs."""
        share = self.recipe.losses
        return losses(outputs, goals_of(batch, self.device, share.tactical), share)

    def take_averages(self) -> dict[str, float]:
        """Return the losses averaged over the steps since the last call."""
        averages = (self.sums / max(1, self.steps_summed)).tolist()
        self.sums.zero_()
        self.steps_summed = 0
        return dict(zip(LOSS_NAMES, averages, strict=True))

    def state(self) -> dict[str, Any]:
        """Return all that :meth:`load_state` needs to go on exactly from here."""
        return {
            "step": self.steps_done,
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "sums": self.sums,
            "steps_summed": self.steps_summed,
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from what :meth:`state` returned."""
        self.steps_done = state["step"]
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.sums = state["sums"].to(self.device)
        self.steps_summed = state["steps_summed"]

    def weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the net's arrays, by the names of ``parameter_shapes``."""
        return {
            name: array.detach().float().cpu().contiguous().numpy()
            for name, array in self.net.state_dict().items()
        }

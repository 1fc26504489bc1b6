"""Several processes that train one net together, started by ``torchrun``.

::

    torchrun --nproc-per-node 4 -m mariago net train DIR --recipe FILE --out NET

Each process takes its part of every batch; gradients are averaged after every step, and the norms'
running statistics before anything is measured or written. The first process does all writing. A
process started alone is a team of one, for which nothing here does anything.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
from torch import Tensor, distributed, nn

from mariago.nets.schedule import Draw

__all__ = ["Team"]


@dataclass(frozen=True, slots=True)
class Team:
    """This process's place among those that train together."""

    place: int = 0
    size: int = 1
    device: torch.device = torch.device("cpu")  # noqa: RUF009 - immutable

    @classmethod
    def of_environment(cls, device: torch.device) -> Team:
        """Join the team that ``torchrun`` names in the environment, or be a team of one."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size == 1:
            return cls(device=device)
        if device.type == "cuda":
            device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
            torch.cuda.set_device(device)
        if not distributed.is_initialized():
            distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return cls(distributed.get_rank(), size, device)

    @property
    def writes(self) -> bool:
        """Whether this process measures, logs and writes for all."""
        return self.place == 0

    def part(self, draw: Draw) -> Draw:
        """Return this process's part of a batch."""
        if self.size == 1:
            return draw
        chosen = slice(self.place, None, self.size)
        return Draw(draw.indices[chosen], draw.symmetries[chosen])

    def average_gradients(self, net: nn.Module) -> None:
        """Give every process the mean of all gradients."""
        self._average([p.grad for p in net.parameters() if p.grad is not None])

    def average_norms(self, net: nn.Module) -> None:
        """Give every process the mean of all running statistics."""
        self._average(list(net.buffers()))

    def any(self, flag: bool) -> bool:
        """Return whether any process says so; every process must ask."""
        if self.size == 1:
            return flag
        votes = torch.tensor([float(flag)], device=self.device)
        distributed.all_reduce(votes)
        return bool(votes.item() > 0)

    def wait(self) -> None:
        """Wait until every process is here."""
        self.any(False)

    def _average(self, tensors: list[Tensor]) -> None:
        if self.size == 1:
            return
        with torch.no_grad():
            flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
            distributed.all_reduce(flat)
            flat /= self.size
            start = 0
            for tensor in tensors:
                tensor.copy_(flat[start : start + tensor.numel()].view_as(tensor))
                start += tensor.numel()

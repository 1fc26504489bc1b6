"""Samples as tensors for a training loop of one's own: a torch ``DataLoader`` over a stream.

The batches and their order are those of the stream, however many workers prepare them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from mariago.records.stream import PlaneBatch, SampleStream

__all__ = ["SampleDataset", "SampleLoader"]


class SampleDataset(IterableDataset[PlaneBatch]):
    """What is left of a stream's epoch, shared out among the workers of a ``DataLoader``.

    Give it to a ``DataLoader`` with ``batch_size=None``: batches come whole, as NumPy arrays that
    the loader turns into tensors.
    """

    def __init__(self, stream: SampleStream) -> None:
        super().__init__()
        self.stream = stream

    def __iter__(self) -> Iterator[PlaneBatch]:
        worker = get_worker_info()
        if worker is None:
            return self.stream.part()
        return self.stream.part(worker.id, worker.num_workers)


class SampleLoader:
    """Iterates over one epoch after the other; yields dictionaries of tensors.

    The names are those of ``records.stream.PlaneBatch``; planes are uint8 and become floats on the
    device that uses them. ``state_dict`` and ``load_state_dict`` keep the place in the stream:
    saved after batch k, a new loader goes on with batch k + 1, also with other workers.

    Attributes:
        workers: processes; 0 prepares batches in this one, with the stream's ``threads``.
        pin: whether to hand out tensors in pinned memory, for copies to a GPU that overlap.
    """

    def __init__(self, stream: SampleStream, *, workers: int = 0, pin: bool = False) -> None:
        self.stream = stream
        self.workers = workers
        self.pin = pin

    def __len__(self) -> int:
        return len(self.stream)

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        stream = self.stream
        method: dict[str, Any] = {}
        if self.workers:
            # Kernels have threads of their own, which a forked process would not have.
            method = {"multiprocessing_context": "spawn", "prefetch_factor": 4}
        loader: DataLoader[Any] = DataLoader(
            SampleDataset(stream),
            batch_size=None,
            num_workers=self.workers,
            pin_memory=self.pin,
            **method,
        )
        for batch in loader:
            stream.step()
            yield {name: torch.as_tensor(value) for name, value in zip(_NAMES, batch, strict=True)}

    def state_dict(self) -> dict[str, int]:
        """Return where the loader stands."""
        return self.stream.state()

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on where a loader stood; the next iteration begins there."""
        self.stream.resume(state)


_NAMES = PlaneBatch._fields

"""Work spread over processes whose results come back in order."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from types import TracebackType
from typing import TypeVar

from mariago.records.workplace import StoppedError

__all__ = ["Workers"]

Item = TypeVar("Item")
Result = TypeVar("Result")

SIGNALLED = 128  # what shells add to a signal for the exit code of a process that it ended
FEW_ITEMS = 4  # starting processes takes longer than so many items


class Workers:
    """Worker processes, started when there is enough work for them.

    They end when their parent does, even when it is killed. Between ``with`` and its end SIGTERM
    ends the parent in order, with what its workers are at.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._ends_in_order = False

    def __enter__(self) -> "Workers":
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _end)
            self._ends_in_order = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        if self._ends_in_order:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def in_order(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in the order of the items.

        No more than two items for each worker are in flight, so that memory stays flat.
        """
        rest = iter(items)
        if self._pool is None and self.jobs > 1:
            head = list(islice(rest, FEW_ITEMS + 1))
            rest = chain(head, rest)
            if len(head) > FEW_ITEMS:
                self._pool = ProcessPoolExecutor(
                    self.jobs, mp_context=get_context("spawn"), initializer=_start_worker
                )
        if self._pool is None:
            yield from map(function, rest)
            return
        waiting: deque[Future[Result]] = deque()
        try:
            for item in rest:
                waiting.append(self._pool.submit(function, item))
                if len(waiting) >= 2 * self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise StoppedError(
                "a worker process was ended from outside, perhaps for want of memory",
                hint="try fewer --jobs",
            ) from error


def _end(number: int, frame: object) -> None:
    """End as a process that SIGTERM ends, but by way of what is to be cleared up."""
    raise SystemExit(SIGNALLED + number)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import pyarrow as pa

    pa.set_cpu_count(1)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

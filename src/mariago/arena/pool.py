"""Worker processes that end with their parent, and tasks that outlive a worker's death.

Workers are started afresh (spawned) everywhere, so that work runs alike on Linux, macOS and
Windows.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any, Generic, TypeVar

__all__ = ["Dropped", "work_through"]

Task = TypeVar("Task")
Found = TypeVar("Found")

IN_HAND = 2  # tasks handed out for each worker: one being done and one ready


@dataclass(frozen=True, slots=True)
class Dropped(Generic[Task]):
    """A task that ended its worker twice, the second time alone."""

    task: Task


def _end_with(lifeline: Connection) -> None:
    """End this worker when the parent closes the other end, or dies, even by kill -9."""
    wait_for([lifeline])
    os._exit(1)


def _start_worker(lifeline: Connection, begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    begin(*given)


def work_through(
    tasks: Iterable[Task],
    work: Callable[[Task], Found],
    jobs: int,
    begin: Callable[..., None],
    given: tuple[Any, ...],
) -> Iterator[Found | Dropped[Task]]:
    """Do tasks in ``jobs`` workers and yield what is found, in any order.

    ``begin(*given)`` is called in every worker first; ``work`` and ``begin`` are functions of a
    module. Tasks are drawn as workers come free, two ahead for each. A worker that dies takes no
    other task with it: the tasks in hand are done again one by one, and one that kills its worker
    again is yielded as :class:`Dropped`.
    """
    waiting = iter(tasks)
    while True:
        suspects = yield from _in_pool(waiting, work, jobs, begin, given)
        if suspects is None:
            return
        for task in suspects:
            again = yield from _in_pool(iter([task]), work, 1, begin, given)
            if again:
                yield Dropped(task)


def _in_pool(
    waiting: Iterator[Task],
    work: Callable[[Task], Found],
    jobs: int,
    begin: Callable[..., None],
    given: tuple[Any, ...],
) -> Generator[Found, None, list[Task] | None]:
    """Work until done, which is None, or until a worker dies; return the tasks in hand then."""
    running: dict[Future[Found], Task] = {}
    drawn: list[Task] = []  # and not handed to a worker yet
    more = True
    context = get_context("spawn")
    lifeline, grip = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(  # spawns a worker when a task comes for it
        jobs, mp_context=context, initializer=_start_worker, initargs=(lifeline, begin, given)
    )
    try:
        while more or running:
            while more and len(running) < IN_HAND * jobs:
                drawn = [task for task in (next(waiting, None),) if task is not None]
                more = bool(drawn)
                if drawn:
                    running[pool.submit(work, drawn[0])] = drawn[0]
                    drawn = []
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                found = future.result()
                del running[future]
                yield found
    except BrokenProcessPool:
        return [*running.values(), *drawn]
    finally:
        if running:
            grip.close()  # nobody waits for what is no longer wanted
        pool.shutdown(wait=True, cancel_futures=True)
        grip.close()
        lifeline.close()
    return None

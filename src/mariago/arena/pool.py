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
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any, Generic, TypeVar

from mariago.gtpwire import end_all

__all__ = ["Dropped", "ends_in_order", "work_through"]

Task = TypeVar("Task")
Found = TypeVar("Found")

SIGNALLED = 128  # what shells add to a signal for the exit code of a process that it ended
IN_HAND = 2  # tasks handed out for each worker: one being done and one ready


@dataclass(frozen=True, slots=True)
class Dropped(Generic[Task]):
    """A task that ended its worker twice, the second time alone."""

    task: Task


@contextmanager
def ends_in_order() -> Generator[None]:
    """Let SIGTERM, and the end of the terminal, end this process by way of what clears up."""
    signals = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    mine: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        mine = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    for number in mine:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _frame: object) -> None:
    raise SystemExit(SIGNALLED + number)


def _end_with(lifeline: Connection) -> None:
    """End this worker when the parent closes the other end, or dies, even by kill -9."""
    wait_for([lifeline])
    _end_at_once()


def _end_at_once(*_: object) -> None:
    end_all()  # an engine that hangs does not notice that we are gone
    os._exit(1)


def _start_worker(lifeline: Connection, begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    signal.signal(signal.SIGTERM, _end_at_once)
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

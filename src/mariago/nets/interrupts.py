"""Ctrl-C between two steps: an interrupted training leaves a checkpoint that is exact."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Interrupt", "held_back"]


class Interrupt:
    """Whether Ctrl-C was pressed since :func:`held_back` began."""

    pressed: bool = False


@contextmanager
def held_back() -> Generator[Interrupt]:
    """Turn the first Ctrl-C into a flag; a second one interrupts at once, as ever.

    Outside the main thread, where signals cannot be caught, nothing changes.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if interrupt.pressed:
            raise KeyboardInterrupt
        interrupt.pressed = True

    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)

"""The progress of ``mariago records build``: first reading, then writing."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType

from mariago.cli.progress import Progress, track

_TEXTS = {"read": "reading records (files)", "write": "writing samples"}


class BuildProgress:
    """One bar for each stage of a build, shown when the stage begins."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._stage = ""
        self._shown: Progress | None = None

    def __enter__(self) -> BuildProgress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def tell(self, stage: str, done: int, total: int | None) -> None:
        """Take what ``build_records`` tells."""
        if self._shown is None or stage != self._stage:
            self._stack.close()
            self._stage = stage
            self._shown = self._stack.enter_context(track(total, _TEXTS[stage]))
        self._shown.advance(done)

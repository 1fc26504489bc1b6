"""A client for engines that speak the Go Text Protocol, and for what goes wrong with them."""

from __future__ import annotations

import queue
import time
from collections import deque
from contextlib import suppress

from mariago.errors import EngineError
from mariago.gtpwire.process import Process
from mariago.gtpwire.text import Reply, parse_reply, without_controls

__all__ = ["Engine"]

LONGEST_REPLY = 1 << 22  # bytes
FAREWELL_S = 1.0  # for an engine to end by itself after quit
SHOWN = 120  # characters of a command or a reply in an error


class Engine:
    """An outside engine in a process of its own.

    Replies may come in pieces, with ``\\r\\n``, after empty or stray lines, without their id, and
    the last one without its empty line. Any fault but a refusal ends the process: what an engine
    would say after it could not be trusted.
    """

    def __init__(self, command: str, *, timeout_s: float = 60.0) -> None:
        """Start ``command``; ``timeout_s`` holds for every reply that names no other.

        Raises:
            EngineError: it cannot be started.
        """
        self.command = command
        self.timeout_s = timeout_s
        self._process = Process(command)
        self._number = 0
        self._stray: deque[str] = deque(maxlen=5)
        self._known: frozenset[str] | None = None

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the engine may be asked; false after a fault and after ``close``."""
        return self._process.is_running

    @property
    def last_words(self) -> str:
        """What the engine wrote last on standard error, or else outside of its replies."""
        return self._process.last_words or " | ".join(self._stray)

    def send(self, command: str, timeout_s: float | None = None) -> Reply:
        """Send a command and return its reply, which may be a refusal.

        Raises:
            EngineError: the engine ended (``crash``), was too slow (``time_out``) or said what is
                no reply (``garbage``).
        """
        if not self.is_running:
            raise EngineError("crash", "the engine has ended", last_words=self.last_words)
        self._number += 1
        wait_s = self.timeout_s if timeout_s is None else timeout_s
        line = " ".join(f"{self._number} {command}".split("\n")) + "\n"
        try:
            self._process.write(line.encode("utf-8", "surrogateescape"))
        except OSError:
            raise self._ended(command) from None
        try:
            return self._reply(command, time.monotonic() + wait_s)
        except queue.Empty:
            self._process.end(0)
            raise self._fault(
                "time_out", f"no reply to {command[:SHOWN]!r} in {wait_s:g} s"
            ) from None

    def ask(self, command: str, timeout_s: float | None = None) -> str:
        """Send a command and return the text of its reply.

        Raises:
            EngineError: see :meth:`send`; and ``refused``, where the reply begins with ``?``.
        """
        reply = self.send(command, timeout_s)
        if not reply.ok:
            said = " ".join(reply.text.split())[:SHOWN] or "no reason given"
            raise self._fault("refused", f"the engine refuses {command[:SHOWN]!r}: {said}")
        return reply.text

    def knows(self, name: str) -> bool:
        """Say whether the engine has a command, by its ``list_commands``.

        Raises:
            EngineError: see :meth:`send`.
        """
        if self._known is None:
            reply = self.send("list_commands")
            self._known = frozenset(reply.text.split()) if reply.ok else frozenset()
        if self._known:
            return name in self._known
        reply = self.send(f"known_command {name}")
        return reply.ok and reply.text.strip().lower() == "true"

    def close(self) -> None:
        """Say ``quit``, wait a moment, and end the engine with its children.

        Children that have begun a session of their own (``setsid``) are out of reach.
        """
        if self.is_running:
            with suppress(OSError):
                self._process.write(b"quit\n")
            self._process.end(FAREWELL_S)

    def _reply(self, command: str, deadline_s: float) -> Reply:
        while True:
            reply = self._next_reply(command, deadline_s)
            if reply.id in ("", str(self._number)):
                return reply
            if int(reply.id) > self._number:
                self._process.end(0)
                raise self._fault("garbage", f"a reply with id {reply.id} to {self._number}")

    def _next_reply(self, command: str, deadline_s: float) -> Reply:
        lines: list[str] = []
        size = 0
        is_new = True  # a long line comes in pieces
        while (raw := self._process.next_line(deadline_s)) is not None:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            is_more, is_new = not is_new, raw.endswith(b"\n")
            size += len(raw) if lines else 0
            if size > LONGEST_REPLY:
                self._process.end(0)
                raise self._fault("garbage", f"a reply without end to {command[:SHOWN]!r}")
            if is_more:
                lines[-1:] = [f"{last}{line}" for last in lines[-1:]]
            elif lines and not line.strip():
                break
            elif lines or parse_reply([line]) is not None:
                lines.append(line)
            elif line.strip():
                self._stray.append(without_controls(line).strip()[:SHOWN])
            if time.monotonic() > deadline_s:  # lines without end
                raise queue.Empty
        reply = parse_reply(lines)
        if reply is None:
            raise self._ended(command)
        return reply

    def _ended(self, command: str) -> EngineError:
        code = self._process.end(FAREWELL_S)
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return self._fault("crash", f"the engine ended {how} at {command[:SHOWN]!r}")

    def _fault(self, fault: str, what: str) -> EngineError:
        return EngineError(fault, what, last_words=self.last_words)

"""Run lines through the server in this process, and check the form of what it says."""

from __future__ import annotations

import io
import re

from mariago.gtp import Session, serve
from mariago.players import Decision, Limits
from mariago.rules import Position

REPLY = re.compile(rb"([=?])([0-9]*) ((?:[^\n]|\n(?!\n))*)\n\n")


class ListedPlayer:
    """Answers from a list, then passes; an answer that is an exception is raised."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.seeds: list[int] = []
        self.limits: list[Limits] = []
        self.closed = False

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, position: Position, limits: Limits) -> Decision:
        self.limits.append(limits)
        answer = self.answers.pop(0) if self.answers else position.size.cells
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Decision):
            return answer
        assert isinstance(answer, int)
        return Decision(answer)

    def describe(self) -> dict[str, object]:
        return {"kind": "listed"}

    def close(self) -> None:
        self.closed = True


def session_of(*answers: object, size: int | str = 19, rules: str = "chinese") -> Session:
    player = ListedPlayer(*answers)
    return Session(lambda: player, "listed", size=size, rules=rules)


def replies_to(session: Session, script: bytes | str) -> list[tuple[bool, str, str]]:
    """Return (ok, id, text) of every reply; fails where the output is anything but replies."""
    data = script.encode("utf-8", "surrogateescape") if isinstance(script, str) else script
    out = io.BytesIO()
    serve(session, io.BytesIO(data), out)
    written, at, found = out.getvalue(), 0, list[tuple[bool, str, str]]()
    while at < len(written):
        match = REPLY.match(written, at)
        assert match is not None, written[at : at + 200]
        at = match.end()
        text = match[3].decode("utf-8", "surrogateescape")
        found.append((match[1] == b"=", match[2].decode(), text))
    return found


def texts_of(session: Session, script: str) -> list[str]:
    """Return the texts of the replies, with ``? `` before those that failed."""
    return [("" if ok else "? ") + text for ok, _, text in replies_to(session, script)]


def dialogue(session: Session, text: str) -> None:
    """Play ``command -> reply`` lines; a reply that failed begins with ``?``."""
    lines = [line.strip().partition(" ->") for line in text.strip().splitlines()]
    pairs = [(command, reply.strip()) for command, _, reply in lines]
    said = texts_of(session, "".join(f"{command}\n" for command, _ in pairs))
    assert list(zip([command for command, _ in pairs], said, strict=True)) == pairs

"""Suites in GNU Go's ``.tst`` form, run in process against tables of analysis commands.

The form is GTP with answers: ``loadsgf FILE [N]`` loads the position before move N (the whole main
line without N), ``trymove`` and ``play`` go on from there, ``popgo`` and ``undo`` take one move
back. ``ID command words`` asks; the next ``#? [regex]`` is the right answer. A ``!`` at the start
turns the regex round. ``*`` after the bracket: GNU Go itself fails the case, and the answer is
right all the same. ``##?`` switches an answer off, and its case is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from mariago.board.points import BLACK, WHITE, vertex_to_move
from mariago.errors import BadInputError, IllegalMoveError, RulesError
from mariago.rules import Position
from mariago.sgf import ReadGame, read_games

Command = Callable[[Position, Sequence[str]], str]

RULES = "japanese"  # simple ko and no suicide: what GNU Go reads with
_ASKED = re.compile(r"(\d+)\s+(\S+)\s*(.*)")
_ANSWER = re.compile(r"#\?\s*\[(.*)\]\s*([*&]*)")
_LOOSE_CHOICE = re.compile(r"(\d) ([^()|]*\|[^()]*)")
_COLORS = {"b": BLACK, "w": WHITE}


@dataclass(frozen=True)
class Case:
    """One question: a position, a command with its words, and the answer that is right."""

    number: int
    command: str
    words: tuple[str, ...]
    answer: str
    peer_fails: bool
    source: str  # what was loaded and played
    position: Position

    @property
    def question(self) -> str:
        return " ".join((self.command, *self.words))

    def accepts(self, reply: str) -> bool:
        """Say whether a reply is the right one; the regex must match the whole of it."""
        negated = self.answer.startswith("!")
        pattern = self.answer[1:] if negated else self.answer
        loose = _LOOSE_CHOICE.fullmatch(pattern)
        if loose:  # "1 T15|O13|P12" is meant as 1 (T15|O13|P12)
            pattern = f"{loose[1]} ({loose[2]})"
        return (re.fullmatch(pattern, reply) is not None) != negated


@dataclass(frozen=True)
class Wrong:
    """A case that was answered otherwise, or not at all."""

    case: Case
    reply: str

    def __str__(self) -> str:
        star = "*" if self.case.peer_fails else ""
        return (
            f"{self.case.number} {self.case.question}: {self.reply}, right is "
            f"[{self.case.answer}]{star} ({self.case.source})"
        )


@dataclass
class Outcome:
    """What a run of a suite gave."""

    right: list[Case] = field(default_factory=list[Case])
    wrong: list[Wrong] = field(default_factory=list[Wrong])
    unsupported: list[Case] = field(default_factory=list[Case])

    @property
    def asked(self) -> int:
        """How many cases were answered, right or wrong."""
        return len(self.right) + len(self.wrong)

    def __str__(self) -> str:
        lines = [str(wrong) for wrong in self.wrong]
        peer = sum(not c.peer_fails for c in (*self.right, *(w.case for w in self.wrong)))
        lines.append(
            f"{len(self.right)} of {self.asked} right (GNU Go: {peer}), "
            f"{len(self.unsupported)} not supported"
        )
        return "\n".join(lines)


@lru_cache(maxsize=4)
def _read(path: Path) -> ReadGame:
    return read_games(path)[0]


def load(path: Path, before: int | None = None) -> Position:
    """Return the position of a game's main line before move number ``before``, or at its end.

    A move that the rules forbid is set up by hand, as a stone without captures.
    """
    read = _read(path)
    plies = len(read.moves) if before is None else min(before - 1, len(read.moves))
    position = Position.empty(read.size, rules=RULES)
    position = position.with_to_move(read.first_player)
    for ply in range(plies + 1):
        stones = [(color, move) for at, color, move in read.setup if at == ply]
        if stones:
            position = position.with_setup(stones, without_breathless=True)
        if ply < plies:
            position = _played(position, *read.moves[ply])
    if plies < len(read.moves):
        return position.with_to_move(read.moves[plies][0])
    return position


def _played(position: Position, color: int, move: int) -> Position:
    position = position.with_to_move(color)
    try:
        return position.play(move)
    except (IllegalMoveError, RulesError):
        return position.with_setup([(color, move)], without_breathless=True)


def cases_of(path: Path) -> Iterator[Case]:
    """Yield the cases of a suite in order; games lie beside it, as its lines name them."""
    stack = [Position.empty(19, rules=RULES)]
    names = ["an empty board"]
    asked: re.Match[str] | None = None
    for raw in path.read_text(encoding="latin-1").splitlines():
        line = raw.strip()
        answer = _ANSWER.match(line)
        if answer and asked is not None:
            yield Case(
                number=int(asked[1]),
                command=asked[2],
                words=tuple(asked[3].split("#")[0].split()),
                answer=answer[1],
                peer_fails="*" in answer[2],
                source=", ".join(names),
                position=stack[-1],
            )
            asked = None
        if line.startswith("##?"):
            asked = None
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0].isdigit():
            asked = _ASKED.fullmatch(line)
        else:
            _steer(words, path.parent, stack, names)


def _steer(words: Sequence[str], folder: Path, stack: list[Position], names: list[str]) -> None:
    """Follow a line that asks nothing: change the position on top of ``stack``."""
    name = words[0]
    if name == "loadsgf":
        stack[:] = [load(folder / words[1], int(words[2]) if len(words) > 2 else None)]
        names[:] = [" ".join(words[1:])]
    elif name in ("play", "trymove"):
        size = stack[-1].size
        color = _COLORS[words[1][0].lower()]
        stack.append(_played(stack[-1], color, vertex_to_move(words[2], size)))
        names.append(f"{words[1]} {words[2]}")
    elif name in ("popgo", "undo"):
        stack.pop()
        names.pop()
    elif name in ("boardsize", "clear_board"):
        size = int(words[1]) if name == "boardsize" else stack[-1].size
        stack[:] = [Position.empty(size, rules=RULES)]
        names[:] = [f"an empty board of {size}"]


def run_suite(
    path: Path, commands: Mapping[str, Command], *, only: Callable[[Case], bool] | None = None
) -> Outcome:
    """Ask every case of a suite whose command is in ``commands``; ``only`` picks some of them.

    A command that refuses its words gives the reply ``? why``, which is wrong.
    """
    outcome = Outcome()
    for case in cases_of(path):
        if only is not None and not only(case):
            continue
        command = commands.get(case.command)
        if command is None:
            outcome.unsupported.append(case)
            continue
        try:
            reply = command(case.position, case.words)
        except BadInputError as error:
            reply = f"? {error}"
        if case.accepts(reply):
            outcome.right.append(case)
        else:
            outcome.wrong.append(Wrong(case, reply))
    return outcome

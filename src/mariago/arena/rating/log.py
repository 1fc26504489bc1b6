"""What is kept of a rating: ``answers.jsonl``, a line for each answer, written as it comes.

A rating that is killed loses the answers in hand. The last line, where it was cut off, is taken
away; any other line that cannot be read is an error.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from mariago.arena.rating.positions import PositionSet
from mariago.arena.settings import differences
from mariago.errors import BadInputError, first_fault
from mariago.records.workplace import lock

__all__ = [
    "FILE_NAME",
    "Answer",
    "AnswerLog",
    "JudgedLine",
    "Outcome",
    "OutlookLine",
    "check_folder",
    "is_begun",
]

FILE_NAME = "answers.jsonl"
FORMAT = 1
OUTPUTS = ("report.html", "rating.json", "figures.csv", "answers.csv")
"""What else a rating leaves in its folder."""
RESTORE = "restore the file from a copy, or choose another --out"

Outcome = Literal["move", "illegal", "resigned", "fault"]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Header(_Line):
    kind: Literal["rating"] = "rating"
    format: int
    positions: str
    """Hash of the set's positions."""
    seed: int
    count: int | None = None
    """How many positions; logs of earlier versions do not say it."""


class _About(_Line):
    kind: Literal["player"] = "player"
    player: str
    describes: dict[str, Any]


class Answer(_Line):
    """What a player answered in one position."""

    kind: Literal["answer"] = "answer"
    player: str
    at: str
    """:meth:`PositionSet.key`."""
    outcome: Outcome
    move: int | None
    """The legal move that was answered."""
    detail: str = ""
    """What was wrong, in words."""
    wall_s: float = Field(ge=0)
    cpu_s: float | None = Field(ge=0)
    """Of this process; None where the player thinks in another one."""


class JudgedLine(_Line):
    """What a teacher said of a position."""

    kind: Literal["judged"] = "judged"
    player: str
    at: str
    moves: list[int]
    value: float | None
    lead: float | None


class OutlookLine(_Line):
    """What a teacher expects after a move, for its mover; ``value`` None where it does not say."""

    kind: Literal["outlook"] = "outlook"
    player: str
    at: str
    move: int
    value: float | None
    lead: float | None


Line = Answer | JudgedLine | OutlookLine
_lines: TypeAdapter[_Header | _About | Line] = TypeAdapter(
    Annotated[_Header | _About | Answer | JudgedLine | OutlookLine, Field(discriminator="kind")]
)


def check_folder(folder: Path, *, resume: bool = False) -> None:
    """Refuse a folder that cannot take the answers of a rating; nothing is made.

    Raises:
        BadInputError: it holds answers already and ``resume`` is false, or it holds other things
            than a rating.
    """
    if (folder / FILE_NAME).is_file():
        if is_begun(folder) and not resume:
            raise _held_already(folder)
        return
    if not folder.is_dir():
        return
    others = [p.name for p in folder.iterdir() if not p.name.startswith(".")]
    if strange := sorted(set(others) - set(OUTPUTS)):
        raise BadInputError(
            f"the folder holds other things than a rating: {strange[0]!r:.60}",
            where=folder,
            hint="choose another --out, one that is empty or new",
        )


def is_begun(folder: Path) -> bool:
    """Tell whether a folder holds answers to go on with."""
    path = folder / FILE_NAME
    return path.is_file() and path.stat().st_size > 0


def _held_already(folder: Path) -> BadInputError:
    return BadInputError(
        "the folder holds answers already",
        where=folder,
        hint="--resume goes on with them, further players too; or choose another --out",
    )


class AnswerLog:
    """The answers of one rating, in ``answers.jsonl`` of its folder; held until it is closed."""

    def __init__(self, path: Path, positions: PositionSet) -> None:
        self.path = path
        self.players: dict[str, dict[str, Any]] = {}
        self.answers: dict[tuple[str, str], Answer] = {}
        self.judged: dict[tuple[str, str], JudgedLine] = {}
        self.outlooks: dict[tuple[str, str, int], OutlookLine] = {}
        self._header: _Header | None = None
        self._handle: int | None = None
        self._cells = {
            positions.key(n): positions.game_of(n).size.cells for n in range(len(positions))
        }

    @classmethod
    def begin(
        cls, folder: Path, positions: PositionSet, seed: int, *, resume: bool = False
    ) -> AnswerLog:
        """Open the log of ``folder``, or make it, and hold it for this process alone.

        Raises:
            BadInputError: see :func:`check_folder`; or another run is at work in the folder, or
                its answers are to other positions or came of another seed, or it is damaged.
        """
        check_folder(folder, resume=resume)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInputError(f"cannot be a folder: {error.strerror}", where=folder) from None
        log = cls(folder / FILE_NAME, positions)
        try:
            log._hold()
            if log.path.stat().st_size and not resume:
                raise _held_already(folder)  # of a run that ended meanwhile
            log._read()
            log._go_on(_Header(
                format=FORMAT, positions=positions.sha256, seed=seed, count=len(positions)
            ))  # fmt: skip
        except BaseException:
            log.close()
            raise
        return log

    def close(self) -> None:
        """Let go of the log: another run may go on with it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _hold(self) -> None:
        try:
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise BadInputError(f"cannot be written: {error.strerror}", where=self.path) from None
        if not lock(self._handle):
            raise BadInputError(
                "another run is asking players into this folder",
                where=self.path.parent,
                hint="wait for it, or choose another --out",
            )

    def _go_on(self, wanted: _Header) -> None:
        """Write the header of a new log, or compare it with the one there."""
        held = self._header
        if held is None:
            if self.answers or self.players:
                raise self._damaged(1, "the first line does not say what was rated")
            self._write(wanted)
        elif changed := _changes(held, wanted):
            raise BadInputError(
                "the rating to be resumed was another one: " + "; ".join(changed),
                where=self.path.parent,
                hint="give --set, --positions, --per-game and --seed as at its beginning, "
                "or choose another --out",
            )

    def introduce(self, player: str, describes: dict[str, object]) -> None:
        """Note what a player says of itself.

        Raises:
            BadInputError: answers of another player of this name are kept.
        """
        plain = json.loads(json.dumps(describes, default=str))
        known = self.players.get(player)
        if known is None:
            self._write(_About(player=player, describes=plain))
            self.players[player] = plain
        elif changed := differences(known, plain):
            raise BadInputError(
                f"{player} is not what it was when it answered: " + "; ".join(changed),
                where=self.path.parent,
                hint="choose another --out",
            )

    def add(self, line: Line) -> None:
        """Keep a line; it is on disk when this returns."""
        self._write(line)
        self._take(line)

    def _take(self, line: Line) -> None:
        if isinstance(line, Answer):
            self.answers[line.player, line.at] = line
        elif isinstance(line, JudgedLine):
            self.judged[line.player, line.at] = line
        else:
            self.outlooks[line.player, line.at, line.move] = line

    def _write(self, line: _Line) -> None:
        with self.path.open("ab") as file:
            file.write(line.model_dump_json().encode("utf-8") + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> None:
        raw = self.path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        for number, text in enumerate(whole.splitlines(), 1):
            try:
                line = _lines.validate_json(text)
            except ValidationError as error:
                raise self._damaged(number, first_fault(error)) from None
            if isinstance(line, _Header):
                self._header = line
            elif isinstance(line, _About):
                self.players[line.player] = line.describes
            else:
                self._check(number, line)
                self._take(line)
        if len(whole) < len(raw):
            os.truncate(self.path, len(whole))

    def _check(self, number: int, line: Line) -> None:
        cells = self._cells.get(line.at)
        if cells is None:
            return  # of another set: the header is refused afterwards
        named = line.moves if isinstance(line, JudgedLine) else [line.move]
        if any(move is not None and not 0 <= move <= cells for move in named):
            raise self._damaged(number, "a move off the board")
        if isinstance(line, Answer) and (line.outcome == "move") != (line.move is not None):
            raise self._damaged(number, f"outcome {line.outcome!r} with move {line.move}")

    def _damaged(self, number: int, what: str) -> BadInputError:
        where = f"{self.path}, line {number}"
        return BadInputError(f"was changed or is damaged: {what}", where=where, hint=RESTORE)


def _changes(held: _Header, wanted: _Header) -> list[str]:
    """Return in words what differs between two ratings."""
    before, now = held.model_dump(), wanted.model_dump()
    told: list[str] = []
    if before.pop("positions") != now.pop("positions"):
        known = held.count not in (None, wanted.count)
        told.append(f"{held.count} positions then, {wanted.count} now" if known else
                    "other positions")  # fmt: skip
    for part in (before, now):
        part.pop("count")
    return told + differences(before, now)

"""What ``mariago lessons games`` says of the games it wrote: which of their moves are lessons.

``lessons.jsonl`` names the file of a game, the number of a move (from 1), the move, and what the
lesson counts, a line each; the other keys of a line are for people.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mariago.errors import BadInputError, first_fault
from mariago.records.names import check_utf8

__all__ = ["LessonWeights", "TaughtMove", "lessons_of", "read_lessons"]

MOST = 1000.0  # of a lesson's weight and of the factor: far from where a float32 ends
WRITES = "mariago lessons games BOOK --out DIR writes one"


class TaughtMove(NamedTuple):
    """A move that is a lesson."""

    move: int
    weight: float
    line: int
    """Of the file, from 1."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, allow_inf_nan=False)

    file: Annotated[str, Field(min_length=1)]
    move_number: Annotated[int, Field(ge=1, le=10**6)]
    move: Annotated[int, Field(ge=0, le=10**4)]
    weight: Annotated[float, Field(gt=0, le=MOST)]


@dataclass(frozen=True)
class LessonWeights:
    """The lessons of a file; the row of each counts ``factor`` times its weight, others 1."""

    path: Path
    sha256: str
    factor: float = 1.0
    games: Mapping[str, Mapping[int, TaughtMove]] = field(
        default_factory=dict[str, dict[int, TaughtMove]], compare=False
    )
    """File of a game -> number of the move -> the lesson."""

    def __post_init__(self) -> None:
        if not 0 < self.factor <= MOST:
            raise BadInputError(f"lies above 0, up to {MOST:g}", where="--lesson-factor")

    @property
    def moves(self) -> int:
        """How many moves are lessons."""
        return sum(len(moves) for moves in self.games.values())

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the manifest."""
        told = {"file": self.path.name, "sha256": self.sha256, "moves": self.moves}
        return {**told, "factor": self.factor}


def read_lessons(path: str | Path, factor: float = 1.0) -> LessonWeights:
    """Read a file of lessons. A move that was handed to both sides is one lesson, its heavier one.

    Raises:
        BadInputError: the file cannot be read, or a line of it is no lesson.
    """
    place = Path(path)
    check_utf8(place)
    try:
        data = place.read_bytes()
        text = data.decode("utf-8")
    except OSError as error:
        raise BadInputError(
            f"cannot be read ({error.strerror})", where=place, hint=WRITES
        ) from error
    except ValueError:
        raise BadInputError("is no file of lessons", where=place, hint=WRITES) from None
    games: dict[str, dict[int, TaughtMove]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = _Line.model_validate_json(line)
        except ValidationError as error:
            where = f"{place}, line {number}"
            raise BadInputError(
                f"is no lesson: {first_fault(error)}", where=where, hint=WRITES
            ) from None
        _add(games.setdefault(found.file, {}), found, number, place)
    if not games:
        raise BadInputError("holds no lesson", where=place, hint=WRITES)
    return LessonWeights(place, hashlib.sha256(data).hexdigest(), factor, games)


def _add(moves: dict[int, TaughtMove], found: _Line, number: int, place: Path) -> None:
    known = moves.get(found.move_number)
    if known is not None and known.move != found.move:
        raise BadInputError(
            f"tells another move {found.move_number} of {found.file:.80} than line {known.line}",
            where=f"{place}, line {number}",
            hint=WRITES,
        )
    if known is None or known.weight < found.weight:
        moves[found.move_number] = TaughtMove(found.move, found.weight, number)


def lessons_of(path: Path | None, factor: float | None) -> LessonWeights | None:
    """Return the lessons of a file, if there is one.

    Raises:
        BadInputError: see :func:`read_lessons`; or a factor of no lessons.
    """
    if path is not None:
        return read_lessons(path, 1.0 if factor is None else factor)
    if factor is not None:
        raise BadInputError("of which lessons?", where="--lesson-factor", hint="add --lessons FILE")
    return None

"""Where the openings of a match come from: what the settings hold of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mariago.board.points import Size
from mariago.errors import MatchError, first_fault

__all__ = [
    "BALANCED",
    "DEFAULT_JUDGE",
    "RANDOM",
    "OpeningTerms",
    "balanced_length",
    "left_out_in_words",
    "terms_of_text",
]

RANDOM = "random"
BALANCED = "balanced"
DEFAULT_JUDGE = "net"
MOST_NAMED = 20  # files that cannot be used, before the games
KEYS = ("within", "temperature")
HINT = "write balanced, or balanced,within=0.05,temperature=0.8"


class OpeningTerms(BaseModel):
    """The source of a match's openings, where it is not the short random ones.

    Fields that are not stored tell where and how the source was met on this run.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Literal["folder", "balanced"]
    """``folder``: a folder of SGF files, one of them, or an archive."""
    name: str = ""
    """The last part of its path."""
    sha256: str = ""
    """Of a folder's distinct openings; of balanced ones of what the judge says of itself."""
    distinct: int = Field(0, ge=0)
    """How many different openings a folder has for the board."""
    repeat: bool = False
    """Whether openings come again where a match asks for more than there are."""
    judge: str = ""
    """The player whose net draws and judges balanced openings."""
    within: float = Field(0.1, gt=0, le=0.5, allow_inf_nan=False)
    """How far Black's chance may lie from one half."""
    temperature: float = Field(1.0, gt=0, le=10, allow_inf_nan=False)
    """Of the net's policy, from which the moves are drawn."""

    place: str = Field("", exclude=True)
    """The path as it was given."""
    other_boards: int = Field(0, exclude=True)
    """Openings for other boards, which were left out."""
    equal: int = Field(0, exclude=True)
    """Openings equal to another one, turned or mirrored."""
    unusable: tuple[str, ...] = Field((), exclude=True)
    """Files that cannot be used, each with the reason."""

    def notes(self) -> list[str]:
        """Return what is to be said before the games begin."""
        if self.source == "balanced":
            return [f"openings: drawn and judged by {self.judge}"]
        left_out = left_out_in_words(self.other_boards, self.equal, len(self.unusable))
        told = f"; left out: {left_out}" if left_out else ""
        return [
            f"openings: {self.distinct} distinct ones in {self.name}{told}",
            *(f"  {text}" for text in self.unusable[:MOST_NAMED]),
        ]


def left_out_in_words(other_boards: int, equal: int, unusable: int) -> str:
    """Return which openings of a folder are left out, in English; empty where none is."""
    counts = {"for other boards": other_boards, "equal to others": equal}
    counts["that cannot be used"] = unusable
    return ", ".join(f"{count} {why}" for why, count in counts.items() if count)


def balanced_length(size: Size) -> int:
    """Return the usual number of moves of a balanced opening."""
    side = min(size)
    steps = ((17, 20), (13, 12), (9, 8), (7, 4), (5, 2))
    return next((moves for least, moves in steps if side >= least), 1)


def terms_of_text(text: str, judge: str | None = None) -> OpeningTerms | None:
    """Return what ``--openings`` means; None for ``random``. Nothing has been read yet.

    Raises:
        MatchError: a key or a value that balanced openings do not have, or a judge of others.
    """
    word, *parts = text.split(",")
    if word.strip() != BALANCED:
        if judge is not None:
            hint = "only --openings balanced has a judge"
            raise MatchError(f"{text!r} openings are not judged", where="--judge", hint=hint)
        if text.strip() == RANDOM:
            return None
        return OpeningTerms.model_validate({"source": "folder", "place": text})
    values: dict[str, object] = {"source": "balanced", "judge": judge or DEFAULT_JUDGE}
    for part in parts:
        key, mark, value = (word.strip() for word in part.partition("="))
        if not mark or key not in KEYS or key in values:
            said = f"{part.strip()!r} is no key of balanced openings"
            raise MatchError(said, where="--openings", hint=HINT)
        values[key] = value
    try:
        return OpeningTerms.model_validate(values)
    except ValidationError as error:
        raise MatchError(first_fault(error), where="--openings", hint=HINT) from None

"""What runs of cross lessons are: rounds of teaching, and the ablation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from mariago.arena.settings import MatchSettings
from mariago.errors import BadInputError, first_fault
from mariago.lessons import Teaching
from mariago.players import resolve_name
from mariago.teaching.side_books import SIDES, can_learn, check_student
from mariago.teaching.third_parties import checked_third, default_third
from mariago.teaching.tune_settings import FEWEST_GAMES, TuneSettings

__all__ = [
    "CELLS",
    "DEFAULT_CELLS",
    "PLACEBOS",
    "TAUGHT_BY",
    "AblationSettings",
    "Cell",
    "TeachSettings",
    "book_of",
    "checked",
]

Cell = Literal["none", "own", "cross", "double", "shuffled", "chance"]
CELLS: tuple[Cell, ...] = ("none", "own", "cross", "double", "shuffled", "chance")
"""No book; own good moves; the other side's; those with the winner's doubled; and two placebos of
the last: its counts dealt out among its patterns, and as many lessons about moves that chance
chose."""
DEFAULT_CELLS: tuple[Cell, ...] = CELLS[:5]
PLACEBOS: tuple[Cell, ...] = ("shuffled", "chance")
TAUGHT_BY: dict[str, Teaching] = {
    "own": Teaching(to="own", winner_weight=1),
    "cross": Teaching(to="other", winner_weight=1),
    "double": Teaching(to="other", winner_weight=2),
}
"""The books of an ablation, all learnt from the same games."""


class _Run(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    match: MatchSettings
    """The players, and the terms of all games of the run; ``games`` are those that teach, in each
    round. Its seed is that of the run."""
    third: tuple[str, ...]
    looked_at: int = Field(20, ge=0)
    """Games of each student, about, in which it is asked again what lessons changed."""

    @field_validator("third")
    @classmethod
    def _somebody(cls, third: tuple[str, ...]) -> tuple[str, ...]:
        if not third:
            raise ValueError("name a third party")
        return third

    @model_validator(mode="after")
    def _no_test(self) -> _Run:
        if self.match.sprt is not None:
            raise ValueError("a sequential test ends no run of lessons")
        return self

    @property
    def names(self) -> dict[str, str]:
        """Return the players' names by ``"a"`` and ``"b"``."""
        return {"a": self.match.player_a, "b": self.match.player_b}


class TeachSettings(_Run):
    """Rounds of games, lessons and games against third parties."""

    rounds: int = Field(3, ge=1, le=99)
    third_games: int = Field(20, ge=2, le=1_000_000)
    """Of each side against each third party, before the first round and after each."""
    teaching: Teaching = Teaching()
    tune: TuneSettings | None = None
    """How the weights of nets learn; None: they stay as they are."""

    @field_validator("third_games")
    @classmethod
    def _even(cls, games: int) -> int:
        if games % 2:
            raise ValueError(f"{games} games are no pairs; write {games + 1}")
        return games

    @property
    def games_of_meetings(self) -> tuple[int, ...]:
        """Return how many games two who meet play: A and B, and a side and a third party."""
        return self.match.games, self.third_games

    @property
    def learners(self) -> tuple[str, ...]:
        """Return the sides that can use a book."""
        return tuple(side for side in SIDES if can_learn(self.names[side]))

    @property
    def tuned(self) -> tuple[str, ...]:
        """Return the sides whose weights learn."""
        return () if self.tune is None else self.tune.sides(self.names)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values; without tuning as they were before there was any."""
        told = self.model_dump(mode="json")
        return told if self.tune is not None else {k: v for k, v in told.items() if k != "tune"}

    @model_validator(mode="after")
    def _enough_to_tune_on(self) -> TeachSettings:
        if self.tune is not None and self.match.games * self.tune.every < FEWEST_GAMES:
            raise ValueError(
                f"{self.match.games * self.tune.every} games between two tunings are too few to "
                f"learn from and to measure on; {FEWEST_GAMES} or more are needed"
            )
        return self


class AblationSettings(_Run):
    """Students that differ in their book alone, against the same third parties."""

    games: int = Field(1000, ge=2, le=1_000_000)
    """Of each cell, shared out among the third parties."""
    cells: tuple[Cell, ...] = DEFAULT_CELLS

    @model_validator(mode="after")
    def _shared_out(self) -> AblationSettings:
        if self.games % 2 or self.games < 2 * len(self.third):
            raise ValueError(
                f"{self.games} games are no pairs with each of {len(self.third)} third parties; "
                f"an even number from {2 * len(self.third)} on is"
            )
        if len(set(self.cells)) < len(self.cells) or "none" not in self.cells:
            raise ValueError("each cell once, and none among them, to compare with")
        if len(self.cells) < 2:
            raise ValueError("one cell compares nothing")
        return self

    @property
    def third_games(self) -> tuple[int, ...]:
        """Return the games of a cell against each third party."""
        pairs, over = divmod(self.games // 2, len(self.third))
        return tuple(2 * (pairs + (number < over)) for number in range(len(self.third)))

    @property
    def games_of_meetings(self) -> tuple[int, ...]:
        """Return how many games two who meet play: A and B, and a side and a third party."""
        return self.match.games, *self.third_games

    @property
    def placebo(self) -> Cell | None:
        """Return the cell that bonuses without a meaning are compared with."""
        return next((cell for cell in PLACEBOS if cell in self.cells), None)

    @property
    def books(self) -> tuple[str, ...]:
        """Return the books that the cells need."""
        needed = {book_of(cell) for cell in self.cells}
        return tuple(book for book in TAUGHT_BY if book in needed)


def book_of(cell: Cell) -> str | None:
    """Return the book of a cell's student; None for the one without."""
    return {"none": None, "shuffled": "double", "chance": "double"}.get(cell, cell)


def _check_openings(settings: TeachSettings | AblationSettings) -> None:
    """Refuse a folder with too few openings for a meeting that comes late in the run.

    Raises:
        BadInputError: see above.
    """
    terms, most = settings.match.openings, max(settings.games_of_meetings)
    if terms is None or terms.source != "folder" or terms.repeat or most <= 2 * terms.distinct:
        return
    raise BadInputError(
        f"{terms.distinct} distinct openings are enough for {2 * terms.distinct} games of two "
        f"players, and some play {most} in this run",
        where="--openings",
        hint="fewer games, or --repeat-openings deals them again",
    )


Kind = TypeVar("Kind", TeachSettings, AblationSettings)


def checked(kind: type[Kind], match: MatchSettings, third: Sequence[str], **others: object) -> Kind:
    """Return the settings of a run.

    Raises:
        BadInputError: a value that no run can have, or a player that comes with a book.
        PlayerError: an unknown player.
    """
    names = {
        "player_a": resolve_name(match.player_a),
        "player_b": resolve_name(match.player_b),
    }
    for name in names.values():
        check_student(name)
    who = names["player_a"]
    if not can_learn(who) and (kind is AblationSettings or not can_learn(names["player_b"])):
        hint = "heuristic, net, katago and search do; mariago players lists the keys of each kind"
        raise BadInputError("this player uses no lessons", where=who, hint=hint)
    values: dict[str, Any] = {
        "match": match.model_copy(update=names),
        "third": checked_third(third) if third else default_third(),
        **others,
    }
    try:
        settings = kind.model_validate(values)
        if isinstance(settings, TeachSettings):
            _ = settings.tuned  # a side without a net is told now
        _check_openings(settings)
        return settings
    except ValidationError as error:
        command = "teach" if kind is TeachSettings else "ablate"
        raise BadInputError(
            first_fault(error, kind.model_fields),
            where="the run",
            hint=f"mariago {command} --help says what it takes",
        ) from None

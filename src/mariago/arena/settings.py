"""What a match is: everything that its games depend on."""

from __future__ import annotations

import json
from typing import Literal, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from mariago.arena.clock import TimeTerms
from mariago.arena.opening_terms import OpeningTerms, balanced_length
from mariago.arena.statistics.sprt import SprtTerms
from mariago.board.points import Size, size_of
from mariago.errors import MatchError, RulesError
from mariago.rules import rules_of
from mariago.rules.handicap import HANDICAP_KOMI, most_fixed_handicap

__all__ = ["MatchSettings", "checked_settings", "differences", "settings_of"]


KOMI_ON_ANY_BOARD = 25
"""Points that are allowed on the smallest boards too: the usual komi of every rule set."""


class MatchSettings(BaseModel):
    """Two players and the terms on which they meet.

    Two matches with equal settings have equal games, move for move, whatever the number of
    workers. Player A has Black in the first game of each pair, Player B in the second.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    player_a: str
    """Name in the grammar of :mod:`mariago.players.names`, aliases followed."""
    player_b: str
    games: int = Field(40, ge=2, le=1_000_000)
    """Even: games come in pairs from one opening with colours swapped."""
    rows: int = Field(19, ge=1, le=25)
    columns: int = Field(19, ge=1, le=25)
    rules: str = "chinese"
    komi: float = Field(7.5, allow_inf_nan=False)
    """Points to White."""
    move_limit: int | None = Field(150, ge=1)
    """Moves, opening included, after which a game is stopped and counted as it stands; ``None``:
    games go on to two passes."""
    scoring: Literal["territory", "area"] = "territory"
    """How a stopped game is counted: ``scoring.score_reference``."""
    opening_moves: int | None = Field(None, ge=0)
    """Random moves before the players' first, those of balanced openings too; ``None``: by the
    size of the board."""
    seed: int = Field(0, ge=0)
    handicap: int = Field(0, ge=0, le=9)
    """Black's stones on the board when White moves first; 0: none. Players of a pair take them in
    turn."""
    time: TimeTerms | None = None
    """The clock of each side; ``None``: none, and the same games come out on every run."""
    sprt: SprtTerms | None = None
    """A sequential test that ends the match as soon as it is decided; ``games`` are the most."""
    openings: OpeningTerms | None = None
    """Where the openings come from; ``None``: short random ones."""

    @field_validator("games")
    @classmethod
    def _even(cls, games: int) -> int:
        if games % 2:
            raise ValueError(
                f"{games} games are no pairs; write {games - 1 or 2} or {games + 1} "
                "(every opening is played twice, with colours swapped)"
            )
        return games

    @model_validator(mode="after")
    def _limit_leaves_moves(self) -> MatchSettings:
        opening, limit = self.opening_moves, self.move_limit
        if opening is None and self.openings is not None and self.openings.source == "balanced":
            opening = balanced_length(self.size)
        if limit is not None and opening is not None and opening >= limit:
            raise ValueError("the opening is as long as the move limit")
        return self

    @model_validator(mode="after")
    def _openings_fit_the_rest(self) -> MatchSettings:
        source = None if self.openings is None else self.openings.source
        if source == "folder" and self.handicap:
            raise ValueError("openings of a folder bring their own stones: leave --handicap out")
        if source == "folder" and self.opening_moves is not None:
            raise ValueError(
                "openings of a folder are as long as they are: leave --opening-moves out"
            )
        if source == "balanced" and self.opening_moves == 0:
            raise ValueError("balanced openings have moves: at least one")
        return self

    @model_validator(mode="after")
    def _terms_fit_the_board(self) -> MatchSettings:
        cells = self.rows * self.columns
        most = max(2 * cells, KOMI_ON_ANY_BOARD)
        if abs(self.komi) > most:
            raise ValueError(
                f"komi {self.komi:g} on a {self.size} board decides every game; "
                f"it goes from {-most} to {most}"
            )
        if self.opening_moves is not None and self.opening_moves > cells:
            raise ValueError(
                f"{self.opening_moves} opening moves on a {self.size} board; at most {cells}"
            )
        most = most_fixed_handicap(self.size)
        if self.handicap == 1 or self.handicap > most:
            told = f"from 2 to {most}" if most else "none on boards under 7 lines"
            raise ValueError(
                f"no fixed handicap of {self.handicap} stones on a {self.size} board: {told}"
            )
        try:
            rules_of(self.rules)
        except RulesError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def size(self) -> Size:
        """The board's size."""
        return Size(self.rows, self.columns)

    @property
    def names(self) -> dict[str, str]:
        """Return the players' names by ``"a"`` and ``"b"``, told apart where they are equal."""
        if self.player_a != self.player_b:
            return {"a": self.player_a, "b": self.player_b}
        return {"a": f"{self.player_a} (A)", "b": f"{self.player_b} (B)"}

    @property
    def length_cap(self) -> int:
        """Moves after which any game is stopped, so that a match ends.

        The move limit, or three times the points of the board: far more than people's games take.
        """
        return self.move_limit if self.move_limit is not None else 3 * self.size.cells + 2

    def as_json(self) -> str:
        """Return the settings in one fixed spelling; usual openings are not told."""
        usual = {"openings"} if self.openings is None else None
        return json.dumps(self.model_dump(exclude=usual), sort_keys=True, ensure_ascii=False)


def settings_of(
    *, size: int | str = 19, rules: str = "chinese", komi: float | None = None, **others: object
) -> MatchSettings:
    """Return settings from what people write: a size such as ``"9x13"``, komi or the rules' usual.

    With ``handicap`` the usual komi is half a point.

    Raises:
        MatchError: a value that a match cannot have; the message names it.
        RulesError, CoordinateError: no such rules or size.
    """
    known, board = rules_of(rules), size_of(size)
    usual = HANDICAP_KOMI if others.get("handicap") else known.komi
    values: dict[str, object] = {
        **others,
        "rows": board.rows,
        "columns": board.columns,
        "rules": known.name,
        "komi": usual if komi is None else komi,
    }
    return checked_settings(values)


def checked_settings(values: dict[str, object]) -> MatchSettings:
    """Return settings from their values.

    Raises:
        MatchError: a value that a match cannot have; the message names it.
    """
    try:
        return MatchSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + "-".join(str(part) for part in first["loc"]).replace("_", "-")
        message = first["msg"].removeprefix("Value error, ")
        raise MatchError(message, where=name if first["loc"] else None) from None


def differences(before: dict[str, object], now: dict[str, object]) -> list[str]:
    """Return "name: before then, now now" for every value that differs, of groups of values by
    their own names."""
    told: list[str] = []
    for name in [*before, *(name for name in now if name not in before)]:
        then, today = before.get(name), now.get(name)
        if isinstance(then, dict) and isinstance(today, dict):
            inner = differences(cast("dict[str, object]", then), cast("dict[str, object]", today))
            told += [f"{name} {line}" for line in inner]
        elif then != today:
            told.append(f"{name}: {_in_short(then)} then, {_in_short(today)} now")
    return told


def _in_short(value: object) -> str:
    """Return a value for one line; of a group of values those that say something."""
    if not isinstance(value, dict):
        return repr(value)
    group = cast("dict[str, object]", value)
    return " ".join(f"{name}={held}" for name, held in group.items() if held not in (None, "", ()))

"""What is kept of a game that was played."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Literal

from mariago.arena.start import Start
from mariago.board.points import BLACK, WHITE, opponent
from mariago.rules import Result
from mariago.words import Texts

__all__ = [
    "ENDINGS",
    "FAULTS",
    "ILLEGAL_IN_WORDS",
    "SHORT_ENDINGS",
    "Ending",
    "GameRecord",
    "detail_in_words",
]

Ending = Literal["limit", "passes", "cap", "resign", "time", "illegal", "fault", "no_result"]

ENDINGS: dict[Ending, str] = {
    "limit": "stopped at the move limit and counted as it stood",
    "passes": "two passes, counted by the rules",
    "cap": "stopped at the longest length allowed and counted as it stood",
    "resign": "resigned",
    "time": "lost on time: the clock of the side to move ran out",
    "illegal": "lost by an illegal move",
    "fault": "lost by an error of the player's program",
    "no_result": "no result: the board repeated",
}
"""How a game can end, in words."""

FAULTS: frozenset[Ending] = frozenset({"illegal", "fault"})
"""Endings that lose the game for the side that made them."""

SHORT_ENDINGS: dict[Ending, str] = {
    "limit": "move limit",
    "passes": "two passes",
    "cap": "longest length",
    "resign": "resignation",
    "time": "lost on time",
    "illegal": "illegal move",
    "fault": "error",
    "no_result": "no result",
}
"""The same in a word or two."""

ILLEGAL_IN_WORDS = {
    "occupied": "there is a stone",
    "suicide": "suicide is not allowed",
    "ko": "a ko taken back at once",
    "superko": "an earlier whole board would come back",
}
"""Reason code of an illegal move -> what it means; the words have translations."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of a match; players are ``"a"`` and ``"b"``, points are Black's view."""

    number: int
    black: str
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    """All moves from the start, opening included; Black first, with a handicap White, else who is
    to move at the ``start``; colours alternate."""
    winner: int
    """BLACK, WHITE, or 0: a draw or no result."""
    margin: float | None
    """Black's lead with komi, where the game was counted."""
    ending: Ending
    detail: str = ""
    """The illegal answer or the error, in words."""
    counting: str = ""
    """``"territory"`` or ``"area"``, where the game was counted."""
    seconds: dict[str, float] = field(default_factory=dict[str, float], compare=False)
    """Thinking time of each player, ``{"a": s, "b": s}``."""
    turns: dict[str, int] = field(default_factory=dict[str, int])
    """How often each player was asked."""
    left: tuple[tuple[float, int], ...] = field(default=(), compare=False)
    """With a clock: (seconds, byo-yomi periods) left after each move that a player was asked for,
    in their order; 0 periods in main time."""
    sgf: str = field(default="", compare=False)
    start: Start | None = None
    """The stones before the first move, where an opening put some up."""

    @property
    def pair(self) -> int:
        """Number of the pair, from 0."""
        return self.number // 2

    def color_of(self, player: str) -> int:
        """Return BLACK or WHITE."""
        return BLACK if self.black == player else WHITE

    def points_of(self, player: str) -> float:
        """Return 1 for a win, 0 for a loss, 1/2 for a draw and for no result."""
        if self.winner == 0:
            return 0.5
        return float(self.winner == self.color_of(player))

    def lead_of(self, player: str) -> float | None:
        """Return the lead in points from the player's side, where the game was counted."""
        if self.margin is None:
            return None
        return self.margin if self.color_of(player) == BLACK else -self.margin

    @property
    def by_fault(self) -> bool:
        """Say whether a fault of the loser ended the game."""
        return self.ending in FAULTS

    @property
    def result(self) -> Result:
        """Return the result as the rules name it; an illegal move or a fault forfeits the game."""
        if self.margin is not None:
            return Result.by_score(self.margin)
        if self.ending == "no_result":
            return Result.void()
        loser = opponent(self.winner)
        if self.ending == "resign":
            return Result.by_resignation(loser)
        if self.ending == "time":
            return Result.by_time(loser)
        return Result.by_forfeit(loser)

    def as_dict(self) -> dict[str, object]:
        """Return plain values, without the SGF text."""
        values = asdict(self)
        del values["sgf"]
        for name in ("left", "start"):
            if not values[name]:
                del values[name]
        return {**values, "pair": self.pair, "result": str(self.result)}


def detail_in_words(game: GameRecord, _: Texts) -> str:
    """Return the detail of a game, with the meaning of a reason code in the language of ``_``.

    Other answers, and the errors of programs, stay as they were noted.
    """
    reason = game.detail.rpartition(": ")[2]
    if game.ending != "illegal" or reason not in ILLEGAL_IN_WORDS:
        return game.detail
    return _("{found} ({meaning})", found=game.detail, meaning=_(ILLEGAL_IN_WORDS[reason]))

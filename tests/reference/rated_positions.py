"""Small sets of positions with judgements made by hand, and players that answer what they are told.

The board is 3x3; moves count row by row from the top: 0 is A3, 4 the middle, 9 a pass.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from mariago.arena.rating.positions import Judged, Labels, PositionSet, RatedGame, Spot
from mariago.board.points import BLACK, WHITE, Size
from mariago.players import Decision, Kind, Limits, register
from mariago.players.registry import Options
from mariago.rules import Position

SIZE = Size(3, 3)
LINE = (4, 1, 3, 5)  # middle, above, left, right: nothing is taken


def small_set(games: int = 2, labels: bool = True) -> PositionSet:
    """Return two positions of each game: after one move, White's turn, and after two, Black's."""
    moves = tuple((BLACK if i % 2 == 0 else WHITE, move) for i, move in enumerate(LINE))
    held = tuple(
        RatedGame(f"{n:016x}", SIZE, "chinese", 0.5, 0, (), moves[:3], ("5k", "2d"), f"{n}.sgf")
        for n in range(games)
    )
    spots = tuple(Spot(n, ply) for n in range(games) for ply in (1, 2))
    given = _labels(games) if labels else None
    return PositionSet("by hand", "made by hand", "CC0", held, spots, given)


def _labels(games: int) -> Labels:
    """After one move the teacher likes 1 best, after two 3; each move costs a point a place."""
    judged: list[Judged] = []
    wins: list[np.ndarray] = []
    leads: list[np.ndarray] = []
    for _ in range(games):
        for best, stones in ((1, (4,)), (3, (4, 1))):
            order = [best, *(move for move in range(10) if move != best and move not in stones)]
            judged.append(Judged(tuple(order[:10]), 0.0, 0.0))
            win, lead = np.full(10, np.nan, np.float32), np.full(10, np.nan, np.float32)
            for place, move in enumerate(order):
                win[move], lead[move] = 0.9 - 0.1 * place, 5.0 - place
            wins.append(win)
            leads.append(lead)
    return Labels({"name": "by hand"}, tuple(judged), tuple(wins), tuple(leads))


class ToldOptions(Options):
    """Keys of ``told``."""

    does: str = Field("record", description="record, pass, illegal, resign, raise, die or a move")
    value: float = Field(0.0, description="what it expects of any position, for Black")


class ToldPlayer:
    """Answers what it is told; as a teacher it expects the same for Black whatever is played."""

    def __init__(self, name: str, options: ToldOptions) -> None:
        self.name, self.options = name, options

    def new_game(self, seed: int) -> None:
        self.seed = seed

    def choose(self, position: Position, limits: Limits) -> Decision:
        does = self.options.does
        mine = 1 if position.to_move == BLACK else -1
        if does == "record":
            return Decision(LINE[position.move_number])
        if does == "pass":
            return Decision(position.size.cells)
        if does == "illegal":
            return Decision(4)
        if does == "resign":
            return Decision(0, resigned=True)
        if does == "seed":
            legal = np.flatnonzero(position.legal_mask())
            return Decision(int(legal[self.seed % len(legal)]))
        if does == "raise":
            raise ValueError("no idea")
        if does == "die":
            import os

            os._exit(3)
        if does == "teach":  # Black is glad of a stone in the corner A3, White of one in C3
            stones = position.stones.ravel()
            black = 0.5 * (stones[0] == BLACK) - 0.25 * (stones[2] == WHITE)
            facts = {"lead": mine * 10 * black}
            return Decision(0 if position.to_move == BLACK else 2, mine * black, facts=facts)
        return Decision(int(does))

    def describe(self) -> dict[str, object]:
        return {"name": self.name, "kind": "told"}

    def close(self) -> None:
        pass


def prepare() -> None:
    """Add the kind ``told`` to this process."""
    register(Kind("told", "told", ToldOptions, lambda name, _, options: ToldPlayer(name, options)))

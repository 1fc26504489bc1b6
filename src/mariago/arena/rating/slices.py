"""The parts of a rating that are looked at apart: by move number, board and rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mariago.arena.rating.figures import Figures, GameDraws, Mask, figures_of
from mariago.arena.rating.positions import PositionSet
from mariago.arena.rating.rate import RatedPlayer, Rating
from mariago.arena.statistics import Estimate

__all__ = ["MOVE_BANDS", "PlayerFigures", "figure_players"]

MOVE_BANDS = ((1, 30), (31, 80), (81, 150), (151, None))
"""First and last move number of a part of a game."""
_RANKS = ((-9, "10k-"), (0, "9k-1k"), (4, "1d-4d"), (9, "5d-9d"))
_HIGHEST = "1p-9p"


@dataclass(frozen=True)
class PlayerFigures:
    """A player's figures: in all positions, and in parts of them."""

    player: RatedPlayer
    whole: Figures
    by_move: dict[str, Figures]
    by_size: dict[str, Figures]
    by_rank: dict[str, Figures]
    """By the rank of the side to move; positions whose record tells none are left out."""
    ahead: Estimate
    """Share of the moves of the record found, less that of the first player."""
    ahead_teacher: Estimate
    """As ``ahead``, of the teacher's best moves."""

    @property
    def parts(self) -> dict[str, dict[str, Figures]]:
        """The parts by what they are parts by."""
        return {"move": self.by_move, "size": self.by_size, "rank": self.by_rank}


def figure_players(rating: Rating) -> list[PlayerFigures]:
    """Return the figures of every player, in the order in which they were named."""
    positions = rating.positions
    draws = GameDraws([spot.game for spot in positions.spots])
    moves = _masks(positions, lambda n: _band_of(positions.move_number(n)))
    sizes = _masks(positions, lambda n: str(positions.game_of(n).size))
    ranks = _masks(positions, lambda n: _rank_of(positions.rank_of_mover(n)))
    first = rating.players[0].columns
    order = [_band_of(low) for low, _ in MOVE_BANDS]
    found: list[PlayerFigures] = []
    for player in rating.players:
        columns = player.columns

        def cut(masks: dict[str, Mask], player: RatedPlayer = player) -> dict[str, Figures]:
            return {name: figures_of(player.columns, draws, mask) for name, mask in masks.items()}

        found.append(
            PlayerFigures(
                player,
                figures_of(columns, draws),
                cut({name: moves[name] for name in order if name in moves}),
                cut(dict(sorted(sizes.items(), key=lambda item: _cells(item[0])))),
                cut({name: ranks[name] for name in _rank_names() if name in ranks}),
                draws.mean(columns.record - first.record),
                draws.mean(columns.teacher - first.teacher),
            )
        )
    return found


def _masks(positions: PositionSet, name_of: Callable[[int], str]) -> dict[str, Mask]:
    names = np.array([name_of(n) for n in range(len(positions))])
    return {str(name): names == name for name in np.unique(names) if name}


def _band_of(number: int) -> str:
    low, high = next(band for band in MOVE_BANDS if band[1] is None or number <= band[1])
    return f"{low}+" if high is None else f"{low}-{high}"


def _cells(size: str) -> int:
    columns, _, rows = size.partition("x")
    return int(columns) * int(rows)


def _rank_names() -> list[str]:
    return [*(name for _, name in _RANKS), _HIGHEST]


def _rank_of(text: str) -> str:
    """Return the group of a rank as written; "" where it tells none."""
    from mariago.sgf.ranks import read_rank

    rank = read_rank(text) if text else None
    if rank is None:
        return ""
    return next((name for highest, name in _RANKS if rank.order <= highest), _HIGHEST)

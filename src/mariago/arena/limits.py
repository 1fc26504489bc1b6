"""A match at other move limits: its games counted as they stood after fewer moves.

Nothing is played again. A game that reached a limit is counted as the match would have counted it
there; one that was over by then counts by its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt

from mariago.arena.records import GameRecord
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.arena.statistics import Estimate, median_lead, pair_score
from mariago.arena.stopping import complete_pairs
from mariago.board import kernels
from mariago.board.points import move_to_point
from mariago.board.setup_kernels import read_stones
from mariago.errors import BadInputError
from mariago.scoring import score_area, score_reference, score_territory

__all__ = ["Stand", "limits_of_text", "stands_at", "stopped_at", "usual_limits"]

USUAL = (80, 150, 200)
"""Moves on 19x19; other boards have them in proportion to their points."""
CELLS = 19 * 19
ROUNDED_TO = 5  # moves, where the board is not tiny
OVER_AT_THE_LIMIT = ("limit", "cap", "passes", "no_result")


@dataclass(frozen=True, slots=True)
class Stand:
    """A match as it stood at a move limit; score and leads are Player A's."""

    limit: int | None
    """Moves, opening included; ``None``: the games' own ends."""
    reached: int
    """Games that were counted there as they stood; the others count by their ends."""
    games: int
    score: Estimate
    """Mean over complete pairs."""
    leads: dict[str, Estimate]
    """``"territory"`` and ``"area"``: the median lead of the games counted so, never mixed."""
    lead_games: dict[str, int]
    """On how many games each rests."""

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return asdict(self)


def limits_of_text(text: str) -> tuple[int, ...]:
    """Return move limits from ``"80,150,200"``, rising, each once.

    Raises:
        BadInputError: something that is no number of moves.
    """
    found: set[int] = set()
    for part in text.split(","):
        word = part.strip()
        if not (word.isascii() and word.isdigit()) or not 1 <= int(word[:9]) <= 100_000:
            hint = "write numbers of moves with commas between them, such as 80,150,200"
            raise BadInputError(f"{word!r:.40} is no number of moves", where="--also-at", hint=hint)
        found.add(int(word))
    return tuple(sorted(found))


def usual_limits(settings: MatchSettings) -> tuple[int, ...]:
    """Return 80, 150 and 200 moves, scaled to the board, without those the match stopped at."""
    cells = settings.size.cells
    scaled = [limit * cells / CELLS for limit in USUAL]
    if cells >= CELLS / 8:
        scaled = [ROUNDED_TO * round(limit / ROUNDED_TO) for limit in scaled]
    most = settings.move_limit or settings.length_cap
    return tuple(sorted({round(limit) for limit in scaled if 1 <= round(limit) < most}))


def _is_counted_there(game: GameRecord, limit: int) -> bool:
    """Say whether a match with this limit would have counted the game there as it stood."""
    moves = len(game.moves)
    if limit <= len(game.opening):
        return moves >= limit
    return moves > limit or (moves == limit and game.ending not in OVER_AT_THE_LIMIT)


def stopped_at(
    settings: MatchSettings, games: Sequence[GameRecord], limits: Sequence[int]
) -> list[list[GameRecord]]:
    """Return the games as they would have ended at each limit, in their order.

    Of a game that goes on, moves, winner, margin, ending and counting are those at the limit;
    seconds and turns stay those of the whole game.
    """
    margins = [_margins(settings, game, set(limits)) for game in games]
    return [
        [
            _stopped(game, limit, found[limit], settings)
            if _is_counted_there(game, limit)
            else game
            for game, found in zip(games, margins, strict=True)
        ]
        for limit in limits
    ]


def _margins(settings: MatchSettings, game: GameRecord, limits: set[int]) -> dict[int, float]:
    """Return Black's lead with komi after each of ``limits`` moves that the game reaches."""
    size, moves = settings.size, game.moves
    if settings.handicap:  # by positions: what the rules give for the stones is counted by them
        return _margins_by_positions(settings, moves, limits)
    last = max((limit for limit in limits if limit <= len(moves)), default=0)
    state = start_position(settings, game.start).state
    found: dict[int, float] = {}
    for number, move in enumerate(moves[:last], 1):
        if move == size.cells:
            kernels.play_pass(state)
        else:
            kernels.play(state, move_to_point(move, size))
        if number in limits:
            found[number] = _margin(settings, state)
    return found


def _margins_by_positions(
    settings: MatchSettings, moves: Sequence[int], limits: set[int]
) -> dict[int, float]:
    position, found = start_position(settings), dict[int, float]()
    for number, move in enumerate(moves[: max(limits, default=0)], 1):
        position = position.play(move)
        if number in limits:
            found[number] = float(score_reference(position, settings.scoring).margin)
    return found


def _margin(settings: MatchSettings, state: npt.NDArray[np.int16]) -> float:
    """Return Black's lead as the board stands, counted as ``scoring.score_reference`` does."""
    stones = np.empty(settings.size.cells, np.uint8)
    read_stones(state, stones)
    board = stones.reshape(settings.size)
    if settings.scoring == "area":
        return score_area(board, komi=settings.komi).margin
    taken = int(state[kernels.TAKEN_BY_BLACK]), int(state[kernels.TAKEN_BY_WHITE])
    return score_territory(board, taken=taken, komi=settings.komi).margin


def _stopped(game: GameRecord, limit: int, margin: float, settings: MatchSettings) -> GameRecord:
    return replace(
        game,
        moves=game.moves[:limit],
        winner=0 if margin == 0 else 1 if margin > 0 else 2,
        margin=margin,
        ending="limit",
        detail="",
        counting=settings.scoring,
    )


def stands_at(
    settings: MatchSettings, games: Sequence[GameRecord], limits: Sequence[int] | None = None
) -> tuple[Stand, ...]:
    """Return how a match stood at each limit, and last at its end.

    Args:
        limits: moves; ``None``: :func:`usual_limits`.
    """
    limits = usual_limits(settings) if limits is None else limits
    rows = [
        _stand(limit, sum(_is_counted_there(game, limit) for game in games), stopped)
        for limit, stopped in zip(limits, stopped_at(settings, games, limits), strict=True)
    ]
    return (*rows, _stand(None, len(games), games))


def _stand(limit: int | None, reached: int, games: Sequence[GameRecord]) -> Stand:
    scores = [
        sum(game.points_of("a") for game in pair) / 2 for pair in complete_pairs(games).values()
    ]
    ways = [way for way in ("territory", "area") if any(game.counting == way for game in games)]
    leads = {way: _leads(games, way) for way in ways}
    return Stand(
        limit=limit,
        reached=reached,
        games=len(games),
        score=pair_score(scores),
        leads={way: median_lead(list(pairs.values())) for way, pairs in leads.items()},
        lead_games={way: sum(map(len, pairs.values())) for way, pairs in leads.items()},
    )


def _leads(games: Sequence[GameRecord], way: str) -> dict[int, list[float]]:
    """Return Player A's leads by pair, of the games counted one way."""
    found: dict[int, list[float]] = {}
    for game in games:
        lead = game.lead_of("a") if game.counting == way else None
        if lead is not None:
            found.setdefault(game.pair, []).append(lead)
    return found

"""Longer openings that look like Go and give both sides their chance, as far as a net can tell.

Moves are drawn from the policy of the judge's net; kept is what the judge, asked at the end, finds
balanced. Openings are drawn in blocks of one size, each attempt from a seed of its own: so they
hang on the settings alone, and more of them keep the first ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from mariago.arena.opening_terms import OpeningTerms, balanced_length
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.arena.start import Opening
from mariago.arena.symmetry import board_key
from mariago.board.points import BLACK
from mariago.errors import MatchError
from mariago.players import Player, make_player, resolve_name
from mariago.players.protocol import Limits, hash_of_description

if TYPE_CHECKING:
    from mariago.rules import Position

__all__ = ["BalancedOpenings", "described_judge"]

BLOCK = 16  # attempts that are asked about together
MOST_IN_VAIN = 256  # attempts in a row without a new balanced opening
DRAW = 0x62616C61
JUDGE_HINT = "net, or another player with a net: net:FOLDER, katago:FILE or search:FILE"


def described_judge(name: str) -> tuple[str, str]:
    """Return a judge's name in its fixed spelling and the hash of what it says of itself.

    Raises:
        MatchError: it has no net.
        PlayerError: it cannot be built.
    """
    resolved = resolve_name(name)
    judge = _judge(resolved)
    try:
        return resolved, hash_of_description(judge.describe())
    finally:
        judge.close()


def _judge(name: str) -> Player:
    player = make_player(name)
    if not hasattr(player, "net"):
        player.close()
        raise MatchError(f"{name} has no net to judge by", where="--judge", hint=JUDGE_HINT)
    return player


class BalancedOpenings:
    """The balanced openings of a match, drawn as they are asked for."""

    def __init__(self, settings: MatchSettings, known: Sequence[Opening] = ()) -> None:
        """Go on behind ``known``, the first ones of these settings."""
        assert settings.openings is not None
        self.settings = settings
        self.terms: OpeningTerms = settings.openings
        self.start = start_position(settings)
        self.length = settings.opening_moves or balanced_length(settings.size)
        self.found = list(known)
        self._seen = {self._key(self._end(opening.moves)) for opening in known}
        self._player: Player | None = None

    def first(self, count: int) -> list[Opening]:
        """Return the first ``count``.

        Raises:
            MatchError: many attempts in a row brought no new balanced one.
        """
        while len(self.found) < count:
            self._draw_on()
        return self.found[:count]

    def close(self) -> None:
        """Let go of the judge."""
        if self._player is not None:
            self._player.close()
        self._player = None

    def _draw_on(self) -> None:
        """Add at least one opening."""
        last = self.found[-1].tried if self.found else 0
        chances: list[float] = []
        for block in range(last // BLOCK, (last + MOST_IN_VAIN) // BLOCK + 1):
            ends = self._block(block)
            for number, (end, chance) in enumerate(ends, block * BLOCK + 1):
                if end is None or number <= last:
                    continue
                chances.append(chance)
                key = self._key(end)
                if abs(chance - 0.5) <= self.terms.within and key not in self._seen:
                    self._seen.add(key)
                    moves = tuple(int(move) for _, move in end.moves)
                    self.found.append(Opening(moves, None, "", round(chance, 6), number))
                    chances = []
            if self.found and self.found[-1].tried > last:
                return
        raise self._in_vain(chances)

    def _in_vain(self, chances: list[float]) -> MatchError:
        terms, found = self.terms, len(self.found)
        window = f"{0.5 - terms.within:.0%} to {0.5 + terms.within:.0%}"
        if not chances:
            told = f"no opening of {self.length} moves can be drawn on this board"
        else:
            low, middle, high = np.percentile(chances, [0, 50, 100])
            told = (
                f"of {len(chances)} openings in a row none was new and balanced: Black's chance "
                f"at komi {self.settings.komi:g} lies from {low:.0%} to {high:.0%}, half of them "
                f"below {middle:.0%}, and is to lie from {window}"
            )
        enough = f"; {found} were found, enough for {2 * found} games" if found else ""
        hint = "another --komi, --openings balanced,within=0.2, or more --opening-moves"
        raise MatchError(told + enough, where="--openings", hint=hint)

    @property
    def _asked(self) -> Any:
        if self._player is None:
            self._player = _judge(self.terms.judge)
        return self._player

    def _block(self, block: int) -> list[tuple[Position | None, float]]:
        """Return the ends of a block's attempts with Black's chance; None: it came to nothing."""
        first = block * BLOCK
        draws = [np.random.default_rng((self.settings.seed, DRAW, first + i)) for i in range(BLOCK)]
        boards = [self.start] * BLOCK
        alive = [True] * BLOCK
        for _ in range(self.length):
            said = self._asked.net.evaluate_positions(boards)
            for i, one in enumerate(said):
                move = self._drawn(one.policy, boards[i], draws[i]) if alive[i] else None
                alive[i] = move is not None
                if move is not None:
                    boards[i] = boards[i].play(move)
        chances = self._chances(boards)
        return [(board if alive[i] else None, chances[i]) for i, board in enumerate(boards)]

    def _drawn(self, policy: Any, position: Position, draw: np.random.Generator) -> int | None:
        """Return a move off the policy, no pass."""
        weights = np.where(position.legal_mask(), np.asarray(policy, np.float64), 0.0)[:-1]
        most = weights.max(initial=0.0)
        if most <= 0:
            return None
        weights = (weights / most) ** (1 / self.terms.temperature)
        return int(draw.choice(len(weights), p=weights / weights.sum()))

    def _chances(self, boards: Sequence[Position]) -> list[float]:
        """Return Black's chance: a search's word, else the mean over the board's symmetries."""
        if hasattr(self._asked, "search"):
            values = [self._searched(board) for board in boards]
        else:
            from mariago.search import PlaneEvaluator

            values = PlaneEvaluator(self._asked.net, 8)(boards).value.tolist()
        return [
            (1 + (value if board.to_move == BLACK else -value)) / 2
            for value, board in zip(values, boards, strict=True)
        ]

    def _searched(self, board: Position) -> float:
        self._asked.new_game(0)
        return float(cast("float", self._asked.choose(board, Limits()).value))

    def _end(self, moves: Sequence[int]) -> Position:
        position = self.start
        for move in moves:
            position = position.play(move)
        return position

    @staticmethod
    def _key(end: Position) -> bytes:
        return board_key(end.stones, end.to_move)

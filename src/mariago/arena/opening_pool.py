"""Openings from SGF files: a folder of them, an archive, or one file.

The end of a game's main line is the position from which the match goes on. Set-up stones stay
stones, and moves stay moves, so that the players see a past where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from mariago.arena.openings import SHUFFLE
from mariago.arena.start import Opening, Start, hash_of_openings
from mariago.arena.symmetry import board_key
from mariago.board.points import BLACK, WHITE, Size
from mariago.errors import MariagoError, MatchError
from mariago.records.sources import SourceFile, open_source
from mariago.rules import Position
from mariago.sgf import ReadGame, parse_collection, read_games
from mariago.sgf.formats import format_of

__all__ = ["Pool", "dealt_openings", "read_pool"]

KO = 3  # the point that a ko bans, among the colours of a board's key
HINT = "a folder, an archive or a file of SGF start positions for this board"


@dataclass(frozen=True, slots=True)
class Pool:
    """The openings of a folder for one board."""

    openings: tuple[Opening, ...]
    """All distinct ones, in an order that hangs on them alone."""
    other_boards: int
    equal: int
    """Left out as equal to another one, turned or mirrored; with the same side to move."""
    unusable: tuple[str, ...]
    """Files, and games in them, that cannot be used, each with the reason."""

    @property
    def sha256(self) -> str:
        """Equal for equal openings, whatever their files are called."""
        return hash_of_openings(self.openings)


def _key(position: Position) -> bytes:
    board = position.stones
    if position.ko is not None:
        board.ravel()[position.ko] = KO
    return board_key(board, position.to_move)


@lru_cache(maxsize=2)
def read_pool(place: str, size: Size, rules: str, move_limit: int | None) -> Pool:
    """Read the openings for a board; a place that was read stays as it was for this process.

    Raises:
        MatchError: there is none for this board.
        BadInputError: the place is missing or damaged.
    """
    found: dict[bytes, list[Opening]] = {}
    others, unusable = 0, list[str]()
    for name, read, said in _games(place):
        if isinstance(read, str):
            unusable.append(f"{name}: {read}")
        elif read.refusal in (None, "no_moves") and read.size != size:
            others += 1
        else:
            try:
                opening, end = _opening(name, read, said, rules, move_limit)
            except MariagoError as error:
                unusable.append(f"{name}: {error.what}")
            else:
                found.setdefault(_key(end), []).append(opening)
    if not found:
        told = f"{others} for other boards, {len(unusable)} that cannot be used"
        first = f" ({unusable[0]})" if unusable else ""
        raise MatchError(f"no opening for a {size} board: {told}{first}", where=place, hint=HINT)
    # Of equal ones the same stays, whatever the files are called.
    chosen = [min(equal, key=lambda one: repr(one.as_list())) for _, equal in sorted(found.items())]
    equal = sum(map(len, found.values())) - len(chosen)
    return Pool(tuple(chosen), others, equal, tuple(unusable))


def _games(place: str) -> Iterator[tuple[str, ReadGame | str, int | None]]:
    """Yield (name, game or why there is none, the side that PL gives the move at the end)."""
    source = open_source(Path(place))
    for file in source.read():
        if file.data is None:
            yield file.path, file.why, None
            continue
        games = read_games(file.data)
        sides = _sides_said(file, len(games))
        for number, (game, side) in enumerate(zip(games, sides, strict=True), 1):
            yield file.path if len(games) == 1 else f"{file.path} #{number}", game, side


def _sides_said(file: SourceFile, games: int) -> list[int | None]:
    """Return for each game which side PL names behind the last move, where it does."""
    assert file.data is not None
    trees = parse_collection(file.data).trees if format_of(file.data) == "sgf" else []
    if len(trees) != games:
        return [None] * games
    sides: list[int | None] = []
    for tree in trees:
        side = None
        for node in tree.main_line():
            values = dict(tree.nodes[node])
            if "B" in values or "W" in values:
                side = None
            said = values.get("PL", [b""])[0].strip()[:1].upper()
            side = {b"B": BLACK, b"1": BLACK, b"W": WHITE, b"2": WHITE}.get(said, side)
        sides.append(side)
    return sides


def _opening(
    name: str, read: ReadGame, side: int | None, rules: str, move_limit: int | None
) -> tuple[Opening, Position]:
    """Return the opening that a game tells, and the position that it ends with.

    Raises:
        MariagoError: it is no game, is illegal, or is over at its end.
    """
    game = read.to_game(rules)
    end, moves = game.position, tuple(int(move) for _, move in game.moves)
    if move_limit is not None and len(moves) >= move_limit:
        raise MatchError(f"{len(moves)} moves, and games stop after {move_limit}")
    if end.is_over:
        raise MatchError("the game is over at its end")
    if (side is None or side == end.to_move) and not game.setups and _alternate(game.moves):
        return Opening(moves, Start.of(game.start.stones, game.start.to_move), name), end
    # What no sequence of moves from one board tells becomes a board.
    end = Position.from_stones(end.stones, to_move=side or end.to_move, rules=rules)
    return Opening((), Start.of(end.stones, end.to_move), name), end


def _alternate(moves: Sequence[tuple[int, int]]) -> bool:
    return all(one[0] != other[0] for one, other in pairwise(moves))


def dealt_openings(pool: Pool, count: int, seed: int, *, repeat: bool) -> list[Opening]:
    """Return ``count`` openings in an order drawn from the seed; more keep the first ones.

    Raises:
        MatchError: there are fewer, and none may come again.
    """
    there = len(pool.openings)
    if count > there and not repeat:
        raise MatchError(
            f"{there} distinct openings are enough for {2 * there} games, not for {2 * count}",
            where="--openings",
            hint=f"--games {2 * there}, or --repeat-openings deals them again",
        )
    order: list[int] = []
    for again in range(-(-count // there)):
        order += np.random.default_rng((seed, SHUFFLE, again)).permutation(there).tolist()
    return [pool.openings[i] for i in order[:count]]

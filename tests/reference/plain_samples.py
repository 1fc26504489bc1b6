"""Samples made the plain way: the tolerant reader, dictionaries of stones, flags counted afresh.

It follows the sentences of ``docs/reference/samples.md`` and shares with the package only the plain
SGF reader and the definition of the position hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.reference.plain_go import Point, Stones, chain_of, liberties_of, neighbours

from mariago.records.hashing import position_hash
from mariago.sgf import ReadGame, read_games

TACTICAL = ("captures", "saves", "gives_atari", "self_atari")


class Impossible(Exception):
    """The game cannot have been played as written; ``args``: reason, move number."""


def chains_of(stones: Stones, rows: int, columns: int) -> dict[Point, tuple[frozenset[Point], int]]:
    """Return for each stone its chain and the chain's number of liberties."""
    found: dict[Point, tuple[frozenset[Point], int]] = {}
    for point in stones:
        if point not in found:
            chain = frozenset(chain_of(stones, point, rows, columns))
            entry = chain, len(liberties_of(stones, set(chain), rows, columns))
            found.update(dict.fromkeys(chain, entry))
    return found


class PlainReplay:
    """One game on its way: stones, history, ko."""

    def __init__(self, game: ReadGame) -> None:
        self.game = game
        self.rows, self.columns = game.size
        self.stones: Stones = {}
        self.to_move = 1
        self.history: list[tuple[int, list[int]]] = []  # move, stones taken; latest first
        self.ko: Point | None = None

    def samples(self) -> Iterator[dict[str, Any]]:
        """Yield the samples of the game; raise Impossible at the first move that cannot be."""
        for ply, (color, move) in enumerate(self.game.moves):
            self._set_up(ply)
            closed = self.ko
            if color != self.to_move:
                self.to_move, self.ko, self.history = color, None, []
            point = None if move == self.game.size.cells else divmod(move, self.columns)
            if point is not None and point == closed:
                raise Impossible("illegal_ko", ply + 1)
            if point in self.stones:
                raise Impossible("illegal_occupied", ply + 1)
            sample = self._sample(ply, move)
            self._play(point, sample, ply)
            yield sample

    def _set_up(self, ply: int) -> None:
        entries = [entry for entry in self.game.setup if entry[0] == ply]
        for _, color, move in entries:
            point = divmod(move, self.columns)
            self.stones.pop(point, None)
            if color:
                self.stones[point] = color
        if entries:
            self.history, self.ko = [], None
            if any(n == 0 for _, n in chains_of(self.stones, *self.game.size).values()):
                raise Impossible("illegal_setup", ply + 1)

    def _sample(self, ply: int, move: int) -> dict[str, Any]:
        grid = np.zeros(self.game.size, np.uint8)
        for point, color in self.stones.items():
            grid[point] = color
        ko = -1 if self.ko is None else self.ko[0] * self.columns + self.ko[1]
        taken = [stones for _, stones in self.history[:2]] + [[], []]
        return {
            "move_number": ply + 1,
            "stones": grid,
            "to_move": self.to_move,
            "ko": ko,
            "last_moves": ([move for move, _ in self.history] + [-1] * 5)[:5],
            "taken_1": sorted(taken[0]),
            "taken_2": sorted(taken[1]),
            "move": move,
            "position_hash": position_hash(grid, self.to_move, ko),
        }

    def _play(self, point: Point | None, sample: dict[str, Any], ply: int) -> None:
        own, rows, columns = self.to_move, self.rows, self.columns
        before = chains_of(self.stones, rows, columns)
        in_atari = {p for p, (_, n) in before.items() if n == 1 and self.stones[p] == own}
        sample.update(dict.fromkeys(TACTICAL, 0), in_atari=len(in_atari))
        self.to_move = 3 - own
        if point is None:
            self.ko = None
            self.history.insert(0, (self.game.size.cells, []))
            return
        stones = {**self.stones, point: own}
        taken: set[Point] = set()
        for near in neighbours(point, rows, columns):
            if stones.get(near) == 3 - own and before[near][1] == 1:
                taken |= before[near][0]
        stones = {p: color for p, color in stones.items() if p not in taken}
        after = chains_of(stones, rows, columns)
        chain, n_liberties = after[point]
        if n_liberties == 0:
            raise Impossible("illegal_suicide", ply + 1)
        is_ko_shape = len(taken) == 1 and len(chain) == 1
        sample["captures"] = len(taken)
        sample["saves"] = sum(after[p][1] >= 2 for p in in_atari)
        sample["gives_atari"] = sum(
            color != own and after[p][1] == 1 and before[p][1] != 1 for p, color in stones.items()
        )
        sample["self_atari"] = len(chain) if n_liberties == 1 and not is_ko_shape else 0
        self.ko = next(iter(taken)) if is_ko_shape and n_liberties == 1 else None
        move = point[0] * columns + point[1]
        self.history.insert(0, (move, [r * columns + c for r, c in taken]))
        self.stones = stones


def plain_games(data: bytes) -> Iterator[tuple[str | None, int, list[dict[str, Any]]]]:
    """Yield for each game of a file why it is dropped, at which move, and its samples."""
    for game in read_games(data):
        if game.refusal is not None:
            yield game.refusal, 0, []
            continue
        try:
            yield None, 0, list(PlainReplay(game).samples())
        except Impossible as impossible:
            reason, move_number = impossible.args
            yield reason, move_number, []

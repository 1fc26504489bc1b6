"""A plain, slow engine of Go, right by inspection: dictionaries, sets and flood fill.

It shares no code with the package's board and keeps every board it has seen, so each ko rule is the
sentence it is made of. Points are (row, column) from the top left; colours are 1 Black, 2 White.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Point = tuple[int, int]
Stones = dict[Point, int]


def neighbours(point: Point, rows: int, columns: int) -> list[Point]:
    row, column = point
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [(r, c) for r, c in around if 0 <= r < rows and 0 <= c < columns]


def chain_of(stones: Stones, point: Point, rows: int, columns: int) -> set[Point]:
    color = stones[point]
    chain = {point}
    edge = [point]
    while edge:
        for near in neighbours(edge.pop(), rows, columns):
            if near not in chain and stones.get(near) == color:
                chain.add(near)
                edge.append(near)
    return chain


def liberties_of(stones: Stones, chain: set[Point], rows: int, columns: int) -> set[Point]:
    return {
        near for point in chain for near in neighbours(point, rows, columns) if near not in stones
    }


def area_of(stones: Stones, rows: int, columns: int) -> tuple[int, int]:
    """Return Black's and White's area: stones, and empty regions that touch one colour only."""
    count = {1: 0, 2: 0}
    for color in stones.values():
        count[color] += 1
    left = {(r, c) for r in range(rows) for c in range(columns)} - set(stones)
    while left:
        region = {left.pop()}
        edge = list(region)
        borders = set()
        while edge:
            for near in neighbours(edge.pop(), rows, columns):
                if near in stones:
                    borders.add(stones[near])
                elif near not in region:
                    region.add(near)
                    edge.append(near)
        left -= region
        if len(borders) == 1:
            count[borders.pop()] += len(region)
    return count[1], count[2]


@dataclass(frozen=True)
class PlainPosition:
    """A position with its whole past. ``ko_rule``: "simple", "positional" or "situational"."""

    rows: int
    columns: int
    ko_rule: str = "simple"
    suicide: bool = False
    stones: Stones = field(default_factory=dict)
    to_move: int = 1
    passes: int = 0
    taken: tuple[int, int] = (0, 0)
    last_taken: frozenset[Point] = frozenset()
    repeated: bool = False
    past: tuple[tuple[frozenset[tuple[Point, int]], int], ...] = ()  # (board, side), oldest first

    def board(self) -> frozenset[tuple[Point, int]]:
        return frozenset(self.stones.items())

    def chain(self, point: Point) -> set[Point]:
        return chain_of(self.stones, point, self.rows, self.columns)

    def liberties(self, point: Point) -> set[Point]:
        return liberties_of(self.stones, self.chain(point), self.rows, self.columns)

    def _placed(self, point: Point) -> tuple[Stones, set[Point], set[Point]]:
        """Return (stones after, opponent stones taken, own stones taken by suicide)."""
        rows, columns = self.rows, self.columns
        stones = {**self.stones, point: self.to_move}
        taken: set[Point] = set()
        for near in neighbours(point, rows, columns):
            if stones.get(near) == 3 - self.to_move and near not in taken:
                chain = chain_of(stones, near, rows, columns)
                if not liberties_of(stones, chain, rows, columns):
                    taken |= chain
        stones = {p: color for p, color in stones.items() if p not in taken}
        own = chain_of(stones, point, rows, columns)
        if liberties_of(stones, own, rows, columns):
            return stones, taken, set()
        return {p: color for p, color in stones.items() if p not in own}, taken, own

    def why_illegal(self, point: Point) -> str | None:
        if point in self.stones:
            return "occupied"
        stones, taken, own = self._placed(point)
        board = frozenset(stones.items())
        # Taking a ko back at once: a capture that restores the board before the last move.
        if taken and self.past and board == self.past[-1][0]:
            return "ko"
        if own and not self.suicide:
            return "suicide"
        situations = (*self.past, (self.board(), self.to_move))
        if self.ko_rule == "positional" and board in {seen for seen, _ in situations}:
            return "superko"
        if self.ko_rule == "situational" and (board, 3 - self.to_move) in situations:
            return "superko"
        return None

    def legal_points(self) -> set[Point]:
        points = ((r, c) for r in range(self.rows) for c in range(self.columns))
        return {point for point in points if self.why_illegal(point) is None}

    def ko_point(self) -> Point | None:
        points = ((r, c) for r in range(self.rows) for c in range(self.columns))
        return next((point for point in points if self.why_illegal(point) == "ko"), None)

    def play(self, point: Point) -> PlainPosition:
        reason = self.why_illegal(point)
        if reason is not None:
            raise ValueError(reason)
        stones, taken, own = self._placed(point)
        black, white = self.taken
        if self.to_move == 1:
            black, white = black + len(taken), white + len(own)
        else:
            black, white = black + len(own), white + len(taken)
        past = (*self.past, (self.board(), self.to_move))
        situation = (frozenset(stones.items()), 3 - self.to_move)
        return replace(
            self,
            stones=stones,
            to_move=3 - self.to_move,
            passes=0,
            taken=(black, white),
            last_taken=frozenset(taken | own),
            repeated=self.ko_rule == "simple" and situation in past,
            past=past,
        )

    def play_pass(self) -> PlainPosition:
        return replace(
            self,
            to_move=3 - self.to_move,
            passes=self.passes + 1,
            last_taken=frozenset(),
            repeated=False,
            past=(*self.past, (self.board(), self.to_move)),
        )

"""How many eyes a small enclosed space makes, by playing it out.

The *space* is the empty points, and the opponent's stones shut in with them, that one colour
surrounds. The stones round it count as one chain that is never taken. A point of the space beside
an opponent's stone that is not shut in is a *margin*: an opponent's stone there lives. Empty points
outside that lie diagonally from the space are played for too, for they decide whether an eye is
false (two diagonal points lost in the middle, one at the edge). Both sides may pass. When both do,
every piece of the space without a living opponent's stone and with one point that is not false is
an eye; more than two make no difference.
"""

from dataclasses import dataclass

from mariago.board.points import EMPTY, Move, Size, opponent
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.neighbours import near_moves

__all__ = ["EyeValue", "eye_value"]

LARGEST = 8  # points that are played for
CLOSED = 14  # points that may be shut in
ENOUGH = 2
DEEPEST = 60  # moves of one line
MOST = 6_000  # positions of one space


@dataclass(frozen=True)
class EyeValue:
    """Eyes if the attacker moves first and if the defender does, 0 to 2, and their moves."""

    least: int
    most: int
    attack: Move | None  # only where the first move matters
    defence: Move | None


def _diagonals(move: int, size: Size) -> list[int]:
    row, column = divmod(move, size.columns)
    around = ((row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1))
    around += ((row + 1, column + 1),)
    return [r * size.columns + c for r, c in around if 0 <= r < size.rows and 0 <= c < size.columns]


class _Space:
    """A space and the game in it; a position is a tuple of colours of ``points``."""

    def __init__(self, position: Position, move: int, owner: int) -> None:
        self.size = position.size
        self.color = [position.color_at(m) for m in range(position.size.cells)]
        self.owner = owner
        self.space = self._shut_in(move) or self._within_margins(move)
        other = opponent(owner)
        self.margins = {
            m
            for m in self.space
            if any(self.color[q] == other and q not in self.space for q in self._near(m))
        }
        self.walled = {m for m in self.space if any(self.color[q] == owner for q in self._near(m))}
        outside = {
            q
            for m in self.space
            for q in _diagonals(m, self.size)
            if q not in self.space and self.color[q] == EMPTY
        }
        self.points = sorted(self.space) + sorted(outside)
        self.index = {m: i for i, m in enumerate(self.points)}
        self.known: dict[tuple[tuple[int, ...], bool, bool], int] = {}

    def _near(self, move: int) -> tuple[Move, ...]:
        return near_moves(move, self.size)

    def _shut_in(self, move: int) -> set[int]:
        found, edge = {move}, [move]
        while edge and len(found) <= CLOSED:
            for q in self._near(edge.pop()):
                if self.color[q] != self.owner and q not in found:
                    found.add(q)
                    edge.append(q)
        return found if len(found) <= CLOSED else set()

    def _within_margins(self, move: int) -> set[int]:
        other = opponent(self.owner)
        found, edge = {move}, [move]
        while edge and len(found) <= LARGEST:
            p = edge.pop()
            if any(self.color[q] == other for q in self._near(p)) and p != move:
                continue
            for q in self._near(p):
                if self.color[q] == EMPTY and q not in found:
                    found.add(q)
                    edge.append(q)
        return found

    def start(self) -> tuple[int, ...]:
        return tuple(self.color[m] for m in self.points)

    def play(self, cells: tuple[int, ...], i: int, color: int) -> "tuple[int, ...] | None":
        """Return the position after a move, None where it is suicide."""
        new = [*cells]
        new[i] = color
        if self.points[i] not in self.space:
            return tuple(new)
        for q in self._near(self.points[i]):
            if q in self.space and new[self.index[q]] == opponent(color):
                chain, breathes = self._chain(new, q)
                if not breathes:
                    for stone in chain:
                        new[self.index[stone]] = EMPTY
        return tuple(new) if self._chain(new, self.points[i])[1] else None

    def _chain(self, cells: list[int], move: int) -> tuple[set[int], bool]:
        """Return a chain in the space, and whether it reaches safety or has a liberty."""
        own = cells[self.index[move]]
        safe = self.walled if own == self.owner else self.margins
        found, edge = {move}, [move]
        breathes = False
        while edge:
            p = edge.pop()
            breathes = breathes or p in safe
            for q in self._near(p):
                if q not in self.space:
                    continue
                color = cells[self.index[q]]
                breathes = breathes or color == EMPTY
                if color == own and q not in found:
                    found.add(q)
                    edge.append(q)
        return found, breathes

    def _is_false(self, cells: tuple[int, ...], move: int) -> bool:
        other = opponent(self.owner)
        diagonals = _diagonals(move, self.size)
        lost = 0
        for q in diagonals:
            i = self.index.get(q)
            if i is None:
                lost += self.color[q] == other
            elif q in self.space:
                lost += cells[i] == other and q in self.margins
            else:
                lost += cells[i] == other
        return lost >= (2 if len(diagonals) == 4 else 1)

    def eyes(self, cells: tuple[int, ...]) -> int:
        """Count the eyes of a position in which nobody moves any more."""
        left = {m for m in self.space if cells[self.index[m]] != self.owner}
        eyes = 0
        while left:
            piece = {left.pop()}
            edge = [*piece]
            while edge:
                for q in self._near(edge.pop()):
                    if q in left:
                        left.discard(q)
                        piece.add(q)
                        edge.append(q)
            false = {m for m in piece if self._is_false(cells, m)}
            broken = any(
                m in self.margins or (m in false and cells[self.index[m]] != EMPTY) for m in piece
            )
            eyes += not broken and len(false) < len(piece)
        return min(eyes, ENOUGH)

    def value(
        self, cells: tuple[int, ...], defending: bool, passed: bool = False, depth: int = 0
    ) -> int:
        """Return the eyes that best play makes.

        What comes back, or is played longer than DEEPEST, counts as it stands: ko is not read.

        Raises:
            BadInputError: more than MOST positions.
        """
        key = cells, defending, passed
        if key in self.known:
            return self.known[key]
        stands = self.eyes(cells)
        if depth > DEEPEST:
            return stands
        if len(self.known) > MOST:
            raise BadInputError("the space is too large to play out", where=self.points[0])
        self.known[key] = stands
        best = stands if passed else self.value(cells, not defending, True, depth + 1)
        goal = ENOUGH if defending else 0
        for _, new in self.moves(cells, defending):
            if best == goal:
                break
            result = self.value(new, not defending, False, depth + 1)
            best = max(best, result) if defending else min(best, result)
        self.known[key] = best
        return best

    def moves(self, cells: tuple[int, ...], defending: bool) -> "list[tuple[int, tuple[int, ...]]]":
        color = self.owner if defending else opponent(self.owner)
        found: list[tuple[int, tuple[int, ...]]] = []
        for i, held in enumerate(cells):
            if held == EMPTY:
                new = self.play(cells, i, color)
                if new is not None:
                    found.append((i, new))
        room = {i: sum(q in self.space for q in self._near(self.points[i])) for i, _ in found}
        return sorted(found, key=lambda entry: -room[entry[0]])

    def vital(self, defending: bool, wanted: int, first: "Move | None" = None) -> "Move | None":
        """Return a move that reaches ``wanted`` eyes; ``first`` if it does."""
        found = [
            Move(self.points[i])
            for i, new in self.moves(self.start(), defending)
            if self.value(new, not defending) == wanted
        ]
        if first in found:
            return first
        return found[0] if found else None


def _owner_at(position: Position, move: int) -> int:
    """Return the colour that surrounds a point, guessed from the stones nearest to it.

    A stone there belongs to the other colour's space.
    """
    held = position.color_at(move)
    if held != EMPTY:
        return opponent(held)
    seen, edge = {move}, [move]
    while edge:
        colors = [position.color_at(q) for p in edge for q in near_moves(p, position.size)]
        black, white = colors.count(1), colors.count(2)
        if black != white:
            return 1 if black > white else 2
        edge = [
            q
            for p in edge
            for q in near_moves(p, position.size)
            if q not in seen and not seen.add(q)
        ]
    return EMPTY


def eye_value(position: Position, move: int) -> EyeValue:
    """Return how many eyes the space at ``move`` makes for the colour that surrounds it.

    Raises:
        BadInputError: no space that one colour surrounds, or one too large to play out.
    """
    owner = _owner_at(position, move)
    if owner == EMPTY:
        raise BadInputError("no colour surrounds this point", where=move)
    space = _Space(position, move, owner)
    if len(space.points) > CLOSED or sum(c == EMPTY for c in space.start()) > LARGEST:
        raise BadInputError("the space is too large to play out", where=move)
    least, most = space.value(space.start(), False), space.value(space.start(), True)
    if least == most:
        return EyeValue(least, most, None, None)
    attack = space.vital(False, least)
    return EyeValue(least, most, attack, space.vital(True, most, attack))

"""Whether a chain can be captured, by all moves and all positions: slow, right by inspection.

The answer is a least fixpoint: captured is what the attacker can force in finitely many moves, so
that a position which comes back for ever is not captured. ``free`` is the colour that may take a ko
back at once, 0 for none. A stone that was taken counts as captured unless its owner can take back
at once at the same point, by the rule for ko that holds. Both sides may pass.
"""

from __future__ import annotations

from tests.reference.plain_go import Point, Stones, chain_of, liberties_of, neighbours

State = tuple[frozenset[tuple[Point, int]], int, "Point | None"]  # stones, side to move, ban


class TooMany(Exception):
    """More positions than allowed."""


def _played(
    stones: Stones, point: Point, color: int, rows: int, columns: int
) -> tuple[Stones, set[Point], Point | None] | None:
    """Return stones after, stones taken and the ko point; None where it is suicide."""
    after = {**stones, point: color}
    taken: set[Point] = set()
    for near in neighbours(point, rows, columns):
        if after.get(near) == 3 - color and near not in taken:
            chain = chain_of(after, near, rows, columns)
            if not liberties_of(after, chain, rows, columns):
                taken |= chain
    after = {p: c for p, c in after.items() if p not in taken}
    own = chain_of(after, point, rows, columns)
    room = liberties_of(after, own, rows, columns)
    if not room:
        return None
    lone = len(taken) == 1 and len(own) == 1 and len(room) == 1
    return after, taken, next(iter(taken)) if lone else None


class PlainCapture:
    """The question for one target on one board; positions are kept between calls."""

    def __init__(self, rows: int, columns: int, target: Point, owner: int, free: int) -> None:
        self.rows, self.columns = rows, columns
        self.target, self.owner, self.free = target, owner, free

    def _moves(self, state: State) -> list[State]:
        board, color, ban = state
        stones = dict(board)
        next_states: list[State] = [(board, 3 - color, None)]
        points = [(r, c) for r in range(self.rows) for c in range(self.columns)]
        if self.target not in stones:
            points = [self.target]  # taken a move ago: take back, or it is over
            next_states = []
        for point in points:
            if point in stones or (point == ban and color != self.free):
                continue
            played = _played(stones, point, color, self.rows, self.columns)
            if played is not None:
                next_states.append((frozenset(played[0].items()), 3 - color, played[2]))
        return next_states

    def _falls(self, state: State) -> bool:
        """Say whether the target is off the board and cannot be taken back at once."""
        board, color, ban = state
        stones = dict(board)
        if stones.get(self.target) == self.owner:
            return False
        if self.target in stones or color != self.owner:
            return True
        if self.target == ban and color != self.free:
            return True
        played = _played(stones, self.target, color, self.rows, self.columns)
        return played is None or not played[1]

    def captured(self, stones: Stones, to_move: int, most: int) -> bool:
        """Say whether the target falls with ``to_move`` to move.

        Raises:
            TooMany: more than ``most`` positions.
        """
        root: State = (frozenset(stones.items()), to_move, None)
        parents: dict[State, list[State]] = {root: []}
        open_moves: dict[State, int] = {}
        fallen: list[State] = []
        pending = [root]
        while pending:
            state = pending.pop()
            if self._falls(state):
                fallen.append(state)
                continue
            children = set(self._moves(state))
            open_moves[state] = len(children)
            if not children:
                fallen.append(state)
            for child in children:
                if child not in parents:
                    parents[child] = []
                    pending.append(child)
                    if len(parents) > most:
                        raise TooMany
                parents[child].append(state)
        known = set(fallen)
        while fallen:
            for parent in parents[fallen.pop()]:
                if parent in known:
                    continue
                open_moves[parent] -= 1
                if parent[1] != self.owner or open_moves[parent] == 0:
                    known.add(parent)
                    fallen.append(parent)
        return root in known

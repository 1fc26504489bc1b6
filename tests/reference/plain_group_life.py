"""Whether a group in a closed place is killed, by working out every position that can arise.

The sentence: the attacker kills if it can take all the target's stones, playing in the place only
and never passing but where a ko keeps it from a point; the owner may pass; to go round in circles
is no kill. So the killed positions are the smallest set that holds those without target stones,
those of the attacker with a move into the set, and those of the owner with all moves into it.
"""

from __future__ import annotations

from tests.reference.plain_go import Point, Stones, chain_of, liberties_of, neighbours

State = tuple[tuple[int, ...], int, Point | None]  # colours of the place, who moves, ban


class ClosedPlace:
    """A place on a board of ``rows`` x ``columns``; ``outside`` stands still."""

    def __init__(
        self,
        stones: Stones,
        place: list[Point],
        targets: set[Point],
        owner: int,
        rows: int,
        columns: int,
        free: int = 0,
    ):
        self.place, self.targets, self.owner, self.free = place, targets, owner, free
        self.rows, self.columns = rows, columns
        self.outside = {point: color for point, color in stones.items() if point not in place}
        self.start = tuple(stones.get(point, 0) for point in place)

    def stones_of(self, colors: tuple[int, ...]) -> Stones:
        inside = {p: c for p, c in zip(self.place, colors, strict=True) if c}
        return {**self.outside, **inside}

    def has_target(self, colors: tuple[int, ...]) -> bool:
        stones = self.stones_of(colors)
        return any(stones.get(point) == self.owner for point in self.targets)

    def moves(self, state: State) -> list[State]:
        colors, mover, ban = state
        stones = self.stones_of(colors)
        found: list[State] = []
        if mover == self.owner or ban is not None:
            found.append((colors, 3 - mover, None))
        for point, color in zip(self.place, colors, strict=True):
            if color or (point == ban and mover != self.free):
                continue
            after = {**stones, point: mover}
            taken: set[Point] = set()
            for near in neighbours(point, self.rows, self.columns):
                if after.get(near) == 3 - mover:
                    chain = chain_of(after, near, self.rows, self.columns)
                    if not liberties_of(after, chain, self.rows, self.columns):
                        taken |= chain
            for near in taken:
                after.pop(near, None)
            own = chain_of(after, point, self.rows, self.columns)
            left = liberties_of(after, own, self.rows, self.columns)
            if not left:
                continue
            lone = len(taken) == 1 and len(own) == 1 and len(left) == 1
            next_ban = next(iter(taken)) if lone else None
            found.append((tuple(after.get(p, 0) for p in self.place), 3 - mover, next_ban))
        return found

    def is_killed(self, mover: int) -> bool:
        start: State = (self.start, mover, None)
        children: dict[State, list[State]] = {}
        pending = [start]
        while pending:
            state = pending.pop()
            if state in children:
                continue
            children[state] = self.moves(state) if self.has_target(state[0]) else []
            pending.extend(children[state])
        killed = {state for state in children if not self.has_target(state[0])}
        while True:
            more = {
                state
                for state, after in children.items()
                if state not in killed
                and (
                    all(child in killed for child in after)
                    if state[1] == self.owner
                    else any(child in killed for child in after)
                )
            }
            if not more:
                return start in killed
            killed |= more

"""Unconditional life by trying every move: right by inspection, for boards of a dozen points.

The owner always passes, so the attacker's moves only add its stones and take the owner's: every
sequence ends, and all can be tried. It shares no code with the package.
"""

from __future__ import annotations

from functools import cache

from tests.reference.plain_go import Point, chain_of, liberties_of, neighbours

Cells = tuple[int, ...]


def _stones(cells: Cells, columns: int) -> dict[Point, int]:
    return {divmod(i, columns): color for i, color in enumerate(cells) if color}


@cache
def after(cells: Cells, columns: int, i: int, color: int) -> Cells | None:
    """Return the cells after a stone of ``color`` at the empty cell ``i``, None for suicide."""
    rows = len(cells) // columns
    point = divmod(i, columns)
    stones = {**_stones(cells, columns), point: color}
    for near in neighbours(point, rows, columns):
        if stones.get(near) == 3 - color:
            chain = chain_of(stones, near, rows, columns)
            if not liberties_of(stones, chain, rows, columns):
                for taken in chain:
                    del stones[taken]
    if not liberties_of(stones, chain_of(stones, point, rows, columns), rows, columns):
        return None
    return tuple(stones.get(divmod(k, columns), 0) for k in range(len(cells)))


def all_breathe(cells: Cells, columns: int) -> bool:
    rows = len(cells) // columns
    stones = _stones(cells, columns)
    return all(
        liberties_of(stones, chain_of(stones, p, rows, columns), rows, columns) for p in stones
    )


@cache
def takeable(cells: Cells, columns: int, owner: int) -> frozenset[int]:
    """Return the cells of the owner's stones that the other side can take, moving all the time."""
    found: set[int] = set()
    for i, color in enumerate(cells):
        if color:
            continue
        then = after(cells, columns, i, 3 - owner)
        if then is not None:
            found |= {k for k, c in enumerate(cells) if c == owner and then[k] != owner}
            found |= takeable(then, columns, owner)
    return frozenset(found)


@cache
def can_live(cells: Cells, columns: int, color: int) -> frozenset[int]:
    """Return the cells where ``color``, moving all the time, can come to have lasting stones."""
    kept = takeable(cells, columns, color)
    found = {k for k, c in enumerate(cells) if c == color and k not in kept}
    for i, stone in enumerate(cells):
        if stone == 0:
            then = after(cells, columns, i, color)
            if then is not None:
                found |= can_live(then, columns, color)
    return frozenset(found)

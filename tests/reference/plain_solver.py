"""Small boards solved by alpha-beta, without any search tree of the package.

The rules are Tromp and Taylor's: area counting, suicide allowed, two passes end the game,
**positional superko**: no move may bring back a whole board that stood before, passes being free.
The value of a position hangs on its history, so nothing is looked up in a table of positions: a
line carries the boards it has seen.

Known values of the empty board (Black's margin without komi): 2x2 +1 under these rules
(https://tromp.github.io/go.html), 3x3 +9, the first move in the middle (van der Werf, "AI
techniques for the game of Go", 2004).
"""

from __future__ import annotations

from functools import cache

__all__ = ["Board", "after", "area_margin", "empty_board", "holds", "outcome"]

Board = tuple[int, ...]  # row by row, 0 empty, 1 Black, 2 White


def empty_board(side: int) -> Board:
    """Return the board without stones."""
    return (0,) * (side * side)


@cache
def neighbours(side: int, point: int) -> tuple[int, ...]:
    """Return the points beside ``point``."""
    row, column = divmod(point, side)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return tuple(r * side + c for r, c in near if 0 <= r < side and 0 <= c < side)


def _region(board: Board, side: int, start: int) -> tuple[set[int], set[int]]:
    """Return the points joined to ``start`` by its own colour, and the colours they touch."""
    color, found, touched, pending = board[start], {start}, set[int](), [start]
    while pending:
        for near in neighbours(side, pending.pop()):
            if board[near] != color:
                touched.add(board[near])
            elif near not in found:
                found.add(near)
                pending.append(near)
    return found, touched


@cache
def after(board: Board, side: int, point: int, color: int) -> Board:
    """Return the board after a stone at an empty ``point``; a suicide takes its own chain off."""
    stones = list(board)
    stones[point] = color
    for near in neighbours(side, point):
        if stones[near] == 3 - color:
            chain, touched = _region(tuple(stones), side, near)
            if 0 not in touched:
                for stone in chain:
                    stones[stone] = 0
    chain, touched = _region(tuple(stones), side, point)
    if 0 not in touched:
        for stone in chain:
            stones[stone] = 0
    return tuple(stones)


@cache
def area_margin(board: Board, side: int) -> int:
    """Return Black's stones and surrounded points less White's."""
    margin = 0
    for point, color in enumerate(board):
        if color:
            margin += 1 if color == 1 else -1
        else:
            _, touched = _region(board, side, point)
            margin += (touched == {1}) - (touched == {2})
    return margin


@cache
def _replies(board: Board, side: int, color: int) -> tuple[Board, ...]:
    """Return the boards that a stone of ``color`` can make, those best for it first."""
    sign = 1 if color == 1 else -1
    found = {after(board, side, p, color) for p, stone in enumerate(board) if stone == 0}
    found.discard(board)  # a lone suicide brings the same board back at once

    def worth(reply: Board) -> tuple[float, float]:
        own = sum(stone == color for stone in reply) - 2 * sum(
            stone == 3 - color for stone in reply
        )
        return sign * area_margin(reply, side), own

    return tuple(sorted(sorted(found), key=worth, reverse=True))


def outcome(
    board: Board,
    side: int,
    color: int,
    seen: frozenset[Board],
    alpha: int,
    beta: int,
    passed: bool = False,
) -> int:
    """Return Black's margin under best play, where it lies between ``alpha`` and ``beta``.

    Args:
        color: the side to move.
        seen: all boards that stood before, this one too.
        passed: whether the last move was a pass.
    """
    best = -(side**2) - 1 if color == 1 else side**2 + 1
    options: list[Board | None] = [r for r in _replies(board, side, color) if r not in seen]
    margin = area_margin(board, side)
    # A pass first where it ends a game that is won, last elsewhere.
    if passed and (margin >= beta if color == 1 else margin <= alpha):
        options.insert(0, None)
    else:
        options.append(None)
    for reply in options:
        if reply is None:
            found = margin if passed else outcome(board, side, 3 - color, seen, alpha, beta, True)
        else:
            found = outcome(reply, side, 3 - color, seen | {reply}, alpha, beta)
        if color == 1:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def holds(
    board: Board,
    side: int,
    color: int,
    seen: frozenset[Board],
    least: int,
    moves: int,
    passed: bool = False,
) -> bool:
    """Say whether Black is sure of a margin of ``least`` within so many moves.

    True is a proof; False says no more than that there was none within ``moves``. The other
    arguments are those of ``outcome``.
    """
    margin = area_margin(board, side)
    if passed and (margin >= least if color == 1 else margin < least):
        return color == 1
    if moves == 0:
        return False
    for reply in _replies(board, side, color):
        if reply not in seen:
            found = holds(reply, side, 3 - color, seen | {reply}, least, moves - 1)
            if found == (color == 1):
                return found
    if passed:
        return color != 1  # the other pass would have ended the game the wrong way
    return holds(board, side, 3 - color, seen, least, moves - 1, True)

"""Starts that are not the empty board, and the draw for colours."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from mariago.board.points import BLACK, WHITE, Move, Size, move_at, move_to_vertex, size_of
from mariago.errors import RulesError
from mariago.rules.position import Position
from mariago.rules.rule_sets import RuleSet

AnySize = int | str | tuple[int, int] | Size
HANDICAP_KOMI = 0.5

# (row, column) in thirds of the board, 0 near the top or left, 1 middle, 2 far; the order of the
# Go Text Protocol, version 2, section 4.1.1: A B C D corners, E middle, F G left and right, H I
# bottom and top.
_CORNERS = ((2, 0), (0, 2), (0, 0), (2, 2))
_MIDDLE = ((1, 1),)
_LEFT_RIGHT = ((1, 0), (1, 2))
_BOTTOM_TOP = ((2, 1), (0, 1))
_PATTERNS = {
    2: _CORNERS[:2],
    3: _CORNERS[:3],
    4: _CORNERS,
    5: _CORNERS + _MIDDLE,
    6: _CORNERS + _LEFT_RIGHT,
    7: _CORNERS + _LEFT_RIGHT + _MIDDLE,
    8: _CORNERS + _LEFT_RIGHT + _BOTTOM_TOP,
    9: _CORNERS + _LEFT_RIGHT + _BOTTOM_TOP + _MIDDLE,
}


def most_fixed_handicap(size: AnySize) -> int:
    """Return the largest fixed handicap: 9; 4 on even sides and on 7 lines; 0 under 7."""
    known = size_of(size)
    if min(known) < 7:
        return 0
    if min(known) == 7 or known.rows % 2 == 0 or known.columns % 2 == 0:
        return 4
    return 9


def fixed_handicap_points(size: AnySize, stones: int) -> list[Move]:
    """Return the points of a fixed handicap, by the Go Text Protocol (version 2, 4.1.1).

    The stones stand on the fourth lines, on the third where the shorter side has fewer than 13
    lines.

    Raises:
        RulesError: fewer than 2 stones, or more than this board holds.
    """
    known = size_of(size)
    most = most_fixed_handicap(known)
    if not 2 <= stones <= most:
        hint = f"from 2 to {most}" if most else "boards under 7 lines have no fixed handicap"
        raise RulesError(f"no fixed handicap of {stones} stones on a {known} board", hint=hint)
    near = 3 if min(known) >= 13 else 2
    rows = (near, known.rows // 2, known.rows - 1 - near)
    columns = (near, known.columns // 2, known.columns - 1 - near)
    return [move_at(rows[r], columns[c], known) for r, c in _PATTERNS[stones]]


def fixed_handicap_start(
    size: AnySize,
    stones: int,
    rules: "str | RuleSet" = "chinese",
    komi: "float | None" = None,
) -> Position:
    """Return the start of a game with fixed handicap stones, White to move.

    Komi is half a point where none is given: what the rules give White for the stones comes on top.

    Raises:
        RulesError: see ``fixed_handicap_points``.
    """
    return free_handicap_start(size, fixed_handicap_points(size, stones), rules, komi)


def free_handicap_start(
    size: AnySize,
    points: "Iterable[int]",
    rules: "str | RuleSet" = "chinese",
    komi: "float | None" = None,
) -> Position:
    """Return the start of a game whose handicap stones Black chose, White to move; komi as above.

    Raises:
        RulesError: fewer than two stones, a point twice, off the board, or no liberty left.
    """
    known = size_of(size)
    chosen = [int(point) for point in points]
    if len(chosen) < 2:
        raise RulesError("a handicap has at least two stones")
    board = np.zeros(known.cells, np.uint8)
    for move in chosen:
        if not 0 <= move < known.cells:
            raise RulesError(f"move {move} is no point of a {known} board")
        if board[move]:
            raise RulesError(
                "a handicap stone stands here already", where=move_to_vertex(move, known)
            )
        board[move] = BLACK
    return Position.from_stones(
        board.reshape(known),
        to_move=WHITE,
        rules=rules,
        komi=HANDICAP_KOMI if komi is None else komi,
        handicap=len(chosen),
    )


def crosswise_start(
    size: AnySize = 19,
    rules: "str | RuleSet" = "chinese",
    komi: "float | None" = None,
    *,
    to_move: int = BLACK,
) -> Position:
    """Return the old Chinese start (座子): two stones each, crosswise on the corner star points.

    Black's stand at the top right and bottom left. Black moves first, as in today's games,
    unless ``to_move`` says otherwise (in old China White did). They are no handicap.

    Raises:
        RulesError: the board has fewer than 7 lines.
    """
    known = size_of(size)
    bottom_left, top_right, top_left, bottom_right = fixed_handicap_points(known, 4)
    board = np.zeros(known.cells, np.uint8)
    board[[top_right, bottom_left]] = BLACK
    board[[top_left, bottom_right]] = WHITE
    return Position.from_stones(board.reshape(known), to_move=to_move, rules=rules, komi=komi)


class Nigiri(NamedTuple):
    """A draw for colours: one player grasps white stones, the other guesses odd or even."""

    grasped: int
    guess: Literal["odd", "even"]  # shown with one black stone or two
    guessed_right: bool
    black: Literal["guesser", "grasper"]  # a right guess gets Black


def nigiri(rng: np.random.Generator, guess: 'Literal["odd", "even"] | None' = None) -> Nigiri:
    """Return one draw for colours (nigiri, 猜先); the guess too is drawn where none is given."""
    if guess is None:
        guess = "odd" if rng.integers(2) else "even"
    # A fair handful: ten pairs of neighbouring numbers, odd and even equally often.
    grasped = int(rng.integers(1, 21))
    right = (grasped % 2 == 1) == (guess == "odd")
    return Nigiri(grasped, guess, right, "guesser" if right else "grasper")

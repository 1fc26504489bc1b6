"""Position: a board, whose turn it is, and all of the past that the rules ask about."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board import geometry, kernels, setup_kernels
from mariago.board.diagram import parse_diagram
from mariago.board.points import (
    BLACK,
    EMPTY,
    WHITE,
    Move,
    Size,
    move_to_point,
    move_to_vertex,
    point_to_move,
    size_of,
    vertex_to_move,
)
from mariago.errors import BadInputError, CoordinateError, IllegalMoveError, RulesError
from mariago.rules import position_kernels
from mariago.rules.position_view import (
    COLOR_SHIFT,
    KO_CODES,
    REASONS,
    Played,
    PositionView,
)
from mariago.rules.rule_sets import RuleSet, komi_of, rules_of
from mariago.rules.terms import count_of, stones_of

RECENT_MOVES = 5


class Position(PositionView):
    """A position of Go that never changes; ``play`` returns a new one.

    Make one with ``empty``, ``from_stones`` or ``from_diagram``. Two positions are equal when
    size, stones, side to move, ko point, passes in a row, rules, komi and handicap bonus are;
    how they came about is not compared.

    Attributes:
        size: rows and columns.
        rules: the rule set.
        komi: points to White.
        handicap: number of handicap stones, 0 where there are none.
        repeated: under simple ko, whether the last stone brought back an earlier board with the
            same side to move, which ends the game as no result.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Position never changes: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Position never changes: {name!r} cannot be deleted")

    # -- making positions ------------------------------------------------------------------

    @classmethod
    def empty(
        cls,
        size: "int | str | tuple[int, int] | Size" = 19,
        rules: "str | RuleSet" = "chinese",
        komi: "float | None" = None,
        *,
        handicap: int = 0,
    ) -> "Position":
        """Return the empty board, Black to move; without komi, the rules' usual one."""
        known = size_of(size)
        return cls.from_stones(np.zeros(known, np.uint8), rules=rules, komi=komi, handicap=handicap)

    @classmethod
    def from_stones(
        cls,
        stones: "npt.NDArray[Any]",
        *,
        to_move: int = BLACK,
        ko: "int | None" = None,
        rules: "str | RuleSet" = "chinese",
        komi: "float | None" = None,
        handicap: int = 0,
        move_number: int = 0,
        without_breathless: bool = False,
    ) -> "Position":
        """Return a set-up position, whose history starts here.

        Args:
            stones: (rows, columns) colours.
            ko: move index that the side to move may not take back at once.
            move_number: moves to be counted as played before.
            without_breathless: take chains that have no liberty off instead of refusing them.

        Raises:
            RulesError: a chain has no liberty, the ko point is no ko, a colour is none, or komi
                is no finite number.
        """
        left = stones_of(stones)
        size = size_of(left.shape)
        if to_move not in (BLACK, WHITE):
            raise RulesError(f"{to_move} is not a side", hint="1 is Black, 2 is White")
        known = rules_of(rules)
        state = kernels.new_state(size.rows, size.columns)
        setup_kernels.set_stones(state, left.ravel())
        breathless = _breathless(state, size)
        if breathless and not without_breathless:
            raise RulesError(
                "a chain of the set-up has no liberty", where=move_to_vertex(breathless[0], size)
            )
        if breathless:
            left.ravel()[breathless] = EMPTY
            state = kernels.new_state(size.rows, size.columns)
            setup_kernels.set_stones(state, left.ravel())
        state[kernels.TO_MOVE] = to_move
        if ko is not None:
            _set_ko(state, ko, size)
        return cls._rooted(state, size, known, komi, handicap, move_number)

    @classmethod
    def from_diagram(
        cls,
        text: str,
        *,
        to_move: "int | None" = None,
        ko: "int | str | None" = None,
        rules: "str | RuleSet" = "chinese",
        komi: "float | None" = None,
        handicap: int = 0,
        move_number: int = 0,
    ) -> "Position":
        """Return the position of a text diagram (see ``mariago.board.diagram``).

        ``to_move`` and ``ko`` (a move or a vertex) go before what the diagram says; Black moves
        where neither says who.

        Raises:
            BadInputError: the diagram cannot be read.
            RulesError: see ``from_stones``.
        """
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadInputError(f"a diagram is text, not {type(text).__name__}")
        drawn = parse_diagram(text)
        if isinstance(ko, str):
            ko = vertex_to_move(ko, drawn.size)
        return cls.from_stones(
            drawn.stones,
            to_move=to_move or drawn.to_move or BLACK,
            ko=drawn.ko if ko is None else ko,
            rules=rules,
            komi=komi,
            handicap=handicap,
            move_number=move_number,
        )

    @staticmethod
    def _rooted(
        state: "npt.NDArray[np.int16]",
        size: Size,
        rules: RuleSet,
        komi: "float | None",
        handicap: int,
        move_number: int,
    ) -> "Position":
        draft = object.__new__(_Draft)
        draft.size = size
        draft.rules = rules
        draft.komi = rules.komi if komi is None else komi_of(komi)
        draft.handicap = count_of(handicap, "handicap")
        draft.repeated = False
        draft._state = state
        draft._history = _root_history(state, rules)
        draft._trail = np.empty(0, np.int16)
        draft._recent = ()
        draft._root = None
        draft._first_number = count_of(move_number, "move_number")
        return draft.finished()

    # -- playing ---------------------------------------------------------------------------

    def play(self, move: "int | Move") -> "Position":
        """Return the position after ``move`` by the side to move; pass is ``size.cells``.

        A finished game is not refused: ``Game`` does that.

        Raises:
            IllegalMoveError: occupied, suicide, ko or superko; ``.reason`` says which,
                ``.vertex`` where.
            CoordinateError: not a move of this board.
        """
        code, state, history, repeated = position_kernels.step(
            self._state,
            move_to_point(move, self.size),
            self.rules.suicide,
            KO_CODES[self.rules.ko],
            self._history,
        )
        if code != position_kernels.LEGAL:
            raise IllegalMoveError(str(REASONS[code]), move_to_vertex(move, self.size))
        after = self._draft()
        after._state = state
        after._history = history
        after._root = self._start()
        after.repeated = bool(repeated)
        color = self.to_move
        after._trail = np.append(self._trail, np.int16(color << COLOR_SHIFT | int(move)))
        played = Played(color, Move(int(move)), _taken(state, self.size))
        after._recent = (played, *self._recent[: RECENT_MOVES - 1])
        return after.finished()

    def play_pass(self) -> "Position":
        """Return the position after a pass."""
        return self.play(self.size.cells)

    def play_vertex(self, vertex: str) -> "Position":
        """Return the position after ``"D4"`` or ``"pass"``; raises as ``play`` does."""
        return self.play(vertex_to_move(vertex, self.size))

    def with_to_move(self, color: int) -> "Position":
        """Return the position with ``color`` to move; a change of side lifts the ko ban."""
        if color == self.to_move:
            return self
        if color not in (BLACK, WHITE):
            raise RulesError(f"{color} is not a side", hint="1 is Black, 2 is White")
        after = self._draft()
        after._state = self._state.copy()
        after._state[kernels.TO_MOVE] = color
        after._state[kernels.KO] = 0
        after._history = np.append(self._history, _root_history(after._state, self.rules))
        after._root = self._start()
        return after.finished()

    def with_setup(
        self, points: "Iterable[tuple[int, int]]", *, without_breathless: bool = False
    ) -> "Position":
        """Return the position with some points set by hand, without captures.

        A new history starts here: ko, superko and recent moves are forgotten, the counts of moves
        and of stones taken go on.

        Args:
            points: pairs (colour or EMPTY, move).

        Raises:
            RulesError: a chain is left without liberty (see ``from_stones``).
        """
        stones = self.stones.ravel()
        for color, move in points:
            if move_to_point(move, self.size) < 0:
                raise CoordinateError(f"move {move} cannot be set up on a {self.size} board")
            if color not in (EMPTY, BLACK, WHITE):
                raise RulesError(f"{color!r} is no colour", hint="0 empty, 1 Black, 2 White")
            stones[move] = color
        after = self.from_stones(
            stones.reshape(self.size),
            to_move=self.to_move,
            rules=self.rules,
            komi=self.komi,
            handicap=self.handicap,
            move_number=self.move_number,
            without_breathless=without_breathless,
        )
        after._copy_taken(self)
        return after

    def with_rules(
        self,
        rules: "str | RuleSet | None" = None,
        *,
        komi: "float | None" = None,
        handicap: "int | None" = None,
    ) -> "Position":
        """Return this position, played again from its start under other rules, komi or handicap.

        Raises:
            IllegalMoveError: a move of the history is illegal under the other rules.
        """
        start = self._start()._draft()
        start.rules = self.rules if rules is None else rules_of(rules)
        start.komi = self.komi if komi is None else komi_of(komi)
        start.handicap = self.handicap if handicap is None else count_of(handicap, "handicap")
        start._history = _root_history(start._state, start.rules)
        return _replayed(start.finished(), self.moves, self.to_move)

    def symmetry(self, symmetry: int) -> "Position":
        """Return this position and its past after a symmetry of ``mariago.board.geometry``.

        On a board that is not square, symmetries from 4 on exchange its sides.
        """
        start = self._start()
        ko = start.ko
        table = geometry.move_table(self.size, symmetry)
        image = self.from_stones(
            geometry.turned(start.stones, symmetry),
            to_move=start.to_move,
            ko=None if ko is None else int(table[ko]),
            rules=self.rules,
            komi=self.komi,
            handicap=self.handicap,
            move_number=start.move_number,
        )
        image._copy_taken(start)
        moves = [(color, Move(int(table[move]))) for color, move in self.moves]
        return _replayed(image, moves, self.to_move)

    # -- inside ----------------------------------------------------------------------------

    def _start(self) -> "Position":
        root = self._root
        return self if root is None else root  # type: ignore[return-value]

    def _draft(self) -> "_Draft":
        """Return a copy that can still be changed."""
        draft = object.__new__(_Draft)
        draft.size = self.size
        draft.rules = self.rules
        draft.komi = self.komi
        draft.handicap = self.handicap
        draft.repeated = self.repeated
        draft._state = self._state
        draft._history = self._history
        draft._trail = self._trail
        draft._recent = self._recent
        draft._root = self._root
        draft._first_number = self._first_number
        return draft

    def _copy_taken(self, other: PositionView) -> None:
        self._state[kernels.TAKEN_BY_BLACK], self._state[kernels.TAKEN_BY_WHITE] = other.taken


class _Draft(PositionView):
    """A position in the making; ``finished`` turns this very object into a Position."""

    __slots__ = ()

    def finished(self) -> Position:
        self.__class__ = Position  # pyright: ignore[reportAttributeAccessIssue]
        return self  # pyright: ignore[reportReturnType]


def _root_history(state: "npt.NDArray[np.int16]", rules: RuleSet) -> "npt.NDArray[np.uint64]":
    """Return the history that begins, or goes on, with this board: (1,) uint64."""
    return np.array([position_kernels.situation(state, KO_CODES[rules.ko])], np.uint64)


def _replayed(position: Position, moves: "Sequence[tuple[int, Move]]", to_move: int) -> Position:
    for color, move in moves:
        position = position.with_to_move(color).play(move)
    return position.with_to_move(to_move)


def _taken(state: "npt.NDArray[np.int16]", size: Size) -> tuple[Move, ...]:
    count = int(state[kernels.N_TAKEN])
    if count == 0:
        return ()
    at = kernels.HEADER + kernels.TAKEN * size.area
    return tuple(point_to_move(int(point), size) for point in state[at : at + count])


def _breathless(state: "npt.NDArray[np.int16]", size: Size) -> list[Move]:
    """Return the stones of all chains without liberties."""

    def section(number: int) -> "npt.NDArray[np.int16]":
        start = kernels.HEADER + number * size.area
        return state[start : start + size.area]

    colors = section(kernels.COLOR)
    stands = (colors == BLACK) | (colors == WHITE)
    dead = stands & (section(kernels.LIBERTIES)[section(kernels.HEAD)] == 0)
    return [point_to_move(int(point), size) for point in np.flatnonzero(dead)]


def _set_ko(state: "npt.NDArray[np.int16]", move: int, size: Size) -> None:
    """Ban ``move`` as the ko point, where the board could be that of a ko just taken.

    The point is empty, the board's edge and the opponent's stones surround it, and one of these
    is a single stone with no other liberty.
    """
    point = move_to_point(move, size)
    header, area = kernels.HEADER, size.area
    around = [point - size.stride, point - 1, point + 1, point + size.stride]
    own = int(state[kernels.TO_MOVE])
    is_ko = point > 0 and state[header + point] == EMPTY
    single = False
    for near in around if is_ko else []:
        color = int(state[header + near])
        if color in (EMPTY, own):
            is_ko = False
        elif color != kernels.BORDER:
            head = state[header + kernels.HEAD * area + near]
            stones = state[header + kernels.STONES * area + head]
            single |= stones == 1 and state[header + kernels.LIBERTIES * area + head] == 1
    if not (is_ko and single):
        raise RulesError("no ko can have been taken here", where=move_to_vertex(move, size))
    state[kernels.KO] = point

"""What can be read off a position; ``position`` adds making and playing."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.board import kernels, setup_kernels
from mariago.board.diagram import draw_diagram
from mariago.board.points import BLACK, EMPTY, Move, Size, move_to_point, point_to_move
from mariago.errors import RulesError
from mariago.rules import position_kernels
from mariago.rules.rule_sets import RuleSet

REASONS = (None, "occupied", "suicide", "ko", "superko")
"""Why a move is illegal, by the kernels' verdict; None is legal."""

KO_CODES = {"simple": 0, "positional": 1, "situational": 2}
COLOR_SHIFT = 10  # a trail entry is colour << 10 | move; move indices stay under 1024


class Played(NamedTuple):
    """One move of the recent past."""

    color: int
    move: Move
    taken: tuple[Move, ...]  # points it emptied; a suicide's own stones too


class PositionView:
    """The reading half of ``Position``."""

    __slots__ = (
        *("size", "rules", "komi", "handicap", "repeated"),
        *("_state", "_history", "_trail", "_recent", "_root", "_first_number"),
    )

    size: Size
    rules: RuleSet
    komi: float
    handicap: int
    repeated: bool
    _state: "npt.NDArray[np.int16]"
    _history: "npt.NDArray[np.uint64]"  # hashes of all situations since the root, this one last
    _trail: "npt.NDArray[np.int16]"  # the moves since the root
    _recent: tuple[Played, ...]
    _root: "PositionView | None"  # where the history starts; None: here
    _first_number: int

    # -- the board -------------------------------------------------------------------------

    @property
    def stones(self) -> "npt.NDArray[np.uint8]":
        """The colours, (rows, columns) uint8; a copy."""
        out = np.empty(self.size.cells, np.uint8)
        setup_kernels.read_stones(self._state, out)
        return out.reshape(self.size)

    @property
    def state(self) -> "npt.NDArray[np.int16]":
        """A copy of the kernels' state array; writing to it changes nothing here."""
        return self._state.copy()

    @property
    def arrays(
        self,
    ) -> "tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.uint64]]":
        """State, moves and history as they are, for kernels that read them: never write to them.

        Moves are colour << COLOR_SHIFT | move since the history's start, oldest first; the history
        is that of ``history_hashes``.
        """
        return self._state, self._trail, self._history

    @property
    def to_move(self) -> int:
        """The side to move, BLACK or WHITE."""
        return int(self._state[kernels.TO_MOVE])

    @property
    def ko(self) -> "Move | None":
        """The point that the side to move may not take back at once."""
        point = int(self._state[kernels.KO])
        return point_to_move(point, self.size) if point else None

    @property
    def passes(self) -> int:
        """Passes in a row up to now."""
        return int(self._state[kernels.PASSES])

    @property
    def taken(self) -> tuple[int, int]:
        """Stones taken by Black and by White; a suicide's stones count for the opponent."""
        state = self._state
        return int(state[kernels.TAKEN_BY_BLACK]), int(state[kernels.TAKEN_BY_WHITE])

    @property
    def handicap_bonus(self) -> int:
        """Points that the rules give White for the handicap stones."""
        return self.rules.bonus_for(self.handicap)

    @property
    def hash(self) -> int:
        """64-bit Zobrist hash of the stones and the board's size; the same in every version."""
        return int(kernels.hash_of(self._state))

    @property
    def hash_with_side(self) -> int:
        """64-bit Zobrist hash of stones, size and side to move."""
        return int(kernels.hash_with_side(self._state))

    def color_at(self, move: int) -> int:
        """Return EMPTY, BLACK or WHITE."""
        return int(self._state[kernels.HEADER + self._point(move)])

    def chain_at(self, move: int) -> tuple[Move, ...]:
        """Return the stones of the chain at ``move``, sorted; empty where no stone stands."""
        return self._points_at(move, kernels.chain_points)

    def liberties_at(self, move: int) -> tuple[Move, ...]:
        """Return the liberties of the chain at ``move``, sorted; empty where no stone stands."""
        return self._points_at(move, kernels.chain_liberties)

    def liberty_counts(self) -> "npt.NDArray[np.int16]":
        """Return the liberties of every stone's chain: (rows, columns) int16, 0 where empty."""
        rows, columns = self.size
        out = np.zeros((rows, columns), np.int16)
        for move in np.flatnonzero(self.stones):
            row, column = divmod(int(move), columns)
            if out[row, column] == 0:
                count = len(self.liberties_at(int(move)))
                for stone in self.chain_at(int(move)):
                    out[divmod(stone, columns)] = count
        return out

    def _points_at(self, move: int, kernel: Any) -> tuple[Move, ...]:
        if self.color_at(move) == EMPTY:
            return ()
        out = np.empty(self.size.area, np.int16)
        n = kernel(self._state, self._point(move), out)
        return tuple(sorted(point_to_move(int(point), self.size) for point in out[:n]))

    def _point(self, move: int) -> int:
        point = move_to_point(move, self.size)
        if point < 0:
            raise RulesError("a pass is no point of the board")
        return int(point)

    # -- the past --------------------------------------------------------------------------

    @property
    def start(self) -> "PositionView":
        """The position where the history starts, with its set-up stones; itself without moves."""
        return self if self._root is None else self._root

    @property
    def move_number(self) -> int:
        """Moves played so far, passes included."""
        return self._first_number + len(self._trail)

    @property
    def moves(self) -> list[tuple[int, Move]]:
        """The moves (colour, move) since the history's start, oldest first."""
        mask = (1 << COLOR_SHIFT) - 1
        return [(int(e) >> COLOR_SHIFT, Move(int(e) & mask)) for e in self._trail]

    @property
    def recent(self) -> tuple[Played, ...]:
        """Up to five last moves with the points each emptied, most recent first."""
        return self._recent

    @property
    def last_move(self) -> "Move | None":
        """The last move, or None at the history's start."""
        return self._recent[0].move if self._recent else None

    @property
    def last_taken(self) -> tuple[Move, ...]:
        """Points that the last move emptied."""
        return self._recent[0].taken if self._recent else ()

    @property
    def history_hashes(self) -> "npt.NDArray[np.uint64]":
        """Hashes of all situations since the history's start, this one last: (n,) uint64; a copy.

        Of the stones alone under positional superko, else of stones and side to move.
        """
        return self._history.copy()

    # -- what the rules say ----------------------------------------------------------------

    def legal_mask(self) -> "npt.NDArray[np.bool_]":
        """Return where the side to move may play: (cells + 1) bool, pass last, always true."""
        code = KO_CODES[self.rules.ko]
        mask = position_kernels.mask(self._state, self.rules.suicide, code, self._history)
        return mask.view(np.bool_)

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in order, pass last."""
        return [Move(int(move)) for move in np.flatnonzero(self.legal_mask())]

    def is_legal(self, move: int) -> bool:
        """Say whether the side to move may play ``move``."""
        return self.why_illegal(move) is None

    def why_illegal(self, move: int) -> "str | None":
        """Return ``"occupied"``, ``"suicide"``, ``"ko"`` or ``"superko"``; None for a legal move.

        Raises:
            CoordinateError: not a move of this board.
        """
        point = move_to_point(move, self.size)
        if point < 0:
            return None
        code = KO_CODES[self.rules.ko]
        why = position_kernels.verdict(self._state, point, self.rules.suicide, code, self._history)
        return REASONS[why]

    def superko_banned(self) -> list[Move]:
        """Return the moves that only superko forbids; the ko point itself is not among them."""
        if not self.rules.is_superko:
            return []
        simple = position_kernels.mask(self._state, self.rules.suicide, 0, self._history)
        banned = simple.view(np.bool_) & ~self.legal_mask()
        return [Move(int(move)) for move in np.flatnonzero(banned)]

    @property
    def is_over(self) -> bool:
        """Whether two passes in a row, or a repeated board under simple ko, have ended the game."""
        return self.repeated or self.passes >= 2

    # -- as a value ------------------------------------------------------------------------

    def _key(self) -> tuple[object, ...]:
        return (self.hash_with_side, self.ko, min(self.passes, 2), self.komi, self.handicap_bonus)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionView):
            return NotImplemented
        return (
            self.size == other.size
            and self.rules == other.rules
            and self._key() == other._key()
            and bool(np.array_equal(self.stones, other.stones))
        )

    def __hash__(self) -> int:
        return hash(self._key())

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in PositionView.__slots__}

    def __setstate__(self, fields: dict[str, object]) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)  # a Position refuses to be set

    def __str__(self) -> str:
        last = self.last_move
        drawn = draw_diagram(
            self.stones,
            ko=self.ko,
            last=None if last is None or last == self.size.cells else last,
        )
        return f"{drawn}\n{'X' if self.to_move == BLACK else 'O'} to move"

    def __repr__(self) -> str:
        side = "Black" if self.to_move == BLACK else "White"
        return (
            f"<Position {self.size} {self.rules.name} komi {self.komi:g},"
            f" move {self.move_number}, {side} to move>"
        )

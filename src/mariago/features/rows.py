"""Rows: a batch of positions as plain arrays, what a stored sample holds and no more."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, WHITE, Move, opponent
from mariago.errors import RulesError
from mariago.rules import RULE_SETS, Position, RuleSet

LAST_MOVES = 5
NO_MOVE = -1
RULE_NAMES = tuple(RULE_SETS)

Ints = npt.NDArray[Any]


@dataclass(frozen=True)
class Rows:
    """A batch of B positions. Moves are indices on the row's own board; pass is rows * columns.

    ``last_moves``, ``taken1`` and ``taken2`` hold the past only as far back as the colours of the
    moves alternate up to the side to move: from the first move that breaks this on, ``last_moves``
    is -1.
    """

    board: Ints  # (B, cells) uint8 colours by move index; short rows end in zeros
    rows: Ints  # (B,) uint8
    columns: Ints  # (B,) uint8
    to_move: Ints  # (B,) uint8 colour
    ko: Ints  # (B,) int16 point that may not be taken back at once, -1 none
    banned_offsets: Ints  # (B + 1,) int64; row i's superko-banned moves are banned[o[i]:o[i + 1]]
    banned: Ints  # int16
    last_moves: Ints  # (B, 5) int16, most recent first, -1 none
    taken1_offsets: Ints  # (B + 1,) int64
    taken1: Ints  # int16, points that the last move emptied
    taken2_offsets: Ints  # (B + 1,) int64
    taken2: Ints  # int16, points that the move before it emptied
    komi: Ints  # (B,) float32 points to White; NaN stands for the rules' usual komi
    handicap_bonus: Ints  # (B,) float32 or integer, points to White
    rules: Ints  # (B,) index into the order of RULE_SETS
    stone_lead: "Ints | None" = None
    """(B,) stones that Black has put on the board less White's, those taken included; under
    territory rules KataGo gives White a point for each. None: komi holds those points already."""

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, indices: "npt.ArrayLike") -> "Rows":
        """Return the rows at ``indices``, in that order."""
        chosen = np.asarray(indices, np.int64)
        values: dict[str, Any] = {}
        for field in fields(self):
            name = field.name
            if name in ("banned", "taken1", "taken2"):
                offsets = getattr(self, f"{name}_offsets")
                values[name], values[f"{name}_offsets"] = _take_lists(
                    getattr(self, name), offsets, chosen
                )
            elif not name.endswith("_offsets"):
                column = getattr(self, name)
                values[name] = None if column is None else column[chosen]
        return Rows(**values)


def _take_lists(values: Ints, offsets: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the lists ``chosen`` of a ragged array, and their offsets."""
    starts = np.asarray(offsets[:-1], np.int64)[chosen]
    lengths = np.asarray(offsets[1:], np.int64)[chosen] - starts
    new_offsets = np.zeros(len(chosen) + 1, np.int64)
    np.cumsum(lengths, out=new_offsets[1:])
    within = np.arange(new_offsets[-1]) - np.repeat(new_offsets[:-1], lengths)
    return values[np.repeat(starts, lengths) + within], new_offsets


def _ragged(lists: "Sequence[Sequence[int]]") -> tuple[Ints, Ints]:
    offsets = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(values) for values in lists], out=offsets[1:])
    flat = [int(value) for values in lists for value in values]
    return np.array(flat, np.int16), offsets


def rule_index(rules: RuleSet) -> int:
    """Return the place in RULE_SETS of a rule set with the same ko, suicide and counting.

    Planes ask for nothing else of the rules; komi and handicap points are given apart.

    Raises:
        RulesError: no named rule set agrees.
    """
    named = RULE_SETS.get(rules.name)
    if named is rules or named == rules:
        return RULE_NAMES.index(rules.name)
    for index, known in enumerate(RULE_SETS.values()):
        if (known.ko, known.suicide, known.scoring) == (rules.ko, rules.suicide, rules.scoring):
            return index
    raise RulesError(
        f"a row cannot hold rules with {rules.ko} ko, {rules.scoring} counting and suicide "
        f"{'allowed' if rules.suicide else 'forbidden'}",
        hint=f"choose from {', '.join(RULE_SETS)}",
    )


def alternating_past(position: Position) -> "tuple[list[Move], list[tuple[Move, ...]]]":
    """Return the last moves, latest first, while colours alternate, and what they took."""
    moves: list[Move] = []
    taken: list[tuple[Move, ...]] = []
    color = opponent(position.to_move)
    for played in position.recent[:LAST_MOVES]:
        if played.color != color:
            break
        moves.append(played.move)
        taken.append(played.taken)
        color = opponent(color)
    return moves, taken


def points_to_white(rows: Rows) -> "npt.NDArray[np.float64]":
    """Return (B,) what White has beforehand as KataGo counts; see ``planes``, global 5."""
    known = RULE_SETS.values()
    usual = np.array([rules.komi for rules in known], np.float64)[rows.rules]
    points = np.where(np.isnan(rows.komi), usual, rows.komi) + rows.handicap_bonus
    if rows.stone_lead is not None:
        territory = np.array([rules.scoring == "territory" for rules in known])[rows.rules]
        points = points + np.where(territory, rows.stone_lead, 0)
    return points.astype(np.float64)


def stone_lead(position: Position) -> int:
    """Return Black's stones less White's, those that were taken included."""
    by_black, by_white = position.taken
    stones = position.stones
    return int((stones == BLACK).sum()) - int((stones == WHITE).sum()) + by_white - by_black


def rows_of_positions(positions: "Sequence[Position]") -> Rows:
    """Return live positions as Rows.

    Raises:
        RulesError: rules that no named set stands for (see ``rule_index``).
    """
    count = len(positions)
    width = max((position.size.cells for position in positions), default=0)
    board = np.zeros((count, width), np.uint8)
    last_moves = np.full((count, LAST_MOVES), NO_MOVE, np.int16)
    taken1: list[Sequence[int]] = []
    taken2: list[Sequence[int]] = []
    for i, position in enumerate(positions):
        board[i, : position.size.cells] = position.stones.ravel()
        moves, taken = alternating_past(position)
        last_moves[i, : len(moves)] = moves
        taken1.append(taken[0] if taken else ())
        taken2.append(taken[1] if len(taken) > 1 else ())
    banned, banned_offsets = _ragged([position.superko_banned() for position in positions])
    flat1, offsets1 = _ragged(taken1)
    flat2, offsets2 = _ragged(taken2)
    return Rows(
        board=board,
        rows=np.array([position.size.rows for position in positions], np.uint8),
        columns=np.array([position.size.columns for position in positions], np.uint8),
        to_move=np.array([position.to_move for position in positions], np.uint8),
        ko=np.array([NO_MOVE if p.ko is None else p.ko for p in positions], np.int16),
        banned_offsets=banned_offsets,
        banned=banned,
        last_moves=last_moves,
        taken1_offsets=offsets1,
        taken1=flat1,
        taken2_offsets=offsets2,
        taken2=flat2,
        komi=np.array([position.komi for position in positions], np.float32),
        handicap_bonus=np.array([position.handicap_bonus for position in positions], np.float32),
        rules=np.array([rule_index(position.rules) for position in positions], np.uint8),
        stone_lead=np.array([stone_lead(position) for position in positions], np.int16),
    )

"""Rows of KataGo's training files as samples, as far as the format tells.

What it does not tell, and what is made of it:

- *the side to move*: ours say it in a column that KataGo leaves free. Else komi for the side to
  move is above 0 for White and below 0 for Black; at 0 the number of the turn decides, Black on
  even turns, White where Black had handicap stones;
- *handicap points*: they are part of komi in a file and stay there; so is the rules' usual komi
  where a record told none, and under territory rules the lead in stones put on the board;
- *stones that the last two moves took*: told by the rows one and two turns before where the same
  file holds them, else the lists are empty, and the boards of the past are taken to differ by the
  stones played alone;
- *the move* of a search: the one with most visits;
- *a score* that has no weight of its own: taken where it is not 0, or the game was drawn.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.features.rows import LAST_MOVES, NO_MOVE, RULE_NAMES
from mariago.records.import_kernels import describe
from mariago.records.katago_format import Column, pad_of, unpacked
from mariago.rules import RULE_SETS

__all__ = ["FoundRows", "rows_of_arrays", "rows_of_parts"]

NO_RULES = -1
NO_POLICY = 255  # a code beside those of the kernel: the row has no policy target
ROWS_AT_ONCE = 4_096
_NEEDED = (1, 2, 6, 9, 10, 11, 12, 13)  # own, opponent's, forbidden, the last five moves
_ID_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class FoundRows:
    """B rows of one file; moves are of the row's own board, colours 1 Black and 2 White."""

    board: NDArray[np.uint8]  # (B, pad * pad) by move of the own board, zeros behind
    rows: NDArray[np.uint8]
    columns: NDArray[np.uint8]
    to_move: NDArray[np.uint8]
    ko: NDArray[np.int16]
    banned: list[list[int]]
    last_moves: NDArray[np.int16]  # (B, 5)
    taken: list[list[list[int]]]  # two lists of B lists
    move: NDArray[np.int16]
    winner: NDArray[np.int8]
    score: NDArray[np.float32]  # Black's view, NaN unknown
    komi: NDArray[np.float32]
    rules: NDArray[np.int8]  # place in RULE_NAMES, NO_RULES where no named set agrees
    handicap: NDArray[np.uint8]
    weight: NDArray[np.float32]
    turn: NDArray[np.int64]  # from 0
    game: NDArray[np.uint64]
    flags: NDArray[np.uint16]  # (B, 5)
    hashes: NDArray[np.uint64]
    codes: NDArray[np.uint8]  # 0 where the row can be used

    def __len__(self) -> int:
        return len(self.rows)


def rows_of_arrays(arrays: "Mapping[str, NDArray[Any]]") -> FoundRows:
    """Return the rows of a file whose arrays ``katago_format.problems_of`` finds in order."""
    n = len(arrays["globalInputNC"])
    return rows_of_parts(
        {name: array[start : start + ROWS_AT_ONCE] for name, array in arrays.items()}
        for start in range(0, max(n, 1), ROWS_AT_ONCE)
    )


def rows_of_parts(arrays: "Iterable[Mapping[str, NDArray[Any]]]") -> FoundRows:
    """Return the rows of a file whose arrays come part by part, one at least."""
    parts = [_part(part) for part in arrays]
    found = FoundRows(**{
        field.name: _joined([getattr(part, field.name) for part in parts])
        for field in fields(FoundRows)
        if field.name != "taken"
    }, taken=[])  # fmt: skip
    return replace(found, taken=_taken(found))


def _joined(values: list[Any]) -> Any:
    if isinstance(values[0], np.ndarray):
        return np.concatenate(values)
    return [value for part in values for value in part]


def _part(arrays: "Mapping[str, NDArray[Any]]") -> FoundRows:
    """Return the rows of some arrays, without the stones that were taken."""
    pad = pad_of(arrays)
    planes = unpacked(arrays["binaryInputNCHWPacked"], pad)
    inputs = arrays["globalInputNC"]
    targets = arrays["globalTargetsNC"]
    rows = planes[:, 0, :, 0].sum(axis=1, dtype=np.uint8)
    columns = planes[:, 0, 0, :].sum(axis=1, dtype=np.uint8)
    sizes = rows.astype(np.int64), columns.astype(np.int64)
    komi_own = targets[:, Column.OWN_KOMI]
    to_move = _sides(targets, komi_own)
    own, other, forbidden, *past = (_flat(planes[:, k], *sizes) for k in _NEEDED)
    board = np.where(own > 0, to_move[:, None], (3 - to_move)[:, None] * other).astype(np.uint8)
    last_moves = _last_moves(past, inputs, *sizes)
    rules = _rules(inputs)
    ko, banned = _bans(forbidden, last_moves[:, 0], columns, rules)
    policy = arrays["policyTargetsNCMove"][:, 0]
    move = _own_moves(policy.argmax(axis=1), pad, *sizes)
    codes = np.zeros(len(rows), np.uint8)
    hashes = np.zeros(len(rows), np.uint64)
    flags = np.zeros((len(rows), 5), np.uint16)
    suicides = np.array([*(known.suicide for known in RULE_SETS.values()), True])
    describe(board, rows, columns, to_move, ko, move, suicides[rules], codes, hashes, flags)
    codes[targets[:, Column.POLICY_WEIGHT] == 0] = NO_POLICY
    winner, score = _results(targets, to_move)
    return FoundRows(
        board=board,
        rows=rows,
        columns=columns,
        to_move=to_move,
        ko=ko,
        banned=banned,
        last_moves=last_moves,
        taken=[],
        move=move,
        winner=winner,
        score=score,
        komi=np.where(to_move == 2, komi_own, -komi_own).astype(np.float32) + np.float32(0),
        rules=rules,
        handicap=_handicap(targets),
        weight=targets[:, Column.ROW_WEIGHT].astype(np.float32),
        turn=targets[:, Column.TURN].astype(np.int64),
        game=_games(targets),
        flags=flags,
        hashes=hashes,
        codes=codes,
    )


def _handicap(targets: NDArray[np.float32]) -> NDArray[np.uint8]:
    extra = targets[:, Column.EXTRA_BLACK]
    return np.where(extra > 0, extra + 1, 0).clip(0, 255).astype(np.uint8)


def _sides(targets: NDArray[np.float32], komi: NDArray[np.float32]) -> NDArray[np.uint8]:
    odd = targets[:, Column.TURN].astype(np.int64) % 2
    by_turn = 1 + (odd ^ (targets[:, Column.EXTRA_BLACK] > 0))
    guessed = np.where(komi > 0, 2, np.where(komi < 0, 1, by_turn))
    told = targets[:, Column.SIDE]
    return np.where((told == 1) | (told == 2), told, guessed).astype(np.uint8)


def _flat(
    plane: NDArray[np.uint8], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return a plane (B, pad, pad) by move of the row's own board, (B, pad * pad), zeros behind."""
    n, pad, _ = plane.shape
    out = np.zeros((n, pad * pad), np.uint8)
    keys = rows * 64 + columns
    for key in np.unique(keys):
        height, width = divmod(int(key), 64)
        members = np.flatnonzero(keys == key)
        part = plane[members, :height, :width]
        out[members, : height * width] = part.reshape(len(members), -1)
    return out


def _own_moves(
    fields: NDArray[np.int64], pad: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.int16]:
    """Return entries of policies over pad x pad as moves of the row's own board."""
    row, column = np.divmod(fields, pad)
    is_pass = fields == pad * pad
    return np.where(is_pass, rows * columns, row * columns + column).astype(np.int16)


def _last_moves(
    past: list[NDArray[np.uint8]],
    inputs: NDArray[np.float32],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> NDArray[np.int16]:
    moves = np.full((len(inputs), LAST_MOVES), NO_MOVE, np.int16)
    for k, plane in enumerate(past):
        moves[:, k] = np.where(plane.any(axis=1), plane.argmax(axis=1), NO_MOVE)
        passed = inputs[:, k] > 0
        moves[passed, k] = (rows * columns)[passed]
    # A gap cannot be told from the beginning of the history: what lies behind it is left out.
    known = np.logical_and.accumulate(moves != NO_MOVE, axis=1)
    return np.where(known, moves, NO_MOVE).astype(np.int16)


def _rules(inputs: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return the first named rule set with the row's ko, suicide and counting."""
    found = np.full(len(inputs), NO_RULES, np.int8)
    half = {"simple": 0.0, "positional": 0.5, "situational": -0.5}
    for place in reversed(range(len(RULE_NAMES))):
        known = RULE_SETS[RULE_NAMES[place]]
        territory = known.scoring == "territory"
        agrees = (
            (inputs[:, 7] == half[known.ko])
            & ((inputs[:, 8] > 0) == known.suicide)
            & ((inputs[:, 9] > 0) == territory)
            & ((inputs[:, 10] > 0) == territory)  # a tax on seki, as the territory sets have it
            # A tax on all groups, a second phase, a button: no named set has them.
            & ~inputs[:, [11, 12, 13, 17]].any(axis=1)
        )
        found[agrees] = place
    return found


def _bans(
    plane: NDArray[np.uint8],
    last: NDArray[np.int16],
    columns: NDArray[np.uint8],
    rules: NDArray[np.int8],
) -> tuple[NDArray[np.int16], list[list[int]]]:
    """Split forbidden points into the ko point, beside the last move, and those of superko."""
    ko = np.full(len(plane), NO_MOVE, np.int16)
    banned: list[list[int]] = [[] for _ in range(len(plane))]
    simple = np.array([*(known.ko == "simple" for known in RULE_SETS.values()), False])[rules]
    for at in np.flatnonzero(plane.any(axis=1)):
        points = np.flatnonzero(plane[at]).tolist()
        row, column = divmod(int(last[at]), int(columns[at]))
        for point in points:
            apart = abs(point // int(columns[at]) - row) + abs(point % int(columns[at]) - column)
            beside = last[at] >= 0 and apart == 1
            if ko[at] == NO_MOVE and (beside or (simple[at] and len(points) == 1)):
                ko[at] = point
            else:
                banned[at].append(point)
    return ko, banned


def _games(targets: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return a word for each row's game, from the 128 bits that name it."""
    parts = targets[:, Column.GAME : Column.GAME + 6].astype(np.uint64)
    low, high = (
        parts[:, k] | parts[:, k + 1] << np.uint64(22) | parts[:, k + 2] << np.uint64(44)
        for k in (0, 3)
    )
    return low ^ (high * _ID_MIX)


def _results(
    targets: NDArray[np.float32], to_move: NDArray[np.uint8]
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    win, loss = targets[:, Column.WIN], targets[:, Column.LOSS]
    winner = np.where(win > loss, to_move, np.where(loss > win, 3 - to_move, 0)).astype(np.int8)
    known = (targets[:, Column.VALUE_UNKNOWN] < 1) & (targets[:, Column.NO_RESULT] < 0.5)
    winner[~known] = -1
    counted = targets[:, Column.OWNER_WEIGHT] > 0
    plain = targets[:, Column.SCORE]
    score = np.where(counted, targets[:, Column.FINAL_SCORE], plain).astype(np.float32)
    score[~counted & ~(known & ((plain != 0) | (winner == 0)))] = np.nan
    # Adding 0 turns -0.0 into 0.0.
    return winner, np.where(to_move == 1, score, -score).astype(np.float32) + np.float32(0)


def _taken(found: FoundRows) -> list[list[list[int]]]:
    """Return what the last move took, and the one before it, where the rows before tell."""
    board, last_moves = found.board, found.last_moves
    cells = found.rows.astype(np.int64) * found.columns
    order = np.lexsort((found.turn, found.game))
    one: list[list[int]] = [[] for _ in range(len(found))]
    two: list[list[int]] = [[] for _ in range(len(found))]
    before, after = order[:-1], order[1:]
    linked = (
        (found.game[before] == found.game[after])
        & (found.turn[after] == found.turn[before] + 1)
        & (found.to_move[after] != found.to_move[before])
        & (last_moves[after, 0] >= 0)
    )
    earlier = np.full(len(found), -1, np.int64)
    earlier[after[linked]] = before[linked]
    here = np.flatnonzero(earlier >= 0)
    for start in range(0, len(here), ROWS_AT_ONCE):
        some = here[start : start + ROWS_AT_ONCE]
        gone = (board[earlier[some]] != 0) & (board[some] == 0)
        for place in np.flatnonzero(gone.any(axis=1)).tolist():
            at = int(some[place])
            if last_moves[at, 0] < cells[at]:
                one[at] = np.flatnonzero(gone[place]).tolist()
    for at in here[last_moves[here, 1] >= 0].tolist():
        two[at] = one[int(earlier[at])]
    return [one, two]

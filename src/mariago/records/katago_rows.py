"""Samples as rows of KataGo's training files. ``katago_format`` names the arrays and columns.

A record has no search behind it, so most targets of self-play are unknown and get the weight 0.
Known are the move played, the next one and the boards 8 and 32 turns on, where the data set holds
those rows too, and the result.
"""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.features.planes import planes_of_rows
from mariago.features.rows import Rows, points_to_white
from mariago.records.katago_format import (
    EXTRA_SCORES,
    MODE_OF_RECORDS,
    ROW_VERSION,
    TARGETS,
    Column,
    array_kinds,
)
from mariago.records.load import Batch, rows_of_table

__all__ = ["katago_arrays"]

FUTURE = (8, 32)  # turns on, of the boards in valueTargetsNCHW[2] and [3]
ROWS_AHEAD = 64  # rows after the last one that may still tell of its future
_NUMBERS = 2**16  # more than any move number


class _Links(NamedTuple):
    """Where the later rows of the same game are, as indices of rows; -1 where there is none."""

    following: NDArray[np.int64]
    future: list[NDArray[np.int64]]


def katago_arrays(
    table: pa.Table, n: int, pad: int = 19, *, q_values: bool = True, score_as_lead: bool = False
) -> dict[str, NDArray[Any]]:
    """Return KataGo's arrays of the first ``n`` samples of ``table``.

    Args:
        table: stored samples; those from ``n`` on are only looked at for what came later.
        pad: side of the planes.
        q_values: add ``qValueTargetsNCMove``, without visits; nets from version 16 on read it.
        score_as_lead: where the game was counted, give its score as the lead.

    Raises:
        BadInputError: a board is larger than ``pad``.
    """
    every = rows_of_table(table)
    rows = every.rows.take(np.arange(n))
    planes, globals_in = planes_of_rows(rows, pad)
    packed = np.packbits(planes.reshape(n, planes.shape[1], -1), axis=2)
    kinds = array_kinds(pad)
    links = _links(every, n)
    targets = _global_targets(table, every, n, links, globals_in)
    arrays: dict[str, NDArray[Any]] = {
        "binaryInputNCHWPacked": packed,
        "globalInputNC": globals_in,
        "policyTargetsNCMove": _policies(every, n, links, pad),
        "globalTargetsNC": targets,
        "scoreDistrN": np.zeros((n, *kinds["scoreDistrN"][0]), np.int8),
        "valueTargetsNCHW": _boards(every.rows, n, links, pad),
    }
    middle = pad * pad + EXTRA_SCORES
    arrays["scoreDistrN"][:, middle - 1 : middle + 1] = 50  # it sums to 100 even where unknown
    if score_as_lead:
        score = every.targets.score[:n]
        targets[:, Column.LEAD_WEIGHT] = ~np.isnan(score)
        limit = pad * pad + EXTRA_SCORES
        targets[:, Column.LEAD] = np.clip(np.nan_to_num(score), -limit, limit)
    if q_values:
        arrays["qValueTargetsNCMove"] = np.zeros((n, *kinds["qValueTargetsNCMove"][0]), np.int16)
    return arrays


def _links(every: Batch, n: int) -> _Links:
    """Find the rows of the same game one, 8 and 32 moves later."""
    keys = every.targets.game.astype(np.int64) * _NUMBERS + every.targets.move_number
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]

    def later(turns: int) -> NDArray[np.int64]:
        at = np.searchsorted(ordered, keys[:n] + turns).clip(max=len(keys) - 1)
        return np.where(ordered[at] == keys[:n] + turns, order[at], -1)

    return _Links(_following(every, n, order, ordered), [later(turns) for turns in FUTURE])


def _following(
    every: Batch, n: int, order: NDArray[np.int64], ordered: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the next move after each row's own, -1 where no row of the data set tells it.

    Rows that were removed as repeats are bridged by the history of the next row that stayed.
    """
    moves = np.full(n, -1, np.int64)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    after = order[(place[:n] + 1).clip(max=len(order) - 1)]
    game, number = every.targets.game, every.targets.move_number.astype(np.int64)
    gap = number[after] - number[:n]
    same = (game[after] == game[:n]) & (gap >= 1)
    opposite = every.rows.to_move[after] != every.rows.to_move[:n]
    direct = same & (gap == 1) & opposite
    moves[direct] = every.targets.move[after[direct]]
    past = every.rows.last_moves
    for back in range(2, past.shape[1] + 1):
        # The past of a row holds its own move last, so it tells that the sides took turns.
        told = same & (gap == back) & (past[after, back - 1] == every.targets.move[:n])
        moves[told] = past[after[told], back - 2]
    return moves


def field_moves(
    moves: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any], pad: int
) -> NDArray[np.int64]:
    """Return moves of boards as entries of policies over pad x pad, pass last."""
    wide = columns.astype(np.int64)
    row, column = np.divmod(moves.astype(np.int64), wide)
    return np.where(moves == rows.astype(np.int64) * wide, pad * pad, row * pad + column)


def _policies(every: Batch, n: int, links: _Links, pad: int) -> NDArray[np.int16]:
    policies = np.zeros((n, 2, pad * pad + 1), np.int16)
    rows, columns = every.rows.rows[:n], every.rows.columns[:n]
    at = np.arange(n)
    policies[at, 0, field_moves(every.targets.move[:n], rows, columns, pad)] = 1
    known = links.following >= 0
    policies[~known, 1] = 1  # KataGo's dummy: all alike, with the weight 0
    moves = field_moves(links.following.clip(min=0), rows, columns, pad)
    policies[at[known], 1, moves[known]] = 1
    return policies


def _boards(rows: Rows, n: int, links: _Links, pad: int) -> NDArray[np.int8]:
    boards = np.zeros((n, 5, pad, pad), np.int8)
    known = _knows_future(links)
    for channel, later in zip((2, 3), links.future, strict=True):
        on_field(rows, later[known], rows.to_move[:n][known], boards, channel, known)
    return boards


def on_field(
    rows: Rows,
    chosen: NDArray[np.int64],
    own: NDArray[np.uint8],
    out: NDArray[np.int8],
    channel: int,
    where: NDArray[np.int64],
) -> None:
    """Write the boards of ``chosen`` rows into ``out[where, channel]``: 1 own, -1 the other's."""
    sizes = rows.rows[chosen].astype(np.int64) * 64 + rows.columns[chosen]
    for size in np.unique(sizes):
        height, width = divmod(int(size), 64)
        members = np.flatnonzero(sizes == size)
        stones = rows.board[chosen[members], : height * width].reshape(-1, height, width)
        mine = own[members][:, None, None]
        signed = (stones == mine).astype(np.int8) - (stones == 3 - mine)
        out[where[members], channel, :height, :width] = signed


def _knows_future(links: _Links) -> NDArray[np.int64]:
    return np.flatnonzero((links.future[0] >= 0) & (links.future[1] >= 0))


def _global_targets(
    table: pa.Table, every: Batch, n: int, links: _Links, globals_in: NDArray[np.float32]
) -> NDArray[np.float32]:
    out = np.zeros((n, TARGETS), np.float32)
    winner = every.targets.winner[:n]
    known = ~np.isnan(winner)
    won = (np.where(known, winner, 0) + 1) / 2
    score = np.nan_to_num(every.targets.score[:n])
    for at in (0, *Column.AVERAGED):
        out[:, at], out[:, at + 1], out[:, at + 3] = won, 1 - won, score
    out[:, Column.SIDE] = every.rows.to_move[:n]
    out[:, Column.AVERAGED_UNKNOWN] = 1
    out[:, Column.VALUE_UNKNOWN] = ~known
    out[:, Column.ROW_WEIGHT] = every.targets.weight[:n]
    out[:, Column.POLICY_WEIGHT] = 1
    out[:, Column.NEXT_POLICY_WEIGHT] = links.following >= 0
    out[_knows_future(links), Column.FUTURE_WEIGHT] = 1
    out[:, Column.HISTORY : Column.HISTORY + 5] = 1
    identities = _identities(table.slice(0, n))
    for k, (shift, bits) in enumerate(((0, 22), (22, 22), (44, 20))):
        part = (identities >> np.uint64(shift)) & np.uint64(2**bits - 1)
        out[:, Column.GAME + k] = part
    out[:, Column.OWN_KOMI] = _own_komi(every.rows, n)
    out[:, Column.AREA_COUNTING] = globals_in[:, 9] == 0
    out[:, Column.TURN] = every.targets.move_number[:n] - 1
    handicap = table.column("handicap").combine_chunks().to_numpy()[:n].astype(np.int64)
    out[:, Column.EXTRA_BLACK] = (handicap - 1).clip(min=0)
    out[:, Column.MODE] = MODE_OF_RECORDS
    out[:, Column.FINISHED] = known
    out[:, Column.VERSION] = ROW_VERSION
    return out


def _own_komi(rows: Rows, n: int) -> NDArray[np.float32]:
    points = points_to_white(rows)[:n]
    return np.where(rows.to_move[:n] == 2, points, -points).astype(np.float32)


def _identities(table: pa.Table) -> NDArray[np.uint64]:
    """Return the ids of the rows' games as words."""
    column = table.column("game_id").combine_chunks()
    words = np.array([int(text, 16) for text in column.dictionary.to_pylist()], np.uint64)
    return words[column.indices.to_numpy()]

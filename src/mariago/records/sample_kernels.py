# pyright: basic
"""From judged games to the columns of samples: boards, history, flags and hashes of kept moves.

The history of a row reaches back to the last set-up, or to the last move out of turn.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    COLUMNS,
    EMPTY,
    HEADER,
    KO,
    N_TAKEN,
    TAKEN,
    TO_MOVE,
    clear,
    copy_into,
    play,
    play_pass,
    state_length,
)
from mariago.board.points import MAX_SIZE
from mariago.board.setup_kernels import point_of
from mariago.board.zobrist import MAX_AREA, SIZE_KEYS
from mariago.features.live_kernels import stone_lead
from mariago.records.replay_kernels import (
    MAX_CELLS,
    put_setup,
    rehash,
    smallest,
    symmetric_points,
    toggle,
    turn_to,
)
from mariago.tactics.flag_kernels import move_flags

HISTORY = 5
KEEP = 0  # the code of a row that becomes a sample


@inlined
def _flip(packed, color, move):
    """Put a stone into, or take it out of, a board of 2 bits a point."""
    packed[move >> 2] ^= np.uint8(color << (2 * (move & 3)))


@kernel
def _pack(s, packed):
    """Write the whole board with 2 bits a point."""
    packed[:] = 0
    columns = np.int64(s[COLUMNS])
    for move in range(np.int64(s[0]) * columns):
        color = np.int64(s[HEADER + point_of(move, columns)])
        if color != EMPTY:
            _flip(packed, color, move)


@inlined
def _forget(last_moves, n_taken):
    """Let the history begin anew."""
    for i in range(HISTORY):
        last_moves[i] = -1
    n_taken[0] = n_taken[1] = 0


@inlined
def _remember(last_moves, move, n_taken, taken, s, columns):
    """Add the move just played, and the stones it took, to the history."""
    for i in range(HISTORY - 1, 0, -1):
        last_moves[i] = last_moves[i - 1]
    last_moves[0] = move
    for i in range(n_taken[0]):
        taken[1, i] = taken[0, i]
    n_taken[1] = n_taken[0]
    n = np.int64(s[N_TAKEN])
    at_taken = HEADER + TAKEN * np.int64(s[AREA])
    for i in range(n):
        p = np.int64(s[at_taken + i])
        taken[0, i] = (p // (columns + 1) - 1) * columns + p % (columns + 1) - 1
    n_taken[0] = n


@kernel
def emit(
    rows,
    columns,
    first,
    colors,
    moves,
    setup_first,
    setup,
    codes,
    out_game,
    out_number,
    out_to_move,
    out_ko,
    out_move,
    out_lead,
    out_last,
    out_flags,
    out_hash,
    out_board,
    out_board_end,
    out_taken_1,
    out_end_1,
    out_taken_2,
    out_end_2,
):
    """Replay legal games (arrays as in ``judge``) and write a row for each move whose code is KEEP.

    Args:
        codes: (M,) uint8.
        out_game: (R,) uint32, index of the game within the batch; R rows in the others too.
        out_lead: (R,) int16, stones that Black has put on the board less White's.
        out_last: (R, 5) int16, most recent first; ``out_flags``: (R, 5) uint16.
        out_board: flat uint8, 2 bits a point; row r ends at ``out_board_end[r + 1]``, int32.
        out_taken_1, out_taken_2: flat int16 with ends likewise; each stone put up or played can be
            taken once, so M + S entries are enough.

    Returns:
        The number of rows written, of stones in ``out_taken_1`` and of stones in ``out_taken_2``.
    """
    table = np.zeros((8, MAX_AREA), np.int16)
    sums = np.zeros((2, 8), np.uint64)
    state = np.empty(state_length(MAX_SIZE, MAX_SIZE), np.int16)
    packed = np.zeros((MAX_CELLS + 3) // 4, np.uint8)
    last_moves = np.empty(HISTORY, np.int16)
    taken = np.empty((2, MAX_CELLS), np.int16)
    n_taken = np.zeros(2, np.int64)
    last_rows = last_columns = np.int64(0)
    n = 0
    r = 0
    end = end_1 = end_2 = np.int64(0)
    for g in range(rows.shape[0]):
        last_kept = np.int64(first[g + 1]) - 1
        while last_kept >= first[g] and codes[last_kept] != KEEP:
            last_kept -= 1
        if last_kept < first[g]:
            continue
        if rows[g] != last_rows or columns[g] != last_columns:
            last_rows, last_columns = rows[g], columns[g]
            n = symmetric_points(last_rows, last_columns, table)
        cells = last_rows * last_columns
        board_bytes = (cells + 3) // 4
        s = state[: state_length(last_rows, last_columns)]
        clear(s, last_rows, last_columns)
        sums[:, :] = SIZE_KEYS[last_rows, last_columns]
        packed[:] = 0
        _forget(last_moves, n_taken)
        lead = np.int64(0)
        at_setup, setup_end = setup_first[g], setup_first[g + 1]
        for i in range(first[g], last_kept + 1):
            ply = i - first[g]
            if at_setup < setup_end and setup[at_setup, 0] <= ply:
                at_setup = put_setup(s, at_setup, setup_end, ply, setup)
                rehash(s, sums, table, n)
                _pack(s, packed)
                lead = stone_lead(s)
                _forget(last_moves, n_taken)
            color = np.int64(colors[i])
            if s[TO_MOVE] != color:
                _forget(last_moves, n_taken)
                turn_to(s, color)
            move = np.int64(moves[i])
            p = point_of(move, last_columns) if move != cells else np.int64(-1)
            if codes[i] == KEEP:
                ko = np.int64(s[KO])
                out_game[r] = g
                out_number[r] = ply + 1
                out_to_move[r] = color
                out_ko[r] = -1
                if ko != 0:
                    row, column = ko // (last_columns + 1) - 1, ko % (last_columns + 1) - 1
                    out_ko[r] = row * last_columns + column
                out_move[r] = move
                out_lead[r] = lead
                for k in range(HISTORY):
                    out_last[r, k] = last_moves[k]
                move_flags(s, p, out_flags[r])
                out_hash[r] = smallest(sums, table, n, color, ko)
                copy_into(out_board[end : end + board_bytes], packed[:board_bytes])
                end += board_bytes
                out_board_end[r + 1] = end
                for k in range(n_taken[0]):
                    out_taken_1[end_1 + k] = taken[0, k]
                end_1 += n_taken[0]
                out_end_1[r + 1] = end_1
                for k in range(n_taken[1]):
                    out_taken_2[end_2 + k] = taken[1, k]
                end_2 += n_taken[1]
                out_end_2[r + 1] = end_2
                r += 1
            if move == cells:
                play_pass(s)
            else:
                if play(s, p) > 0:
                    at_taken = HEADER + TAKEN * np.int64(s[AREA])
                    for t in range(s[N_TAKEN]):
                        q = np.int64(s[at_taken + t])
                        toggle(sums, table, n, 3 - color, q)
                        at = (q // (last_columns + 1) - 1) * last_columns
                        _flip(packed, 3 - color, at + q % (last_columns + 1) - 1)
                toggle(sums, table, n, color, p)
                _flip(packed, color, move)
                lead += 1 if color == BLACK else -1
            _remember(last_moves, move, n_taken, taken, s, last_columns)
    return r, end_1, end_2


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    one = np.ones(1, np.int64)
    i16 = np.zeros(4, np.int16)
    emit(
        2 * one, 2 * one, np.array([0, 1], np.int64), np.full(1, BLACK, np.uint8), i16,
        np.zeros(2, np.int64), np.zeros((0, 3), np.int16),
        np.zeros(1, np.uint8), np.zeros(1, np.uint32), i16.copy(), np.zeros(1, np.uint8),
        i16.copy(), i16.copy(), i16.copy(), np.zeros((1, 5), np.int16), np.zeros((1, 5), np.uint16),
        np.zeros(1, np.uint64), np.zeros(4, np.uint8), np.zeros(2, np.int32), i16.copy(),
        np.zeros(2, np.int32), i16.copy(), np.zeros(2, np.int32),
    )  # fmt: skip

# pyright: basic
"""Where the first moves of games are played, gathered from rows of samples as they are stored.

A row tells its own move, up to five before it, and the board. A game's points within its first
``limit`` moves are those of the moves that its rows tell, and the stones on the board of the first
row after ``limit``, but for those that are known to have come after it. So moves whose own rows are
not in the data set, such as repeated openings, are counted too. Where more stones stand there than
moves are missing, each counts for its share. Games without a row soon after ``limit`` are left out.
"""

import numpy as np

from mariago.board.jit import inlined, kernel

REACH = 6  # a row so many moves after the limit tells of all stones whether they came after it
GAME, SERIAL = 0, 1  # of the state: the game whose rows come, and the number of games so far


@inlined
def _add(k, move, weight, serial, stamps, points, weights, filled):
    if stamps[k, move] != serial:
        stamps[k, move] = serial
        points[k, filled[k]] = move
        weights[k, filled[k]] = weight
        filled[k] += 1


@kernel
def flush(state, points, weights, filled, is_known, heat, games):
    """Count the game whose rows have come, and make ready for the next."""
    for k in range(len(filled)):
        if is_known[k]:
            games[k] += 1
            for j in range(filled[k]):
                heat[k, points[k, j]] += weights[k, j]
        filled[k] = 0
        is_known[k] = False
    state[GAME] = -1
    state[SERIAL] += 1


@kernel
def _add_board(i, k, limit, board, later, serial, stamps, points, weights, filled):
    """Add the stones that are not known to be later moves."""
    cells = stamps.shape[1]
    n = 0
    for point in range(cells):
        is_stone = board[point >> 2] >> 2 * (point & 3) & 3
        n += is_stone != 0 and later[point] != i + 1 and stamps[k, point] != serial
    missing = limit - filled[k]
    weight = 1.0 if n <= missing else max(0, missing) / n
    for point in range(cells):
        if later[point] != i + 1 and board[point >> 2] >> 2 * (point & 3) & 3:
            _add(k, point, weight, serial, stamps, points, weights, filled)


@kernel
def lay_out(
    game, number, move, last_moves, boards, limits, state, stamps, points, weights, filled,
    is_known, heat, games,
):  # fmt: skip
    """Take rows (B,) of one board size in stored order; ``boards`` (B, bytes) as packed.

    ``heat`` (K, cells) counts for each of the K ``limits`` the games in which a point was played;
    ``games`` (K,) counts the games. The rest is kept between calls: ``state`` (2,), ``stamps``,
    ``points`` and ``weights`` (K, cells), ``filled`` and ``is_known`` (K,). Call ``flush`` after
    the last rows.
    """
    cells = heat.shape[1]
    later = np.zeros(cells, np.int64)
    for i in range(len(game)):
        if game[i] != state[GAME]:
            flush(state, points, weights, filled, is_known, heat, games)
            state[GAME] = game[i]
        serial = state[SERIAL] + 1
        for k in range(len(limits)):
            if is_known[k]:
                continue
            if number[i] <= limits[k] and move[i] < cells:
                _add(k, move[i], 1.0, serial, stamps, points, weights, filled)
            for back in range(last_moves.shape[1]):
                earlier = last_moves[i, back]
                if earlier < 0:
                    break
                if earlier >= cells:
                    continue
                if number[i] - 1 - back <= limits[k]:
                    _add(k, earlier, 1.0, serial, stamps, points, weights, filled)
                else:
                    later[earlier] = i + 1
            if limits[k] < number[i] < 2 * limits[k] + REACH:
                is_known[k] = True
                _add_board(
                    i, k, limits[k], boards[i], later, serial, stamps, points, weights, filled
                )


def warm() -> None:
    """Compile the kernels."""
    ints = np.zeros(1, np.int64)
    lay_out(
        np.zeros(1, np.uint32), np.ones(1, np.int16), np.zeros(1, np.int16),
        np.full((1, 5), -1, np.int16), np.zeros((1, 1), np.uint8), ints + 1,
        np.array([-1, 0]), np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int16),
        np.zeros((1, 1)), ints.copy(), np.zeros(1, np.bool_), np.zeros((1, 1)), ints.copy(),
    )  # fmt: skip

# pyright: basic
"""Legal masks with and without superko, and whole random games."""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.kernels import (
    AREA,
    BLACK,
    BORDER,
    COLUMNS,
    EMPTY,
    EVER,
    HEAD,
    HEADER,
    LIBERTIES,
    N_TAKEN,
    NEXT,
    PASSES,
    ROWS,
    STRIDE,
    TAKEN,
    TO_MOVE,
    WHITE,
    hash_of,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
    play_pass,
)
from mariago.board.setup_kernels import set_stones
from mariago.board.zobrist import STONE_KEYS, WHITE_TO_MOVE_KEY

_WHITE_KEY = np.uint64(WHITE_TO_MOVE_KEY)


@kernel
def legal_mask(s, suicide, out):
    """Write 1 for each pseudo-legal move into ``out`` (rows * columns + 1) uint8, else 0.

    Pass is always legal. Return the number of legal moves, pass included.
    """
    stride = np.int64(s[STRIDE])
    move = 0
    n = 1
    for row in range(1, s[ROWS] + 1):
        for column in range(1, s[COLUMNS] + 1):
            legal = is_pseudo_legal(s, row * stride + column, suicide)
            out[move] = legal
            n += legal
            move += 1
    out[move] = 1
    return n


@inlined
def _keys_of_chain(s, p, area):
    """Return the exclusive or of the keys of all stones of the chain at ``p``."""
    color = s[HEADER + p]
    at_next = HEADER + NEXT * area
    keys = np.uint64(0)
    q = np.int64(p)
    while True:
        keys ^= STONE_KEYS[color, q]
        q = np.int64(s[at_next + q])
        if q == p:
            return keys


@kernel
def hash_after(s, p):
    """Return the board hash after a pseudo-legal stone at ``p``, without playing it."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = np.int64(s[TO_MOVE])
    value = hash_of(s) ^ STONE_KEYS[own, p]
    own_keys = STONE_KEYS[own, p]
    heads = np.empty(4, np.int64)
    n = 0
    breathes = False
    for side in range(4):
        q = neighbour(p, side, stride)
        color = s[HEADER + q]
        if color == EMPTY:
            breathes = True
            continue
        if color == BORDER:
            continue
        head = np.int64(s[HEADER + HEAD * area + q])
        liberties = s[HEADER + LIBERTIES * area + head]
        known = False
        for i in range(n):
            if heads[i] == head:
                known = True
        if known:
            continue
        heads[n] = head
        n += 1
        if color == own:
            if liberties > 1:
                breathes = True
            else:
                own_keys ^= _keys_of_chain(s, head, area)
        elif liberties == 1:
            breathes = True
            value ^= _keys_of_chain(s, head, area)
    if not breathes:  # suicide: the stone and all its chains leave
        value ^= own_keys
    return value


@kernel
def repeats(s, p, situational, seen, n_seen):
    """Say whether playing at ``p`` would bring back a whole board in ``seen[:n_seen]`` (uint64).

    ``seen`` holds board hashes, or hashes with the side to move when ``situational``; the board as
    it stands is among them. A board that holds a stone of this colour at ``p`` is new where none
    ever stood, so only points with a past, and suicides, are hashed.
    """
    area = np.int64(s[AREA])
    own = np.int64(s[TO_MOVE])
    if (s[HEADER + EVER * area + p] & own) == 0 and is_pseudo_legal(s, p, False):
        return False
    value = hash_after(s, p)
    if situational and own == BLACK:
        value ^= _WHITE_KEY
    for i in range(n_seen):
        if seen[i] == value:
            return True
    return False


@kernel
def legal_mask_superko(s, suicide, situational, seen, n_seen, out):
    """Write the legal moves under a superko rule into ``out``; see ``legal_mask``, ``repeats``."""
    stride = np.int64(s[STRIDE])
    move = 0
    n = 1
    for row in range(1, s[ROWS] + 1):
        for column in range(1, s[COLUMNS] + 1):
            p = row * stride + column
            legal = is_pseudo_legal(s, p, suicide) and not repeats(s, p, situational, seen, n_seen)
            out[move] = legal
            n += legal
            move += 1
    out[move] = 1
    return n


@inlined
def next_random(x):
    """Return the next word of a xorshift generator (Marsaglia 2003); never 0 for x not 0."""
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x


@inlined
def seeded(seed):
    """Return a start word for ``next_random``: a step of splitmix64 (Steele et al. 2014), not 0."""
    x = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return x | np.uint64(1)


@inlined
def is_own_eye(s, p, stride):
    """Say whether all four neighbours of ``p`` are stones of the side to move or the border."""
    own = s[TO_MOVE]
    for side in range(4):
        color = s[HEADER + neighbour(p, side, stride)]
        if color != own and color != BORDER:
            return False
    return True


@kernel
def random_game(s, seed, max_moves, suicide, keep_eyes, out):
    """Play uniformly random pseudo-legal stones on ``s`` until two passes or ``max_moves``.

    A side passes only when it has no move left. With ``keep_eyes`` nobody fills a point whose four
    neighbours are all his own. The points played (-1 pass) go to ``out`` int16; return how many.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    empties = np.empty(area, np.int16)
    n_empty = 0
    for p in range(area):
        if s[HEADER + p] == EMPTY:
            empties[n_empty] = p
            n_empty += 1
    x = seeded(seed)
    at_taken = HEADER + TAKEN * area
    n = 0
    while n < max_moves and s[PASSES] < 2:
        left = n_empty
        chosen = np.int64(0)
        while left > 0:
            x = next_random(x)
            i = np.int64(((x >> np.uint64(32)) * np.uint64(left)) >> np.uint64(32))
            p = np.int64(empties[i])
            left -= 1
            empties[i] = empties[left]
            empties[left] = p
            if is_pseudo_legal(s, p, suicide) and not (keep_eyes and is_own_eye(s, p, stride)):
                chosen = p
                break
        if chosen == 0:
            play_pass(s)
            out[n] = -1
        else:
            n_empty -= 1
            empties[left] = empties[n_empty]
            play(s, chosen)
            for i in range(s[N_TAKEN]):
                empties[n_empty] = s[at_taken + i]
                n_empty += 1
            out[n] = chosen
        n += 1
    return n


@kernel
def random_moves(rows, columns, seed, n_games, max_moves):
    """Play ``n_games`` random games from the empty board; return the number of moves."""
    out = np.empty(max_moves, np.int16)
    total = 0
    for game in range(n_games):
        total += random_game(new_state(rows, columns), seed + game, max_moves, False, True, out)
    return total


def warm():
    """Compile, or load from the cache, every kernel of the board room."""
    random_moves(2, 2, 1, 1, 4)
    s = new_state(2, 2)
    set_stones(s, np.array([BLACK, WHITE, EMPTY, EMPTY], np.uint8))
    out = np.empty(5, np.uint8)
    legal_mask(s, False, out)
    legal_mask_superko(s, False, False, np.zeros(1, np.uint64), 1, out)

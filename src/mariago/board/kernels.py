# pyright: basic
"""The board in one flat int16 array, and the kernels that play on it.

Header (indices below), then seven sections of AREA entries each, indexed by padded point:

=========  =================================================================================
section    entry
=========  =================================================================================
COLOR      EMPTY, BLACK, WHITE or BORDER
HEAD       the point that stands for the stone's whole chain
NEXT       the next stone of the chain, in a ring
LIBERTIES  at a HEAD: number of liberties of the chain
STONES     at a HEAD: number of stones of the chain
EVER       bit c is set where a stone of colour c has ever stood (set-up stones count)
TAKEN      the N_TAKEN points that the last move emptied, in the order of removal
=========  =================================================================================

Section k starts at ``HEADER + k * AREA``. HEAD to STONES mean nothing at empty points.
Kernels trust their input: the facade in ``rules`` checks it.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.board.zobrist import SIZE_KEYS, STONE_KEYS, WHITE_TO_MOVE_KEY

ROWS, COLUMNS, STRIDE, AREA = 0, 1, 2, 3
TO_MOVE = 4  # colour
KO = 5  # point that the side to move may not take back at once; 0 none
LAST = 6  # point of the last move; 0 none, -1 pass
N_TAKEN = 7  # stones emptied by the last move
PASSES = 8  # passes in a row
TAKEN_BY_BLACK = 9  # prisoners; a suicide's stones go to the opponent
TAKEN_BY_WHITE = 10
HASH = 12  # four words, low word first
HEADER = 16

COLOR, HEAD, NEXT, LIBERTIES, STONES, EVER, TAKEN = 0, 1, 2, 3, 4, 5, 6
SECTIONS = 7

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3

# The keys in 16-bit words, as the state array holds them: (colour, point, word).
_KEY_WORDS = STONE_KEYS.view("<u2").reshape(3, STONE_KEYS.shape[1], 4).astype(np.int16)
SIZE_WORDS = SIZE_KEYS.view("<u2").reshape(*SIZE_KEYS.shape, 4).astype(np.int16)
_WHITE_KEY = np.uint64(WHITE_TO_MOVE_KEY)
_U16 = np.uint64(0xFFFF)


@kernel
def state_length(rows, columns):
    """Return the length of the state array of a board."""
    return HEADER + SECTIONS * ((rows + 2) * (columns + 1) + 1)


@kernel
def clear(s, rows, columns):
    """Make ``s`` an empty board with Black to move."""
    stride = columns + 1
    area = (rows + 2) * stride + 1
    s[:] = 0
    s[ROWS] = rows
    s[COLUMNS] = columns
    s[STRIDE] = stride
    s[AREA] = area
    s[TO_MOVE] = BLACK
    for word in range(4):
        s[HASH + word] = SIZE_WORDS[rows, columns, word]
    for p in range(area):
        s[HEADER + p] = BORDER
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            s[HEADER + row * stride + column] = EMPTY


@kernel
def new_state(rows, columns):
    """Return the state of an empty board, Black to move."""
    s = np.empty(HEADER + SECTIONS * ((rows + 2) * (columns + 1) + 1), np.int16)
    clear(s, rows, columns)
    return s


@kernel
def copy_into(target, source):
    """Copy a whole state; an explicit loop is many times faster here than slice assignment."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@inlined
def flip_key(s, color, p):
    """Put a stone into the hash, or take it out."""
    for word in range(4):
        s[HASH + word] ^= _KEY_WORDS[color, p, word]


@kernel
def hash_of(s):
    """Return the 64-bit hash of the stones (and the board's size)."""
    value = np.uint64(0)
    for word in range(4):
        value |= (np.uint64(s[HASH + word]) & _U16) << np.uint64(16 * word)
    return value


@kernel
def hash_with_side(s):
    """Return the hash of stones and side to move."""
    value = hash_of(s)
    if s[TO_MOVE] == WHITE:
        value ^= _WHITE_KEY
    return value


@kernel
def recompute_hash(s):
    """Return the hash of the stones counted from nothing; equals ``hash_of`` at all times."""
    area = np.int64(s[AREA])
    words = np.empty(4, np.int16)
    for word in range(4):
        words[word] = SIZE_WORDS[s[ROWS], s[COLUMNS], word]
    for p in range(area):
        color = s[HEADER + p]
        if color == BLACK or color == WHITE:
            for word in range(4):
                words[word] ^= _KEY_WORDS[color, p, word]
    value = np.uint64(0)
    for word in range(4):
        value |= (np.uint64(words[word]) & _U16) << np.uint64(16 * word)
    return value


@inlined
def neighbour(p, side, stride):
    """Return the neighbour of ``p`` above, left, right, below for side 0 to 3."""
    if side == 0:
        return p - stride
    if side == 1:
        return p - 1
    if side == 2:
        return p + 1
    return p + stride


@kernel
def is_pseudo_legal(s, p, suicide):
    """Say whether the side to move may play at ``p``: empty, not the ko point, no suicide.

    Superko is not looked at. With ``suicide`` true, a move that removes own stones is allowed.
    """
    if s[HEADER + p] != EMPTY or p == s[KO]:
        return False
    if suicide:
        return True
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    for side in range(4):
        q = neighbour(p, side, stride)
        color = s[HEADER + q]
        if color == EMPTY:
            return True
        if color == BORDER:
            continue
        liberties = s[HEADER + LIBERTIES * area + s[HEADER + area + q]]
        if color == own:
            if liberties > 1:
                return True
        elif liberties == 1:
            return True
    return False


@inlined
def _remove_chain(s, p, area, stride):
    """Take the chain at ``p`` off the board; its neighbours of the other colour gain liberties."""
    at_next = HEADER + NEXT * area
    at_head = HEADER + area
    at_liberties = HEADER + LIBERTIES * area
    at_taken = HEADER + TAKEN * area
    color = s[HEADER + p]
    other = 3 - color
    n = np.int64(s[N_TAKEN])
    q = np.int64(p)
    while True:
        s[HEADER + q] = EMPTY
        flip_key(s, color, q)
        s[at_taken + n] = q
        n += 1
        a = b = c = np.int64(-1)
        if s[HEADER + q - stride] == other:
            a = np.int64(s[at_head + q - stride])
            s[at_liberties + a] += 1
        if s[HEADER + q - 1] == other:
            b = np.int64(s[at_head + q - 1])
            if b != a:
                s[at_liberties + b] += 1
        if s[HEADER + q + 1] == other:
            c = np.int64(s[at_head + q + 1])
            if c != a and c != b:
                s[at_liberties + c] += 1
        if s[HEADER + q + stride] == other:
            d = np.int64(s[at_head + q + stride])
            if d != a and d != b and d != c:
                s[at_liberties + d] += 1
        q = np.int64(s[at_next + q])
        if q == p:
            break
    s[N_TAKEN] = n


@inlined
def _merge(s, small, big, area, stride):
    """Join chain ``small`` into chain ``big`` (heads), counting the united liberties exactly.

    Stones of ``small`` change over one by one; a liberty is new only where no stone of ``big``, as
    grown so far, touches it.
    """
    at_head = HEADER + area
    at_next = HEADER + NEXT * area
    at_liberties = HEADER + LIBERTIES * area
    at_stones = HEADER + STONES * area
    own = s[HEADER + big]
    gained = 0
    q = np.int64(small)
    while True:
        for side in range(4):
            e = neighbour(q, side, stride)
            if s[HEADER + e] != EMPTY:
                continue
            fresh = True
            for around in range(4):
                t = neighbour(e, around, stride)
                if s[HEADER + t] == own and s[at_head + t] == big:
                    fresh = False
                    break
            if fresh:
                gained += 1
        s[at_head + q] = big
        q = np.int64(s[at_next + q])
        if q == small:
            break
    s[at_liberties + big] += gained
    s[at_stones + big] += s[at_stones + small]
    after = s[at_next + big]
    s[at_next + big] = s[at_next + small]
    s[at_next + small] = after


@kernel
def play(s, p):
    """Play a pseudo-legal stone of the side to move at ``p``; return how many it takes."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    at_head = HEADER + area
    at_next = HEADER + NEXT * area
    at_liberties = HEADER + LIBERTIES * area
    at_stones = HEADER + STONES * area
    own = s[TO_MOVE]
    other = 3 - own
    s[N_TAKEN] = 0
    s[HEADER + p] = own
    flip_key(s, own, p)
    s[HEADER + EVER * area + p] |= own
    s[at_head + p] = p
    s[at_next + p] = p
    s[at_stones + p] = 1
    # Each distinct neighbouring chain of either colour loses the liberty p.
    liberties = 0
    dead = joined = 0
    a = b = c = np.int64(-1)
    for side in range(4):
        q = neighbour(p, side, stride)
        color = s[HEADER + q]
        if color == EMPTY:
            liberties += 1
        if color == EMPTY or color == BORDER:
            continue
        head = np.int64(s[at_head + q])
        if head == a or head == b or head == c:
            continue
        c = b
        b = a
        a = head
        s[at_liberties + head] -= 1
        if color == own:
            joined += 1
        elif s[at_liberties + head] == 0:
            dead += 1
    s[at_liberties + p] = liberties
    if dead > 0:
        for side in range(4):
            q = neighbour(p, side, stride)
            if s[HEADER + q] == other and s[at_liberties + s[at_head + q]] == 0:
                _remove_chain(s, np.int64(s[at_head + q]), area, stride)
    n_taken = np.int64(s[N_TAKEN])
    if joined > 0:
        for side in range(4):
            q = neighbour(p, side, stride)
            if s[HEADER + q] != own:
                continue
            theirs = np.int64(s[at_head + q])
            mine = np.int64(s[at_head + p])
            if theirs == mine:
                continue
            if s[at_stones + theirs] >= s[at_stones + mine]:
                _merge(s, mine, theirs, area, stride)
            else:
                _merge(s, theirs, mine, area, stride)
    head = np.int64(s[at_head + p])
    s[KO] = 0
    if s[at_liberties + head] == 0:  # suicide
        if own == BLACK:
            s[TAKEN_BY_WHITE] += s[at_stones + head]
        else:
            s[TAKEN_BY_BLACK] += s[at_stones + head]
        _remove_chain(s, head, area, stride)
    elif n_taken == 1 and s[at_stones + head] == 1 and s[at_liberties + head] == 1:
        s[KO] = s[HEADER + TAKEN * area]
    if own == BLACK:
        s[TAKEN_BY_BLACK] += n_taken
    else:
        s[TAKEN_BY_WHITE] += n_taken
    s[TO_MOVE] = other
    s[LAST] = p
    s[PASSES] = 0
    return n_taken


@kernel
def play_pass(s):
    """Pass for the side to move."""
    s[KO] = 0
    s[N_TAKEN] = 0
    s[LAST] = -1
    s[PASSES] += 1
    s[TO_MOVE] = 3 - s[TO_MOVE]


@kernel
def chain_points(s, p, out):
    """Write the points of the chain at ``p`` into ``out``; return their number."""
    at_next = HEADER + NEXT * np.int64(s[AREA])
    n = 0
    q = np.int64(p)
    while True:
        out[n] = q
        n += 1
        q = np.int64(s[at_next + q])
        if q == p:
            return n


@kernel
def chain_liberties(s, p, out):
    """Write the distinct liberties of the chain at ``p`` into ``out``; return their number."""
    at_next = HEADER + NEXT * np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    n = 0
    q = np.int64(p)
    while True:
        for side in range(4):
            e = neighbour(q, side, stride)
            if s[HEADER + e] == EMPTY:
                known = False
                for i in range(n):
                    if out[i] == e:
                        known = True
                        break
                if not known:
                    out[n] = e
                    n += 1
        q = np.int64(s[at_next + q])
        if q == p:
            return n

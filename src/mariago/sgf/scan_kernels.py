# pyright: basic
"""The fast reader: the main line of a plain game, straight from the bytes.

What it does not know (damaged files, long names, rectangles of points, several games, encodings
other than UTF-8, boards that are not square) it hands over to the plain reader in ``games``.
``fast`` is its face in Python.
"""

import numpy as np

from mariago.board.jit import inlined, kernel
from mariago.sgf.names import INFO_NAMES

OK, HAND_OVER = 0, 1

# A row of ``info``: numbers, then start and end of the raw value of each of INFO_NAMES (-1: none).
# SIGNS: bit 0 for AP[foxwq], 1 for TC, 2 for TT, 3 for set-up stones before the first move that
# stand behind the first node.
N_MOVES, N_SETUP, SIZE, SIGNS, ROOT = 0, 1, 2, 3, 4
TEXTS = 5
INFO_LENGTH = TEXTS + 2 * len(INFO_NAMES)

USUAL_SIZE = 19
_LARGEST_PLY = 32767  # of int16
_MOST_SETUP = 64 * 361  # as main_line.most_setup; what names more is handed over

# What a name means: below 100 a slot of INFO_NAMES. AE, AB, AW and B, W in the order of colours.
_SZ, _GM, _CA, _TC, _TT, _AE, _AB, _AW, _BLACK, _WHITE = range(100, 110)
_AP = INFO_NAMES.index("AP")


def _name_table():
    """Return what a two-letter name means: a slot of INFO_NAMES, a code above, -1 for the rest."""
    table = np.full(26 * 26, -1, np.int8)
    wanted = {name: slot for slot, name in enumerate(INFO_NAMES)}
    wanted |= {
        "SZ": _SZ,
        "GM": _GM,
        "CA": _CA,
        "TC": _TC,
        "TT": _TT,
        "AB": _AB,
        "AW": _AW,
        "AE": _AE,
    }
    for name, meaning in wanted.items():
        table[(ord(name[0]) - 65) * 26 + ord(name[1]) - 65] = meaning
    return table


_MEANING = _name_table()


@inlined
def _is_space(c):
    return c == 32 or (9 <= c <= 13)


@inlined
def _next(buf, at, end):
    """Return the place of the next byte that is no white space, or ``end``."""
    while at < end and _is_space(buf[at]):
        at += 1
    return at


@inlined
def _value_end(buf, at, end):
    """Return the place of the bracket that closes the value opened before ``at``, or ``end``."""
    while at < end:
        c = buf[at]
        if c == 93:  # ]
            return at
        at += 2 if c == 92 else 1  # backslash
    return end


@kernel
def _text_is_utf8(buf, start, end):
    """Return 2 for ASCII, 1 for UTF-8, also damaged, as ``encodings`` tells it, else 0.

    ASCII with escapes (ISO 2022) or zero bytes (UTF-16) gives 0 as well.
    """
    above, odd = 0, 0
    for at in range(start, end):
        above += buf[at] >> 7
        odd += (buf[at] == 27) | (buf[at] == 0)
    if odd > 0:
        return 0
    if above == 0:
        return 2
    whole, long = 0, 0
    at = start
    while at < end:
        c = buf[at]
        length = 1
        if 0xC2 <= c <= 0xDF:
            length = 2
        elif 0xE0 <= c <= 0xEF:
            length = 3
        elif 0xF0 <= c <= 0xF4:
            length = 4
        if length > 1 and at + length <= end:
            good = True
            for k in range(1, length):
                good = good and (buf[at + k] & 0xC0) == 0x80
            if good:
                whole += length
                long += length if length > 2 else 0
                at += length
                continue
        at += 1
    return 1 if whole == above or 2 * long > above else 0


@kernel
def _says_utf8(buf, start, end):
    """Tell whether a value is UTF-8 or UTF8, in any case."""
    length = end - start
    if length != 4 and length != 5:
        return False
    ok = (buf[start] | 32) == 117 and (buf[start + 1] | 32) == 116 and (buf[start + 2] | 32) == 102
    if length == 5:
        ok = ok and buf[start + 3] == 45
    return ok and buf[end - 1] == 56


@kernel
def _says_fox(buf, start, end):
    """Tell whether a value of AP starts with foxwq."""
    return (
        end - start >= 5
        and buf[start] == 102
        and buf[start + 1] == 111
        and buf[start + 2] == 120
        and buf[start + 3] == 119
        and buf[start + 4] == 113
    )


@kernel
def _number(buf, start, end):
    """Return the number of one or two digits, -1 for anything else."""
    if end - start == 1 and 48 <= buf[start] <= 57:
        return buf[start] - 48
    if end - start == 2 and 48 <= buf[start] <= 57 and 48 <= buf[start + 1] <= 57:
        return (buf[start] - 48) * 10 + buf[start + 1] - 48
    return -1


@inlined
def _point(buf, start, end, size):
    """Return the point of two letters, size * size for a pass, -1 for anything else."""
    if end == start:
        return size * size
    if end - start != 2:
        return -1
    column = np.int64(buf[start]) - 97
    row = np.int64(buf[start + 1]) - 97
    if 0 <= column < size and 0 <= row < size:
        return row * size + column
    if column == 19 and row == 19 and size <= 19:
        return size * size
    return -1


@kernel
def _rest_is_plain(buf, at, end, depth):
    """Tell whether the open parentheses close and nothing but white space follows."""
    while at < end and depth > 0:
        c = buf[at]
        if c == 91:  # [
            at = _value_end(buf, at + 1, end)
            if at >= end:
                return False
        elif c == 40:  # (
            depth += 1
        elif c == 41:  # )
            depth -= 1
        at += 1
    return depth == 0 and _next(buf, at, end) == end


@inlined
def _add_move(buf, value, close, color, moves, colors, at_move, info):
    """Keep a move; return False where the plain reader must look."""
    if info[SIZE] == 0:
        info[SIZE] = USUAL_SIZE
    move = _point(buf, value, close, info[SIZE])
    at = at_move + info[N_MOVES]
    if move < 0 or at >= moves.size:
        return False
    moves[at] = move
    colors[at] = color
    info[N_MOVES] += 1
    return True


@kernel
def _add_stone(buf, value, close, color, ply, setup, at_setup, info):
    """Keep a set-up stone; return False where the plain reader must look."""
    if info[SIZE] == 0:
        info[SIZE] = USUAL_SIZE
    size = info[SIZE]
    point = _point(buf, value, close, size)
    at = at_setup + info[N_SETUP]
    if (
        point < 0
        or point == size * size
        or at >= setup.shape[0]
        or ply > _LARGEST_PLY
        or info[N_SETUP] >= _MOST_SETUP
    ):
        return False
    setup[at, 0], setup[at, 1], setup[at, 2] = ply, color, point
    info[N_SETUP] += 1
    return True


@kernel
def _set_size(buf, value, close, is_first, info):
    """Keep the size; return False for sizes beyond 25, junk, and a size after stones."""
    number = _number(buf, value, close)
    if not is_first or not 1 <= number <= 25 or (info[SIZE] != 0 and info[SIZE] != number):
        return False
    info[SIZE] = number
    return True


@kernel
def _note_fact(buf, value, close, meaning, is_first, text, info):
    """Keep the place of a text; return False where the plain reader must look."""
    if meaning == _GM:
        return close - value == 1 and buf[value] == 49
    if meaning == _CA:
        return text == 2 or _says_utf8(buf, value, close)
    if meaning == _TC or meaning == _TT:
        info[SIGNS] |= 2 if meaning == _TC else 4
        return True
    if meaning == _AP and _says_fox(buf, value, close):
        info[SIGNS] |= 1
    if is_first and info[TEXTS + 2 * meaning] < 0:
        info[TEXTS + 2 * meaning] = value
        info[TEXTS + 2 * meaning + 1] = close
    return True


@inlined
def _name_meaning(buf, at, length):
    """Return what the name of ``length`` capitals at ``at`` means, -1 for one to be skipped."""
    if length == 1:
        return _BLACK if buf[at] == 66 else (_WHITE if buf[at] == 87 else -1)
    if length == 2:
        return np.int64(_MEANING[(np.int64(buf[at]) - 65) * 26 + np.int64(buf[at + 1]) - 65])
    return -1


@inlined
def _read_property(buf, at, end, text, ply, moves, colors, at_move, setup, at_setup, info):
    """Read a property whose name starts at ``at``; return where the next begins, -1: hand over."""
    name = at
    while at < end and 65 <= buf[at] <= 90:
        at += 1
    length = at - name
    at = _next(buf, at, end)
    if length == 0 or at >= end or buf[at] != 91:
        return -1
    meaning = _name_meaning(buf, name, length)
    is_first = True
    while at < end and buf[at] == 91:
        value = at + 1
        close = _value_end(buf, value, end)
        if close >= end:
            return -1
        fine = True
        if meaning >= _BLACK:
            fine = _add_move(buf, value, close, meaning - _BLACK + 1, moves, colors, at_move, info)
        elif meaning >= _AE:
            fine = _add_stone(buf, value, close, meaning - _AE, ply, setup, at_setup, info)
        elif meaning == _SZ:
            fine = _set_size(buf, value, close, is_first, info)
        elif meaning >= 0:
            fine = _note_fact(buf, value, close, meaning, is_first, text, info)
        if not fine:
            return -1
        is_first = False
        at = _next(buf, close + 1, end)
    return at


@kernel
def scan_main_line(buf, start, end, moves, colors, at_move, setup, at_setup, info):
    """Read the main line of the file in ``buf[start:end]``.

    Args:
        buf: uint8, one file or several behind each other.
        moves, colors: int16 and uint8, filled from ``at_move``: move index (size * size for a
            pass) and colour.
        setup: int16 (n, 3), filled from ``at_setup``: ply, colour (0 clears), move index.
        info: int64 (INFO_LENGTH,), overwritten; places are indices into ``buf``.

    Returns:
        OK, or HAND_OVER: the plain reader must read this file, and nothing that was filled counts.
    """
    info[:TEXTS] = 0
    info[TEXTS:] = -1
    text = _text_is_utf8(buf, start, end)
    at = _next(buf, start, end)
    if text == 0 or at >= end or buf[at] != 40:
        return HAND_OVER
    at = _next(buf, at + 1, end)
    if at >= end or buf[at] != 59:
        return HAND_OVER
    info[ROOT] = at - start
    depth, ply, in_node, node = 1, 0, False, 0
    while True:
        at = _next(buf, at, end)
        if at >= end:
            return HAND_OVER
        c = buf[at]
        if c == 59:  # ;
            in_node = True
            ply = info[N_MOVES]
            node += 1
            at += 1
        elif c == 40:  # (
            depth += 1
            in_node = False
            at += 1
        elif not in_node:
            return HAND_OVER
        elif c == 41:  # ) ends the main line
            plain = info[N_MOVES] > 0 and _rest_is_plain(buf, at + 1, end, depth - 1)
            return OK if plain else HAND_OVER
        else:
            stones = info[N_SETUP]
            at = _read_property(
                buf, at, end, text, ply, moves, colors, at_move, setup, at_setup, info
            )
            if at < 0:
                return HAND_OVER
            if ply == 0 and node > 1 and info[N_SETUP] > stones:
                info[SIGNS] |= 8


@kernel
def scan_batch(buf, starts, ends, moves, colors, setup, info, codes, move_ends, setup_ends):
    """Read many files that lie in ``buf``; the moves of file i end at ``move_ends[i]``.

    ``info`` is int64 (files, INFO_LENGTH), ``codes`` uint8 (files,), the ends int64 (files,). A
    file that is handed over fills nothing.
    """
    at_move, at_setup = 0, 0
    for i in range(starts.size):
        code = scan_main_line(
            buf, starts[i], ends[i], moves, colors, at_move, setup, at_setup, info[i]
        )
        codes[i] = code
        if code == OK:
            at_move += info[i, N_MOVES]
            at_setup += info[i, N_SETUP]
        move_ends[i] = at_move
        setup_ends[i] = at_setup


def warm() -> None:
    """Compile what this file offers."""
    data = np.frombuffer(b"(;SZ[9];B[ee])", np.uint8)
    one = np.zeros(1, np.int64)
    scan_batch(
        data,
        one,
        one + data.size,
        np.empty(8, np.int16),
        np.empty(8, np.uint8),
        np.empty((8, 3), np.int16),
        np.empty((1, INFO_LENGTH), np.int64),
        np.empty(1, np.uint8),
        np.empty(1, np.int64),
        np.empty(1, np.int64),
    )

# pyright: basic
"""The fast reader: the main line of a plain game, straight from the bytes.

What it does not know (damaged files, long names, rectangles of points, several games, encodings
other than UTF-8, boards that are not square) it hands over to the plain reader in ``games``.
``fast`` is its face in Python.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.sgf.names import INFO_NAMES

OK, HAND_OVER = 0, 1

# A row of ``info``: numbers, then start and end of the raw value of each of INFO_NAMES (-1: none).
N_MOVES, N_SETUP, SIZE, IS_FOX, ROOT = 0, 1, 2, 3, 4
TEXTS = 5
INFO_LENGTH = TEXTS + 2 * len(INFO_NAMES)

_SZ, _GM, _CA, _AB, _AW, _AE = 100, 101, 102, 103, 104, 105
_AP = INFO_NAMES.index("AP")


def _name_table():
    """Return what a two-letter name means: a slot of INFO_NAMES, a code above, -1 for the rest."""
    table = np.full(26 * 26, -1, np.int8)
    wanted = {name: slot for slot, name in enumerate(INFO_NAMES)}
    wanted |= {"SZ": _SZ, "GM": _GM, "CA": _CA, "AB": _AB, "AW": _AW, "AE": _AE}
    for name, meaning in wanted.items():
        table[(ord(name[0]) - 65) * 26 + ord(name[1]) - 65] = meaning
    return table


_MEANING = _name_table()


@kernel
def _is_space(c):
    return c == 32 or (9 <= c <= 13)


@kernel
def _next(buf, at, end):
    """Return the place of the next byte that is no white space, or ``end``."""
    while at < end and _is_space(buf[at]):
        at += 1
    return at


@kernel
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
    """Return 2 for ASCII, 1 where most bytes above 127 form UTF-8, as in ``encodings``, else 0."""
    above = 0
    for at in range(start, end):
        above += buf[at] >> 7
    if above == 0:
        return 2
    whole = 0
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
                at += length
                continue
        at += 1
    return 1 if 2 * whole > above else 0


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


@kernel
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
    info[:] = -1
    info[IS_FOX] = 0
    text = _text_is_utf8(buf, start, end)
    at = _next(buf, start, end)
    if text == 0 or at >= end or buf[at] != 40:
        return HAND_OVER
    at = _next(buf, at + 1, end)
    if at >= end or buf[at] != 59:
        return HAND_OVER
    info[ROOT] = at - start
    depth, n_moves, n_setup, ply, size = 1, 0, 0, 0, 0
    in_node = True
    seen_game = False
    at += 1
    while True:
        at = _next(buf, at, end)
        if at >= end:
            return HAND_OVER
        c = buf[at]
        if c == 59:  # ;
            in_node = True
            ply = n_moves
            at += 1
            continue
        if c == 40:  # (
            depth += 1
            in_node = False
            at += 1
            continue
        if c == 41:  # )
            if not in_node or not _rest_is_plain(buf, at + 1, end, depth - 1):
                return HAND_OVER
            break
        # A name: capital letters alone.
        name_start = at
        while at < end and 65 <= buf[at] <= 90:
            at += 1
        length = at - name_start
        if length == 0 or not in_node:
            return HAND_OVER
        at = _next(buf, at, end)
        if at >= end or buf[at] != 91:
            return HAND_OVER
        meaning = -1
        if length == 2:
            meaning = _MEANING[
                (np.int64(buf[name_start]) - 65) * 26 + np.int64(buf[name_start + 1]) - 65
            ]
        color = 0
        if length == 1:
            color = 1 if buf[name_start] == 66 else (2 if buf[name_start] == 87 else 0)
        first = True
        while at < end and buf[at] == 91:
            value = at + 1
            close = _value_end(buf, value, end)
            if close >= end:
                return HAND_OVER
            if color > 0:
                if size == 0:
                    size = 19
                point = _point(buf, value, close, size)
                if point < 0 or at_move + n_moves >= moves.size:
                    return HAND_OVER
                moves[at_move + n_moves] = point
                colors[at_move + n_moves] = color
                n_moves += 1
            elif meaning >= _AB:
                if size == 0:
                    size = 19
                point = _point(buf, value, close, size)
                if point < 0 or point == size * size or at_setup + n_setup >= setup.shape[0]:
                    return HAND_OVER
                setup[at_setup + n_setup, 0] = ply
                setup[at_setup + n_setup, 1] = 1 if meaning == _AB else (2 if meaning == _AW else 0)
                setup[at_setup + n_setup, 2] = point
                n_setup += 1
            elif meaning >= 0 and not _note_fact(buf, value, close, meaning, first, text, info):
                return HAND_OVER
            if meaning == _SZ:
                number = _number(buf, value, close)
                if not first or number < 1 or number > 25 or (size != 0 and size != number):
                    return HAND_OVER
                size = number
            elif meaning == _GM:
                if seen_game or close - value != 1 or buf[value] != 49:
                    return HAND_OVER
                seen_game = True
            first = False
            at = _next(buf, close + 1, end)
    if n_moves == 0:
        return HAND_OVER
    info[N_MOVES], info[N_SETUP], info[SIZE] = n_moves, n_setup, size
    return OK


@kernel
def _note_fact(buf, value, close, meaning, first, text, info):
    """Keep the place of a text; return False where the plain reader must look."""
    if meaning < _SZ:
        if meaning == _AP and _says_fox(buf, value, close):
            info[IS_FOX] = 1
        if first and info[TEXTS + 2 * meaning] < 0:
            info[TEXTS + 2 * meaning] = value
            info[TEXTS + 2 * meaning + 1] = close
        return True
    return meaning != _CA or text == 2 or _says_utf8(buf, value, close)


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

# pyright: basic
"""Everything that is checked about one move, as one row of numbers; ``facts`` gives them names.

======================  ==========================================================================
index                   meaning (stones are counted; yes is 1)
======================  ==========================================================================
0 - 4                   the five flags of ``flag_kernels``
CAPTURES_CAUGHT         taken stones that could not have got away in any case
ENTERS_MOUTH            plays into the opponent's tiger's mouth and takes nothing
FILLS_MOUTH             fills an own tiger's mouth without taking, saving or threatening anything
CHAINS_IN_ATARI         opponent chains newly put into atari; 2 and more is a double atari
LADDER_WORKS            opponent stones newly in atari that cannot get away any more
LADDER_BROKEN           opponent stones newly in atari whose extension leaves two liberties, so
                        that a chase would begin, and that get away from it
OWN_CAUGHT              stones of the played chain that a ladder takes after the move
AVERTS                  own stones that a ladder would have taken before, and not after
OWN_EYE                 fills an own eye: EYE or FALSE_EYE
OWN_TERRITORY           fills own territory: a small empty region, or settled points, all one's own
FUTILE                  plays where only the opponent can live, taking and threatening nothing
DOUBLE_ATARI_RISK       leaves the opponent a double atari on the played chain and another
LIBERTIES_AFTER         liberties of the played chain; 0 is suicide
JOINS                   own chains that the stone touches
CUTS                    opponent chains that the stone touches
======================  ==========================================================================

The ladders are those of ``ladder_kernels``: reading is exact within them, and nothing else is read.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    LIBERTIES,
    ROWS,
    STONES,
    STRIDE,
    TO_MOVE,
    chain_liberties,
    copy_into,
    is_pseudo_legal,
    neighbour,
    new_state,
    play,
)
from mariago.tactics.alive_kernels import settled_area
from mariago.tactics.flag_kernels import CAPTURES, FLAGS, GIVES_ATARI, SAVES, move_flags
from mariago.tactics.ladder_kernels import (
    caught_in_atari,
    has_working_move,
    joined_liberties,
    ladder_workspace,
    only_liberty,
)
from mariago.tactics.ladder_map_kernels import mark_caught
from mariago.tactics.shape_kernels import eye_at, is_tigers_mouth, mark_regions

CAPTURES_CAUGHT = 5
ENTERS_MOUTH, FILLS_MOUTH = 6, 7
CHAINS_IN_ATARI, LADDER_WORKS, LADDER_BROKEN = 8, 9, 10
OWN_CAUGHT, AVERTS = 11, 12
OWN_EYE, OWN_TERRITORY, FUTILE = 13, 14, 15
DOUBLE_ATARI_RISK = 16
LIBERTIES_AFTER, JOINS, CUTS = 17, 18, 19
FACTS = 20

TERRITORY_SHARE = 6  # a region of up to 1/6 of the board that one colour surrounds is its territory
FUTILE_POINTS = 12  # in a region of the opponent's this small nothing lives


@kernel
def survey(s, suicide, work, caught, touches, sizes, settled):
    """Fill what ``read_facts`` needs of the whole board; all by padded point.

    ``caught`` uint8 (stones a ladder takes), ``touches`` uint8 and ``sizes`` int16 (empty regions),
    ``settled`` uint8 (owner of what is settled beyond doubt).
    """
    mark_caught(s, work, caught)
    mark_regions(s, touches, sizes)
    settled_area(s, suicide, settled)


@kernel
def _new_ataris(s, after, p, work, out):
    """Read the opponent chains that the move at ``p`` has newly put into atari."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    other = 3 - s[TO_MOVE]
    seen = np.empty(4, np.int64)
    scratch = np.empty(8, np.int64)
    n = 0
    for side in range(4):
        q = neighbour(p, side, stride)
        if s[HEADER + q] != other or after[HEADER + q] != other:
            continue
        head = np.int64(s[HEADER + HEAD * area + q])
        known = s[HEADER + LIBERTIES * area + head] != 2
        for i in range(n):
            if seen[i] == head:
                known = True
        if known:
            continue
        seen[n] = head
        n += 1
        stones = s[HEADER + STONES * area + head]
        if caught_in_atari(after, q, work):
            out[LADDER_WORKS] += stones
        else:
            e = only_liberty(after, q, area, stride)
            if joined_liberties(after, e, other, scratch, area, stride) == 2:
                out[LADDER_BROKEN] += stones
    out[CHAINS_IN_ATARI] = n


@kernel
def _count_neighbours(s, p, caught, out):
    """Count the chains that the stone touches, and the taken stones that were lost in any case.

    Return the own stones beside it, in chains of two liberties, that a ladder would take.
    """
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    seen = np.empty(4, np.int64)
    n = 0
    threatened = 0
    for side in range(4):
        q = neighbour(p, side, stride)
        color = s[HEADER + q]
        if color != own and color != 3 - own:
            continue
        head = np.int64(s[HEADER + HEAD * area + q])
        known = False
        for i in range(n):
            if seen[i] == head:
                known = True
        if known:
            continue
        seen[n] = head
        n += 1
        liberties = s[HEADER + LIBERTIES * area + head]
        if color == own:
            out[JOINS] += 1
            if liberties == 2 and caught[head]:
                threatened += s[HEADER + STONES * area + head]
        else:
            out[CUTS] += 1
            if liberties == 1 and caught[head]:
                out[CAPTURES_CAUGHT] += s[HEADER + STONES * area + head]
    return threatened


@kernel
def _double_atari_risk(after, p, scratch):
    """Say whether the opponent, to move, has a double atari on the chain of ``p`` and another.

    The chain has two liberties. At one of them the opponent's stone must be legal, not in atari
    itself, and bring down a second chain of two liberties.
    """
    area = np.int64(after[AREA])
    stride = np.int64(after[STRIDE])
    own = after[HEADER + p]
    head = after[HEADER + HEAD * area + p]
    liberties = np.empty(2, np.int64)
    chain_liberties(after, p, liberties)
    for i in range(2):
        e = liberties[i]
        second = False
        for side in range(4):
            q = neighbour(e, side, stride)
            if after[HEADER + q] == own:
                other = after[HEADER + HEAD * area + q]
                if other != head and after[HEADER + LIBERTIES * area + other] == 2:
                    second = True
        if not second or not is_pseudo_legal(after, e, False):
            continue
        copy_into(scratch, after)
        play(scratch, e)
        if scratch[HEADER + LIBERTIES * area + scratch[HEADER + HEAD * area + e]] >= 2:
            return True
    return False


@kernel
def read_facts(s, p, work, scratch, caught, touches, sizes, settled, flags, out):
    """Write the facts of playing at the legal point ``p`` into ``out`` int32 (FACTS,).

    ``scratch`` is (2, state length) int16, ``flags`` uint16 (5,); the rest comes from ``survey``.
    """
    area = np.int64(s[AREA])
    own = np.int64(s[TO_MOVE])
    after = scratch[0]
    move_flags(s, p, flags)
    for i in range(FACTS):
        out[i] = 0
    for i in range(FLAGS):
        out[i] = flags[i]
    threatened = _count_neighbours(s, p, caught, out)
    copy_into(after, s)
    play(after, p)
    if after[HEADER + p] == EMPTY:
        return  # suicide
    head = after[HEADER + HEAD * area + p]
    liberties = np.int64(after[HEADER + LIBERTIES * area + head])
    out[LIBERTIES_AFTER] = liberties
    if out[GIVES_ATARI] > 0:
        _new_ataris(s, after, p, work, out)
    if liberties == 2:
        if has_working_move(after, p, work):
            out[OWN_CAUGHT] = after[HEADER + STONES * area + head]
        out[DOUBLE_ATARI_RISK] = _double_atari_risk(after, p, scratch[1])
    if liberties >= 2 and out[OWN_CAUGHT] == 0:
        out[AVERTS] = threatened
    quiet = out[CAPTURES] == 0 and out[GIVES_ATARI] == 0
    idle = quiet and out[SAVES] == 0 and out[AVERTS] == 0
    if out[CAPTURES] == 0 and is_tigers_mouth(s, p, 3 - own):
        out[ENTERS_MOUTH] = 1
    if idle and is_tigers_mouth(s, p, own):
        out[FILLS_MOUTH] = 1
    out[OWN_EYE] = eye_at(s, p, own)
    cells = np.int64(s[ROWS]) * np.int64(s[COLUMNS])
    small = sizes[p] * TERRITORY_SHARE <= cells
    if idle and (settled[p] == own or (touches[p] == own and small)):
        out[OWN_TERRITORY] = 1
    if out[CAPTURES] == 0 and settled[p] == 3 - own:
        out[FUTILE] = 1
    if quiet and touches[p] == 3 - own and sizes[p] <= FUTILE_POINTS and small:
        out[FUTILE] = 1


def facts_at(state, point, suicide):
    """Return the facts of one move, int32 (FACTS,): ``survey``, then ``read_facts``."""
    area = int(state[AREA])
    work = ladder_workspace(int(state[ROWS]), int(state[COLUMNS]))
    caught, touches, settled = np.empty((3, area), np.uint8)
    sizes = np.empty(area, np.int16)
    survey(state, suicide, work, caught, touches, sizes, settled)
    scratch = np.empty((2, state.shape[0]), np.int16)
    flags = np.empty(FLAGS, np.uint16)
    out = np.zeros(FACTS, np.int32)
    read_facts(state, point, work, scratch, caught, touches, sizes, settled, flags, out)
    return out


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    facts_at(new_state(3, 3), 5, False)

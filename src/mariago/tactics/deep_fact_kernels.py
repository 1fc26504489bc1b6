# pyright: basic
"""What costs too much to be asked of every legal move: links, sacrifices, ladders far away, nets.

``fact_kernels`` reads what the rule-based player asks of every move. Here the row goes on, for the
one move that was played or is explained:

======================  ==========================================================================
index                   meaning (stones are counted unless it says else; yes is 1)
======================  ==========================================================================
0 - 19                  the row of ``fact_kernels``; a pass has LIBERTIES_AFTER -1; OWN_TERRITORY
                        and FUTILE are told of settled points alone; and AVERTS
                        counts the own stones up to three lines away as well, none of them in atari
SAVES_BY_CAPTURE        of the own stones saved from atari, those beside stones that are taken
SAVES_BY_EXTENDING      the others, be it by extending or by connecting
SAVES_BY_CONNECTING     of these, the stones that the move joins to another own chain
CONNECTS                own chains that become one, 2 and more
COULD_BE_CUT            of these, chains that the opponent could have parted by playing here
CUTS_APART              opponent chains parted from one another, which a stone of theirs here joins
MOUTHS_MADE             points that become tiger's mouths of one's own
SNAPBACK                opponent stones that a snapback takes
CONNECT_AND_DIE         opponent stones that fall even after connecting
THROW_IN                a stone thrown in
TAKES_KO                takes a stone that may not be taken back at once
FILLS_KO                fills the point where the opponent could have taken a ko
OFFERS_KO               is left in atari, and the opponent takes it as a ko
NAKADE                  points of the opponent's eye whose vital point it is, unless it is settled
LADDER_BREAKER          own stones four lines away or more that a ladder took, and takes no longer
LADDER_MADE             opponent stones elsewhere that a ladder takes now, and did not before
LADDER_LOST             opponent stones elsewhere that a ladder took, and takes no longer
EXPOSED                 own stones elsewhere that a ladder takes now, and did not before
NET                     opponent stones, not touched, that cannot get away any more, and could
                        before
CLOSED_IN               the same for chains that the move touches, and that are not in atari, and
                        for all that a move on the first line catches so
SENSIBLE                the stones left in atari are so for a reason that was checked
SHAPES                  the bit of ``move_shape_kernels`` that tells most
CHASED                  opponent stones of a chase that begins and does not work: LADDER_BROKEN
                        where ``chase_kernels`` finds a chase
======================  ==========================================================================

*Elsewhere* is a chain that the move does not touch and whose neighbours it does not take. The
ladders before and after are read as the board stands: a chain in atari with its owner to move, one
of two liberties with the attacker.
"""

import numpy as np

from mariago.board.jit import kernel
from mariago.board.kernels import (
    AREA,
    BORDER,
    COLUMNS,
    EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    NEXT,
    ROWS,
    STONES,
    STRIDE,
    TO_MOVE,
    copy_into,
    neighbour,
    new_state,
    play,
    state_length,
)
from mariago.tactics import fact_kernels as fact
from mariago.tactics.chase_kernels import chased_stones
from mariago.tactics.flag_kernels import (
    CAPTURES,
    FLAGS,
    GIVES_ATARI,
    IN_ATARI,
    SAVES,
    SELF_ATARI,
    move_flags,
)
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.ladder_map_kernels import mark_caught
from mariago.tactics.link_kernels import (
    chains_beside,
    could_be_parted,
    may_play,
    parted_chains,
)
from mariago.tactics.move_shape_kernels import EMPTY_TRIANGLE, HANE, most_telling, move_shapes
from mariago.tactics.net_kernels import net_workspace, read_nets
from mariago.tactics.sacrifice_kernels import (
    OFFERS,
    SNAPS,
    THROWS,
    connected_and_taken,
    makes_ko_of,
    read_thrown,
    vital_eye_points,
)
from mariago.tactics.shape_kernels import is_tigers_mouth

SAVES_BY_CAPTURE, CONNECTS, COULD_BE_CUT, CUTS_APART, MOUTHS_MADE = range(20, 25)
SNAPBACK, CONNECT_AND_DIE, THROW_IN = 25, 26, 27
TAKES_KO, FILLS_KO, OFFERS_KO, NAKADE = 28, 29, 30, 31
LADDER_BREAKER, LADDER_MADE, LADDER_LOST, EXPOSED = 32, 33, 34, 35
NET, CLOSED_IN, SENSIBLE, SAVES_BY_EXTENDING, SHAPES = 36, 37, 38, 39, 40
CHASED, SAVES_BY_CONNECTING = 41, 42
DEEP_FACTS = 43

FAR = 4  # lines from which a stone that spoils a ladder is called a ladder breaker


@kernel
def deep_workspace(rows, columns):
    """Return scratch for ``read_deep_facts`` on boards of one size."""
    area = (rows + 2) * (columns + 1) + 1
    return (
        ladder_workspace(rows, columns),
        np.empty((4, state_length(rows, columns)), np.int16),
        np.empty((6, area), np.uint8),  # as in read_deep_facts
        np.empty(area, np.int16),
        np.empty(FLAGS, np.uint16),
        net_workspace(rows, columns),
    )


@kernel
def _touched(s, after, p, head):
    """Say whether the move at ``p`` touches a chain of ``s``, or takes a stone beside it."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    q = np.int64(head)
    while True:
        for side in range(4):
            t = neighbour(q, side, stride)
            if t == p:
                return True
            if s[HEADER + t] != EMPTY and after[HEADER + t] == EMPTY:
                return True
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == head:
            return False


@kernel
def _lines_to(s, p, head):
    """Return the lines from ``p`` to the nearest stone of a chain; a diagonal step is one line."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    nearest = stride + area
    q = np.int64(head)
    while True:
        away = max(abs(q // stride - p // stride), abs(q % stride - p % stride))
        nearest = min(nearest, away)
        q = np.int64(s[HEADER + NEXT * area + q])
        if q == head:
            return nearest


@kernel
def _ladders_elsewhere(s, after, p, caught, caught_after, netted, out):
    """Compare the ladders before and after for the chains of both colours that lie elsewhere.

    A chain that the move nets is told of as netted alone.
    """
    area = np.int64(s[AREA])
    own = s[TO_MOVE]
    for head in range(area):
        color = s[HEADER + head]
        if color == EMPTY or color == BORDER or s[HEADER + HEAD * area + head] != head:
            continue
        if caught[head] == caught_after[head] or after[HEADER + head] != color:
            continue
        if s[HEADER + LIBERTIES * area + head] > 2 or _touched(s, after, p, head):
            continue
        stones = s[HEADER + STONES * area + head]
        if color == own and caught[head]:
            if _lines_to(s, p, head) >= FAR:
                out[LADDER_BREAKER] += stones
            elif after[HEADER + LIBERTIES * area + head] > 1:  # else it is taken at once
                out[fact.AVERTS] += stones
        elif color == own:
            out[EXPOSED] += stones
        elif caught[head]:
            out[LADDER_LOST] += stones
        elif not netted[head]:
            out[LADDER_MADE] += stones


@kernel
def _saved_by_capture(s, after):
    """Count the own stones in atari that live on because stones beside them are taken."""
    area = np.int64(s[AREA])
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    total = 0
    for head in range(area):
        if s[HEADER + head] != own or s[HEADER + HEAD * area + head] != head:
            continue
        if s[HEADER + LIBERTIES * area + head] != 1:
            continue
        if after[HEADER + LIBERTIES * area + after[HEADER + HEAD * area + head]] < 2:
            continue
        q = np.int64(head)
        freed = False
        while not freed:
            for side in range(4):
                t = neighbour(q, side, stride)
                freed |= s[HEADER + t] == 3 - own and after[HEADER + t] == EMPTY
            q = np.int64(s[HEADER + NEXT * area + q])
            if q == head:
                break
        if freed:
            total += s[HEADER + STONES * area + head]
    return total


@kernel
def _mouths_made(s, after, p):
    """Count the points beside ``p`` that are own tiger's mouths after the move, and not before."""
    stride = np.int64(s[STRIDE])
    own = s[TO_MOVE]
    total = 0
    for side in range(4):
        q = neighbour(p, side, stride)
        if after[HEADER + q] != EMPTY or not is_tigers_mouth(after, q, own):
            continue
        total += s[HEADER + q] != EMPTY or not is_tigers_mouth(s, q, own)
    return total


@kernel
def _links(s, after, p, scratch, work, out):
    """Read what the move connects and cuts."""
    own = np.int64(s[TO_MOVE])
    heads = np.empty(4, np.int64)
    n = chains_beside(s, p, own, heads)
    if n >= 2:
        out[CONNECTS] = n
        out[COULD_BE_CUT] = could_be_parted(s, p, heads, n, scratch, work)
    n = chains_beside(after, p, 3 - own, heads)
    if n >= 2 and may_play(s, p, 3 - own):
        out[CUTS_APART] = parted_chains(after, p, heads, n, work)


@kernel
def _sacrifices(s, after, p, unsettled, states, work, out):
    """Read kos, stones given up, and what is played inside an eye."""
    own = np.int64(s[TO_MOVE])
    thrown = np.empty(3, np.int64)
    if out[fact.LIBERTIES_AFTER] == 1:
        read_thrown(s, after, p, out[CAPTURES], states[2], work, thrown)
        out[SNAPBACK] = thrown[SNAPS]
        out[THROW_IN] = thrown[THROWS]
        if after[KO] == 0:
            out[OFFERS_KO] = thrown[OFFERS]
    if out[fact.CHAINS_IN_ATARI] > 0:
        out[CONNECT_AND_DIE] = connected_and_taken(after, p, states[2], work)
    out[TAKES_KO] = after[KO] != 0
    if after[KO] == 0 and out[fact.LIBERTIES_AFTER] > 1:
        out[FILLS_KO] = makes_ko_of(s, p, 3 - own, states[2])
    if unsettled:
        out[NAKADE] = vital_eye_points(s, p, 3 - own)
    if out[SELF_ATARI] > 0:
        reasons = out[SNAPBACK] + out[THROW_IN] + out[OFFERS_KO] + out[NAKADE]
        out[SENSIBLE] = reasons + out[CONNECT_AND_DIE] + out[fact.LADDER_WORKS] > 0


@kernel
def _only_settled(owner, own, out):
    """Take back what is said of a point's worth where it is not settled beyond doubt.

    A region that is merely surrounded may hold an eye that its owner has yet to make, or the point
    that kills him.
    """
    if owner != own:
        out[fact.OWN_TERRITORY] = 0
    if owner != 3 - own:
        out[fact.FUTILE] = 0


@kernel
def _nets(s, after, p, netted, space, work, out):
    """Read nets, and mark the heads of the chains netted.

    No net is told of a move that gives atari, takes, fills a ko or connects: there the stones fall
    for another reason, which is told. A move on the first line nets nothing either, it shuts in.
    """
    rows, columns, stride = np.int64(s[ROWS]), np.int64(s[COLUMNS]), np.int64(s[STRIDE])
    row, column = p // stride, p % stride
    nets = np.empty(2, np.int64)
    netted[:] = 0
    read_nets(s, after, p, space, work, netted, nets)
    out[NET], out[CLOSED_IN] = nets[0], nets[1]
    other_reason = out[GIVES_ATARI] + out[CAPTURES] + out[FILLS_KO] + out[CONNECTS]
    if other_reason > 0:
        out[NET] = 0
        netted[:] = 0
    elif row == 1 or column == 1 or row == rows or column == columns:
        out[CLOSED_IN] += out[NET]
        out[NET] = 0


@kernel
def _told_shape(s, p, out):
    """Return the bit of the shape that tells most of the move, 0 where none does."""
    if out[CAPTURES] + out[FILLS_KO] + out[fact.OWN_EYE] > 0:
        return 0
    bits = move_shapes(s, p)
    if out[fact.LIBERTIES_AFTER] == 1:
        bits &= 1 << HANE
    if out[fact.JOINS] > 1 or out[SAVES] > 0 or out[fact.AVERTS] > 0:
        bits &= ~(1 << EMPTY_TRIANGLE)
    return most_telling(bits)


@kernel
def read_deep_facts(s, p, suicide, space, out):
    """Write all facts of the side to move playing at the legal point ``p`` (-1: pass) to ``out``.

    ``out`` is int32 (DEEP_FACTS,), ``space`` comes from ``deep_workspace``.
    """
    work, states, marks, sizes, flags, net_space = space
    caught, touches, settled, caught_after = marks[0], marks[1], marks[2], marks[3]
    netted = marks[5]
    out[:] = 0
    if p < 0:
        move_flags(s, p, flags)
        out[IN_ATARI] = flags[IN_ATARI]
        out[fact.LIBERTIES_AFTER] = -1
        return
    fact.survey(s, suicide, work, caught, touches, sizes, settled)
    fact.read_facts(s, p, work, states[:2], caught, touches, sizes, settled, flags, out)
    after = states[3]
    copy_into(after, s)
    play(after, p)
    if after[HEADER + p] == EMPTY:
        return  # suicide
    if out[CAPTURES] > 0 and out[IN_ATARI] > 0:
        out[SAVES_BY_CAPTURE] = _saved_by_capture(s, after)
    out[SAVES_BY_EXTENDING] = out[SAVES] - out[SAVES_BY_CAPTURE]
    if out[fact.JOINS] >= 2:
        out[SAVES_BY_CONNECTING] = out[SAVES_BY_EXTENDING]
    if out[fact.LADDER_BROKEN] > 0:
        out[CHASED] = chased_stones(s, after, p, states[2], states[0], work)
    out[MOUTHS_MADE] = _mouths_made(s, after, p)
    _links(s, after, p, states[2], work, out)
    _only_settled(settled[p], np.int64(s[TO_MOVE]), out)
    _sacrifices(s, after, p, settled[p] == EMPTY, states, work, out)
    _nets(s, after, p, netted, net_space, work, out)
    mark_caught(after, work, caught_after)
    _ladders_elsewhere(s, after, p, caught, caught_after, netted, out)
    out[SHAPES] = _told_shape(s, p, out)


def deep_facts_at(state, point, suicide):
    """Return all facts of one move, int32 (DEEP_FACTS,)."""
    space = deep_workspace(int(state[0]), int(state[1]))
    out = np.zeros(DEEP_FACTS, np.int32)
    read_deep_facts(state, point, suicide, space, out)
    return out


def warm():
    """Compile the kernels of this file, or load them from the cache."""
    deep_facts_at(new_state(3, 3), 5, False)

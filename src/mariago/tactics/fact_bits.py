"""The facts of a move as bits of one number; ``fact_names`` gives the bits their names."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.tactics import deep_fact_kernels as deep
from mariago.tactics import fact_kernels as fact
from mariago.tactics import move_shape_kernels as shape
from mariago.tactics import opening_shape_kernels as opening
from mariago.tactics.fact_names import FACT_NAMES
from mariago.tactics.flag_kernels import CAPTURES, GIVES_ATARI, SELF_ATARI
from mariago.tactics.shape_kernels import EYE, FALSE_EYE

__all__ = ["fact_bits"]

_MOST = 2**31 - 1

# A fact holds where ``least <= row[column] <= most``: (column, least, most).
_COLUMNS: dict[str, tuple[int, int, int]] = {
    "captures": (CAPTURES, 1, _MOST),
    "saves_by_extending": (deep.SAVES_BY_EXTENDING, 1, _MOST),
    "saves_by_capturing": (deep.SAVES_BY_CAPTURE, 1, _MOST),
    "gives_atari": (GIVES_ATARI, 1, _MOST),
    "double_atari": (fact.CHAINS_IN_ATARI, 2, _MOST),
    "self_atari": (SELF_ATARI, 1, _MOST),
    "sensible_self_atari": (deep.SENSIBLE, 1, _MOST),
    "working_ladder": (fact.LADDER_WORKS, 1, _MOST),
    "broken_ladder": (deep.CHASED, 1, _MOST),
    "averts_ladder": (fact.AVERTS, 1, _MOST),
    "own_caught": (fact.OWN_CAUGHT, 1, _MOST),
    "ladder_breaker": (deep.LADDER_BREAKER, 1, _MOST),
    "ladder_made": (deep.LADDER_MADE, 1, _MOST),
    "ladder_lost": (deep.LADDER_LOST, 1, _MOST),
    "exposed": (deep.EXPOSED, 1, _MOST),
    "net": (deep.NET, 1, _MOST),
    "closed_in": (deep.CLOSED_IN, 1, _MOST),
    "snapback": (deep.SNAPBACK, 1, _MOST),
    "connect_and_die": (deep.CONNECT_AND_DIE, 1, _MOST),
    "throw_in": (deep.THROW_IN, 1, _MOST),
    "takes_ko": (deep.TAKES_KO, 1, _MOST),
    "fills_ko": (deep.FILLS_KO, 1, _MOST),
    "offers_ko": (deep.OFFERS_KO, 1, _MOST),
    "nakade": (deep.NAKADE, 1, _MOST),
    "connects": (deep.CONNECTS, 1, _MOST),
    "solid_connection": (deep.COULD_BE_CUT, 1, _MOST),
    "cuts": (deep.CUTS_APART, 1, _MOST),
    "enters_tigers_mouth": (fact.ENTERS_MOUTH, 1, _MOST),
    "fills_tigers_mouth": (fact.FILLS_MOUTH, 1, _MOST),
    "makes_tigers_mouth": (deep.MOUTHS_MADE, 1, _MOST),
    "fills_own_eye": (fact.OWN_EYE, EYE, EYE),
    "fills_false_eye": (fact.OWN_EYE, FALSE_EYE, FALSE_EYE),
    "fills_own_territory": (fact.OWN_TERRITORY, 1, _MOST),
    "futile": (fact.FUTILE, 1, _MOST),
    "risks_double_atari": (fact.DOUBLE_ATARI_RISK, 1, _MOST),
    "is_suicide": (fact.LIBERTIES_AFTER, 0, 0),
}

_SHAPES: dict[str, int] = {
    "stretch": shape.STRETCH,
    "descent": shape.DESCENT,
    "crawl": shape.CRAWL,
    "block": shape.BLOCK,
    "push": shape.PUSH,
    "hane": shape.HANE,
    "jump": shape.JUMP,
    "two_point_jump": shape.TWO_POINT_JUMP,
    "small_knight": shape.SMALL_KNIGHT,
    "large_knight": shape.LARGE_KNIGHT,
    "diagonal": shape.DIAGONAL,
    "extension": shape.EXTENSION,
    "clamp": shape.CLAMP,
    "bridge_under": shape.BRIDGE_UNDER,
    "empty_triangle": shape.EMPTY_TRIANGLE,
    "attachment": shape.ATTACHMENT,
    "four_four": opening.FOUR_FOUR,
    "three_three": opening.THREE_THREE,
    "three_four": opening.THREE_FOUR,
    "three_five": opening.THREE_FIVE,
    "four_five": opening.FOUR_FIVE,
    "center_point": opening.CENTER_POINT,
    "side_star": opening.SIDE_STAR,
    "approach": opening.APPROACH,
    "enclosure": opening.ENCLOSURE,
    "three_three_invasion": opening.THREE_THREE_INVASION,
}


def fact_bits(rows: "npt.NDArray[np.int32]") -> "npt.NDArray[np.uint64]":
    """Return the facts (R,) uint64 of rows (R, DEEP_FACTS) as ``read_deep_facts`` writes them."""
    bits = np.zeros(len(rows), np.uint64)
    shapes = rows[:, deep.SHAPES].astype(np.uint64)
    for at, name in enumerate(FACT_NAMES):
        if name in _SHAPES:
            holds: npt.NDArray[Any] = shapes >> np.uint64(_SHAPES[name]) & np.uint64(1)
        else:
            column, least, most = _COLUMNS[name]
            holds = (rows[:, column] >= least) & (rows[:, column] <= most)
        bits |= holds.astype(np.uint64) << np.uint64(at)
    return bits

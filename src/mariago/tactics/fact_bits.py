"""The facts of a move as bits of one number: the one table that samples, filters and docs share.

The order is that of the bits and only grows at its end: stored data sets hold these numbers.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mariago.tactics import deep_fact_kernels as deep
from mariago.tactics import fact_kernels as fact
from mariago.tactics import move_shape_kernels as shape
from mariago.tactics import opening_shape_kernels as opening
from mariago.tactics.flag_kernels import CAPTURES, GIVES_ATARI, SELF_ATARI
from mariago.tactics.shape_kernels import EYE, FALSE_EYE

__all__ = ["FACTS_IN_WORDS", "FACT_NAMES", "SHAPE_NAMES", "fact_bits", "facts_of_bits"]

_MOST = 2**31 - 1


class _Kind(NamedTuple):
    """A fact holds where ``least <= row[column] <= most``; ``words`` have translations."""

    words: str
    column: int
    least: int = 1
    most: int = _MOST


_CHECKED: dict[str, _Kind] = {
    "captures": _Kind("takes stones", CAPTURES),
    "saves_by_extending": _Kind("saves from atari by extending", deep.SAVES_BY_EXTENDING),
    "saves_by_capturing": _Kind("saves from atari by capturing", deep.SAVES_BY_CAPTURE),
    "gives_atari": _Kind("gives atari", GIVES_ATARI),
    "double_atari": _Kind("double atari on two chains", fact.CHAINS_IN_ATARI, 2),
    "self_atari": _Kind("moves into atari", SELF_ATARI),
    "sensible_self_atari": _Kind("moves into atari for a reason", deep.SENSIBLE),
    "working_ladder": _Kind("atari that cannot be escaped", fact.LADDER_WORKS),
    "broken_ladder": _Kind("ladder that does not work", fact.LADDER_BROKEN),
    "averts_ladder": _Kind("saves from a ladder", fact.AVERTS),
    "own_caught": _Kind("stands in a ladder", fact.OWN_CAUGHT),
    "ladder_breaker": _Kind("ladder breaker far off", deep.LADDER_BREAKER),
    "ladder_made": _Kind("makes a ladder work elsewhere", deep.LADDER_MADE),
    "ladder_lost": _Kind("gives up a ladder elsewhere", deep.LADDER_LOST),
    "exposed": _Kind("lets a ladder work elsewhere", deep.EXPOSED),
    "net": _Kind("net that closes", deep.NET),
    "closed_in": _Kind("shuts in without atari", deep.CLOSED_IN),
    "snapback": _Kind("snapback that works", deep.SNAPBACK),
    "connect_and_die": _Kind("connect-and-die that works", deep.CONNECT_AND_DIE),
    "throw_in": _Kind("throw-in", deep.THROW_IN),
    "takes_ko": _Kind("takes a ko", deep.TAKES_KO),
    "fills_ko": _Kind("fills a ko", deep.FILLS_KO),
    "offers_ko": _Kind("offers a ko", deep.OFFERS_KO),
    "nakade": _Kind("vital point of an eye", deep.NAKADE),
    "connects": _Kind("connects chains", deep.CONNECTS),
    "solid_connection": _Kind("connects what could be cut", deep.COULD_BE_CUT),
    "cuts": _Kind("cuts chains apart", deep.CUTS_APART),
    "enters_tigers_mouth": _Kind("enters a tiger's mouth", fact.ENTERS_MOUTH),
    "fills_tigers_mouth": _Kind("fills an own tiger's mouth", fact.FILLS_MOUTH),
    "makes_tigers_mouth": _Kind("makes a tiger's mouth", deep.MOUTHS_MADE),
    "fills_own_eye": _Kind("fills an own eye", fact.OWN_EYE, EYE, EYE),
    "fills_false_eye": _Kind("fills an own false eye", fact.OWN_EYE, FALSE_EYE, FALSE_EYE),
    "fills_own_territory": _Kind("fills own territory", fact.OWN_TERRITORY),
    "futile": _Kind("where only the opponent can live", fact.FUTILE),
    "risks_double_atari": _Kind("allows a double atari", fact.DOUBLE_ATARI_RISK),
    "is_suicide": _Kind("suicide of own stones", fact.LIBERTIES_AFTER, 0, 0),
}

_SHAPES: dict[str, tuple[str, int]] = {
    "stretch": ("straight stretch", shape.STRETCH),
    "descent": ("descent to the edge", shape.DESCENT),
    "crawl": ("crawl along the edge", shape.CRAWL),
    "block": ("block in front", shape.BLOCK),
    "push": ("push through a gap", shape.PUSH),
    "hane": ("hane round a stone", shape.HANE),
    "jump": ("one-point jump", shape.JUMP),
    "two_point_jump": ("two-point jump", shape.TWO_POINT_JUMP),
    "small_knight": ("small knight's move", shape.SMALL_KNIGHT),
    "large_knight": ("large knight's move", shape.LARGE_KNIGHT),
    "diagonal": ("diagonal move", shape.DIAGONAL),
    "extension": ("extension along the side", shape.EXTENSION),
    "clamp": ("clamp", shape.CLAMP),
    "bridge_under": ("bridge under the opponent", shape.BRIDGE_UNDER),
    "empty_triangle": ("empty triangle", shape.EMPTY_TRIANGLE),
    "attachment": ("attachment", shape.ATTACHMENT),
    "four_four": ("4-4 point of an empty corner", opening.FOUR_FOUR),
    "three_three": ("3-3 point of an empty corner", opening.THREE_THREE),
    "three_four": ("3-4 point of an empty corner", opening.THREE_FOUR),
    "three_five": ("3-5 point of an empty corner", opening.THREE_FIVE),
    "four_five": ("4-5 point of an empty corner", opening.FOUR_FIVE),
    "center_point": ("middle point of the board", opening.CENTER_POINT),
    "side_star": ("star point of a side", opening.SIDE_STAR),
    "approach": ("approach to a corner stone", opening.APPROACH),
    "enclosure": ("corner enclosure", opening.ENCLOSURE),
    "three_three_invasion": ("3-3 invasion", opening.THREE_THREE_INVASION),
}

FACT_NAMES: tuple[str, ...] = (*_CHECKED, *_SHAPES)
"""The name of each bit."""

SHAPE_NAMES: tuple[str, ...] = tuple(_SHAPES)
"""Those of them that name a shape."""

FACTS_IN_WORDS: dict[str, str] = {
    **{name: kind.words for name, kind in _CHECKED.items()},
    **{name: words for name, (words, _) in _SHAPES.items()},
}
"""Name of a fact -> what it means in few words; the words have translations."""


def fact_bits(rows: "npt.NDArray[np.int32]") -> "npt.NDArray[np.uint64]":
    """Return the facts (R,) uint64 of rows (R, DEEP_FACTS) as ``read_deep_facts`` writes them."""
    bits = np.zeros(len(rows), np.uint64)
    for at, kind in enumerate(_CHECKED.values()):
        held: npt.NDArray[Any] = rows[:, kind.column]
        bits |= ((held >= kind.least) & (held <= kind.most)).astype(np.uint64) << np.uint64(at)
    shapes = rows[:, deep.SHAPES].astype(np.uint64)
    for at, (_, bit) in enumerate(_SHAPES.values(), len(_CHECKED)):
        bits |= (shapes >> np.uint64(bit) & np.uint64(1)) << np.uint64(at)
    return bits


def facts_of_bits(bits: int) -> tuple[str, ...]:
    """Return the names of the facts whose bits are set."""
    return tuple(name for at, name in enumerate(FACT_NAMES) if int(bits) >> at & 1)

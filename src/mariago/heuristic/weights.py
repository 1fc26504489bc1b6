"""The weights of the rule-based player, one table, and its versions."""

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError


@dataclass(frozen=True)
class Weights:
    """What each term of a move adds to its score. A pass scores 0.

    Terms named ``..._stone`` count once a stone. The faults and the ladders carry the reference
    weights of the account this player follows; the rest was set by hand.
    """

    # tactics
    capture: float = 3000.0
    capture_stone: float = 400.0
    capture_caught_stone: float = 160.0  # for stones that could not have got away anyway
    save: float = 3500.0
    save_stone: float = 350.0
    avert: float = 1200.0  # own stones that a ladder would take
    avert_stone: float = 150.0
    self_atari: float = -5000.0
    self_atari_stone: float = -300.0
    own_caught: float = -2500.0  # the played chain falls to a ladder
    own_caught_stone: float = -150.0
    double_atari: float = 1500.0
    working_ladder: float = 2500.0
    working_ladder_stone: float = 80.0
    broken_ladder: float = -2000.0
    # faults
    tigers_mouth_entry: float = -9000.0
    tigers_mouth_fill: float = -2000.0
    futile: float = -14000.0
    own_territory: float = -3500.0
    double_atari_risk: float = -6000.0
    false_eye: float = -1500.0
    # opening, fading out until about move 70 on 19x19
    corner: float = 1500.0  # the 3rd and 4th lines of an empty corner
    approach: float = 500.0  # near a lone opponent stone in a corner
    good_line: float = 260.0  # 3rd and 4th line
    low_line: float = -700.0  # 1st and 2nd line
    far_centre: float = -350.0
    room: float = 60.0  # for every point of distance to the nearest stone, up to five
    # influence
    jump: float = 130.0  # one-point jump from an own stone
    knight: float = 120.0
    extension: float = 110.0  # two-space extension
    frontier: float = 700.0  # where both sides have influence
    overrun: float = -120.0  # where the opponent's outweighs by far
    # contact
    join: float = 90.0  # connects own chains beside an opponent's
    cut: float = 200.0  # stands between opponent chains
    contact: float = 300.0  # touches both colours
    solid: float = -120.0  # touches own stones alone
    short_of_liberties: float = -80.0  # for every liberty under three
    near_last: float = 60.0
    edge: float = -150.0  # 1st line, where nothing is at stake
    boundary: float = 250.0  # between both sides' areas, once the opening is over
    # the first version
    centre: float = 0.0


_ZERO = Weights(**{field.name: 0.0 for field in fields(Weights)})
_FAULTS = (
    "tigers_mouth_entry",
    "tigers_mouth_fill",
    "futile",
    "own_territory",
    "double_atari_risk",
    "own_caught",
    "own_caught_stone",
    "working_ladder",
    "working_ladder_stone",
    "broken_ladder",
)

VERSIONS: dict[str, Weights] = {
    "v1": replace(_ZERO, centre=1000.0),  # piles its stones in the centre
    "v2": replace(Weights(), **dict.fromkeys(_FAULTS, 0.0)),  # before its faults were scored
    "v3": Weights(),
}
LATEST = "v3"


def weights_of(version: str) -> Weights:
    """Return the weights of a version.

    Raises:
        BadInputError: there is no such version.
    """
    known = VERSIONS.get(version or LATEST)
    if known is None:
        raise BadInputError(
            f"{version!r} is no version of the heuristic", hint=f"choose from {', '.join(VERSIONS)}"
        )
    return known


def as_array(weights: Weights) -> "npt.NDArray[np.float32]":
    """Return the weights in the order of ``term_kernels.TERMS``: (terms,) float32."""
    return np.array([getattr(weights, field.name) for field in fields(weights)], np.float32)

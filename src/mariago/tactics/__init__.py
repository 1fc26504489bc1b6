"""What can be checked about a move: liberties, atari, ladders, tiger's mouths, eyes; facts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.tactics.atari_kinds import is_useful_ladder, kind_of_atari
    from mariago.tactics.explained import Explained, explain_move
    from mariago.tactics.eyes import EyeValue, eye_value
    from mariago.tactics.fact_names import FACT_NAMES
    from mariago.tactics.facts import Facts, facts_of_move
    from mariago.tactics.ladders import laddered_stones, reads_as_captured, working_ladder_moves
    from mariago.tactics.life_reading import LifeReading, life
    from mariago.tactics.position_facts import PositionFacts, facts_of_position
    from mariago.tactics.races import Race, Seki
    from mariago.tactics.reading import Reading, attack, defend
    from mariago.tactics.tsumego import ProblemAnswer, solve_problem

_HOMES = {
    "atari_kinds": ("is_useful_ladder", "kind_of_atari"),
    "eyes": ("EyeValue", "eye_value"),
    "explained": ("Explained", "explain_move"),
    "fact_names": ("FACT_NAMES",),
    "facts": ("Facts", "facts_of_move"),
    "ladders": ("laddered_stones", "reads_as_captured", "working_ladder_moves"),
    "life_reading": ("LifeReading", "life"),
    "position_facts": ("PositionFacts", "facts_of_position"),
    "races": ("Race", "Seki"),
    "reading": ("Reading", "attack", "defend"),
    "tsumego": ("ProblemAnswer", "solve_problem"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "FACT_NAMES",
    "Explained",
    "EyeValue",
    "Facts",
    "LifeReading",
    "PositionFacts",
    "ProblemAnswer",
    "Race",
    "Reading",
    "Seki",
    "attack",
    "defend",
    "explain_move",
    "eye_value",
    "facts_of_move",
    "facts_of_position",
    "is_useful_ladder",
    "kind_of_atari",
    "laddered_stones",
    "life",
    "reads_as_captured",
    "solve_problem",
    "working_ladder_moves",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

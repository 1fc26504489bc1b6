"""Rule sets, positions, games, handicap and results."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mariago.rules.game import Game, Player, Setup
    from mariago.rules.handicap import (
        crosswise_start,
        fixed_handicap_points,
        fixed_handicap_start,
        free_handicap_start,
        nigiri,
    )
    from mariago.rules.position import Position
    from mariago.rules.position_view import Played
    from mariago.rules.result import Result
    from mariago.rules.rule_sets import RULE_SETS, RuleSet, rules_of

_HOMES = {
    "Game": "game",
    "Played": "position_view",
    "Player": "game",
    "Position": "position",
    "RULE_SETS": "rule_sets",
    "Result": "result",
    "RuleSet": "rule_sets",
    "Setup": "game",
    "crosswise_start": "handicap",
    "fixed_handicap_points": "handicap",
    "fixed_handicap_start": "handicap",
    "free_handicap_start": "handicap",
    "nigiri": "handicap",
    "rules_of": "rule_sets",
}

__all__ = [  # noqa: RUF022 - the order of reading
    "RULE_SETS",
    "RuleSet",
    "rules_of",
    "Position",
    "Played",
    "Game",
    "Player",
    "Setup",
    "Result",
    "crosswise_start",
    "fixed_handicap_points",
    "fixed_handicap_start",
    "free_handicap_start",
    "nigiri",
]


def __getattr__(name: str) -> Any:
    # Positions load the compiler; rule sets and results do not need it (PEP 562).
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)

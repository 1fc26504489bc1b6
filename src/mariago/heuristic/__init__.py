"""The rule-based player: named terms, their weights, and the versions that were played."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.heuristic.choice import choose, score_moves, terms_of_move
    from mariago.heuristic.versions import LATEST, Weights, groups, version_names, weights_of

_HOMES = {
    "choice": ("choose", "score_moves", "terms_of_move"),
    "versions": ("LATEST", "Weights", "groups", "version_names", "weights_of"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "LATEST",
    "Weights",
    "choose",
    "groups",
    "score_moves",
    "terms_of_move",
    "version_names",
    "weights_of",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

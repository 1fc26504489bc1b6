"""The rule-based player: named terms, their weights, and the versions that were played."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.heuristic.choice import choose, score_moves
    from mariago.heuristic.weights import LATEST, VERSIONS, Weights, weights_of

_HOMES = {
    "choice": ("choose", "score_moves"),
    "weights": ("LATEST", "VERSIONS", "Weights", "weights_of"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["LATEST", "VERSIONS", "Weights", "choose", "score_moves", "weights_of"]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

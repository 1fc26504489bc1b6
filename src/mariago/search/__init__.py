"""Tree search: PUCT and Gumbel roots over any evaluator, in batches, on arrays.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.search.evaluations import Evaluations
    from mariago.search.evaluator import Evaluator, PlaneEvaluator
    from mariago.search.remembered import Remembered
    from mariago.search.result import MoveFound, SearchResult
    from mariago.search.search import Search, search_many
    from mariago.search.settings import SearchSettings

_HOMES = {
    "evaluations": ("Evaluations",),
    "evaluator": ("Evaluator", "PlaneEvaluator"),
    "remembered": ("Remembered",),
    "result": ("MoveFound", "SearchResult"),
    "search": ("Search", "search_many"),
    "settings": ("SearchSettings",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Evaluations",
    "Evaluator",
    "MoveFound",
    "PlaneEvaluator",
    "Remembered",
    "Search",
    "SearchResult",
    "SearchSettings",
    "search_many",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

"""Counting: area, territory, and positions as they stand at a move limit."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.scoring.chinese import chinese_text, stones_text
    from mariago.scoring.count import (
        Score,
        dead_of_ownership,
        owners,
        score_area,
        score_reference,
        score_territory,
    )
    from mariago.scoring.finished import dead_stones, final_score, is_sane_ownership

_HOMES = {
    "chinese": ("chinese_text", "stones_text"),
    "count": (
        "Score",
        "dead_of_ownership",
        "owners",
        "score_area",
        "score_reference",
        "score_territory",
    ),
    "finished": ("dead_stones", "final_score", "is_sane_ownership"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Score",
    "chinese_text",
    "dead_of_ownership",
    "dead_stones",
    "final_score",
    "is_sane_ownership",
    "owners",
    "score_area",
    "score_reference",
    "score_territory",
    "stones_text",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

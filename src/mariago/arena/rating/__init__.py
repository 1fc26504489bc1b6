"""Rating: one fixed set of positions that every kind of player answers.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.arena.rating.outputs import rating_dict, rating_text, write_outputs
    from mariago.arena.rating.packaged import packaged_positions
    from mariago.arena.rating.page import write_page_of
    from mariago.arena.rating.positions import PositionSet, thinned
    from mariago.arena.rating.rate import Rating, rate_players
    from mariago.arena.rating.sampling import positions_of_data
    from mariago.arena.rating.slices import PlayerFigures, figure_players

_HOME_OF = {
    "PlayerFigures": "slices",
    "PositionSet": "positions",
    "Rating": "rate",
    "figure_players": "slices",
    "packaged_positions": "packaged",
    "positions_of_data": "sampling",
    "rate_players": "rate",
    "rating_dict": "outputs",
    "rating_text": "outputs",
    "thinned": "positions",
    "write_outputs": "outputs",
    "write_page_of": "page",
}

__all__ = [
    "PlayerFigures",
    "PositionSet",
    "Rating",
    "figure_players",
    "packaged_positions",
    "positions_of_data",
    "rate_players",
    "rating_dict",
    "rating_text",
    "thinned",
    "write_outputs",
    "write_page_of",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

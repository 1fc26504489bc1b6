"""Players: one protocol for every kind of opponent, and the names by which people call them.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.players.names import PlayerName, parse_name
    from mariago.players.protocol import Candidate, Decision, Limits, Player
    from mariago.players.registry import Kind, kinds, make_player, register, resolve_name

_HOME_OF = {
    "Candidate": "protocol",
    "Decision": "protocol",
    "Kind": "registry",
    "Limits": "protocol",
    "Player": "protocol",
    "PlayerName": "names",
    "kinds": "registry",
    "make_player": "registry",
    "parse_name": "names",
    "register": "registry",
    "resolve_name": "registry",
}

__all__ = [
    "Candidate",
    "Decision",
    "Kind",
    "Limits",
    "Player",
    "PlayerName",
    "kinds",
    "make_player",
    "parse_name",
    "register",
    "resolve_name",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

"""The GTP server: any player behind the protocol that Go programs and their windows speak.

Commands stand in tables, a module for each theme; :mod:`mariago.gtp.analysis` adds those that tell
what holds in a position. The protocol's text is :mod:`mariago.gtpwire`'s.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.gtp.commands import all_commands
    from mariago.gtp.record_commands import load_game
    from mariago.gtp.server import answer, serve
    from mariago.gtp.session import Session

_HOME_OF = {
    "Session": "session",
    "all_commands": "commands",
    "answer": "server",
    "load_game": "record_commands",
    "serve": "server",
}

__all__ = [
    "Session",
    "all_commands",
    "answer",
    "load_game",
    "serve",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

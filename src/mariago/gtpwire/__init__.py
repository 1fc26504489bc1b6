"""The Go Text Protocol, version 2: its text both ways, and a client for outside engines.

After Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002). The
server stands in :mod:`mariago.gtp`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.gtpwire.client import Engine
    from mariago.gtpwire.process import end_all, split_command
    from mariago.gtpwire.text import (
        Command,
        Reply,
        color_of,
        format_reply,
        is_vertex,
        parse_command,
        parse_reply,
    )

_HOMES = {
    "client": ("Engine",),
    "process": ("end_all", "split_command"),
    "text": (
        *("Command", "Reply", "color_of", "format_reply", "is_vertex"),
        *("parse_command", "parse_reply"),
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Command",
    "Engine",
    "Reply",
    "color_of",
    "end_all",
    "format_reply",
    "is_vertex",
    "parse_command",
    "parse_reply",
    "split_command",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

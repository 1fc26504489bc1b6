"""Short names of one's own: ``players.toml``.

::

    small = "net:nets/small,temperature=0.3"
    wild  = "small,temperature=1.0"

The file is the one that ``MARIAGO_PLAYERS`` names, or ``players.toml`` in the current folder. Keys
written after an alias replace the alias's own. Paths in it count from the current folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from mariago.board.files import read_toml
from mariago.errors import PlayerError
from mariago.players.names import PlayerName, parse_name

__all__ = ["FILE_NAME", "VARIABLE", "expand", "load_aliases"]

VARIABLE = "MARIAGO_PLAYERS"
FILE_NAME = "players.toml"


def load_aliases() -> dict[str, str]:
    """Return the aliases by name; empty where there is no file.

    Raises:
        PlayerError: the file that ``MARIAGO_PLAYERS`` names is absent, or the file is no list of
            ``name = "player"`` lines.
    """
    named = os.environ.get(VARIABLE)
    path = Path(named) if named else Path(FILE_NAME)
    if not path.is_file():
        if named:
            raise PlayerError("no such file", where=f"{VARIABLE}={named}")
        return {}
    try:
        table = read_toml(path)
    except ValueError as error:
        raise PlayerError(f"not a TOML file: {error}", where=path) from None
    except OSError as error:
        raise PlayerError(f"cannot be read: {error.strerror}", where=path) from None
    for alias, value in table.items():
        if not isinstance(value, str):
            hint = f'write {alias} = "KIND:TARGET,key=value"'
            raise PlayerError(f"{alias!r} is not a player's name in quotes", where=path, hint=hint)
    return table


def expand(name: PlayerName, aliases: dict[str, str]) -> PlayerName:
    """Return ``name`` with its kind looked up in ``aliases`` until it is no alias any more.

    Raises:
        PlayerError: aliases that name each other in a circle, or an alias with a target.
    """
    seen: list[str] = []
    while name.kind in aliases:
        if name.kind in seen:
            raise PlayerError(f"the aliases {' -> '.join([*seen, name.kind])} go in a circle")
        seen.append(name.kind)
        if name.target is not None:
            raise PlayerError(f"the alias {name.kind!r} already has its target")
        meant = parse_name(aliases[name.kind])
        name = PlayerName(meant.kind, meant.target, {**meant.keys, **name.keys})
    return name

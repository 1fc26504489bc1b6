"""The kinds of players there are, their keys, and how a name becomes a player."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from mariago.errors import PlayerError, first_fault
from mariago.players.aliases import expand, load_aliases
from mariago.players.names import PlayerName, parse_name
from mariago.players.protocol import Player

__all__ = [
    "KIND_MODULES",
    "Key",
    "Kind",
    "Options",
    "kinds",
    "make_player",
    "register",
    "resolve_name",
]


class Options(BaseModel):
    """The typed keys of a kind; each field has a description, unknown keys fail."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Key(NamedTuple):
    """A key as it is shown to people."""

    name: str
    type: str
    default: str
    help: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of player.

    ``build(name, target, options)`` makes the player; ``name`` is the whole name in its fixed
    spelling, for :meth:`Player.describe`.
    """

    name: str
    help: str
    options: type[Options]
    build: Callable[[str, str | None, Any], Player]
    target: str | None = None
    """What the target is (``"FOLDER"``); ``None`` where the kind takes none."""
    target_required: bool = True

    def list_keys(self) -> list[Key]:
        """Return the keys in the order of their declaration."""
        shown: list[Key] = []
        for name, field in self.options.model_fields.items():
            kind = getattr(field.annotation, "__name__", str(field.annotation))
            shown.append(Key(name, kind, str(field.default), field.description or ""))
        return shown

    def usage(self) -> str:
        """Return the form of the kind's names: ``net:FOLDER[,key=value...]``."""
        target = f":{self.target}" if self.target else ""
        target = target if self.target_required else f"[{target}]"
        return f"{self.name}{target}" + ("[,key=value...]" if self.options.model_fields else "")


# A module per kind; it names the kind KIND and is imported when kinds are first asked for.
KIND_MODULES = (
    "mariago.players.random_player",
    "mariago.players.heuristic_player",
    "mariago.players.net_player",
    "mariago.players.katago_player",
    "mariago.players.search_player",
    "mariago.players.gtp_player",
)


@cache
def _registry() -> dict[str, Kind]:
    found = [cast(Kind, import_module(module).KIND) for module in KIND_MODULES]
    return {kind.name: kind for kind in found}


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of players that can be built."""
    return tuple(_registry().values())


def register(kind: Kind) -> None:
    """Add a kind of one's own to this process, or replace the one of that name."""
    _registry()[kind.name] = kind


def _nearest(word: str, known: Iterable[str]) -> str:
    known = sorted(known)
    near = difflib.get_close_matches(word, known, n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"there are {', '.join(known)}{meant}" if known else "it has none"


def _kind_of(name: PlayerName, aliases: dict[str, str]) -> Kind:
    registry = _registry()
    for alias in aliases:
        if alias in registry:
            raise PlayerError(f"the alias {alias!r} has the name of a kind", hint="rename it")
    if name.kind not in registry:
        hint = _nearest(name.kind, [*registry, *aliases])
        raise PlayerError(f"unknown player {name.kind!r}", hint=hint)
    kind = registry[name.kind]
    if kind.target is None and name.target is not None:
        raise PlayerError(f"{kind.name} takes no target", where=str(name), hint=kind.usage())
    if kind.target is not None and kind.target_required and name.target is None:
        raise PlayerError(f"{kind.name} needs a target", where=str(name), hint=kind.usage())
    return kind


def _options_of(kind: Kind, name: PlayerName) -> Options:
    known = list(kind.options.model_fields)
    for key in name.keys:
        if key not in known:
            hint = f"keys of {kind.name}: {_nearest(key, known)}"
            raise PlayerError(f"unknown key {key!r}", where=str(name), hint=hint)
    try:
        return kind.options.model_validate(name.keys)
    except ValidationError as error:
        hint = f"mariago players lists the keys of {kind.name}"
        raise PlayerError(first_fault(error), where=str(name), hint=hint) from None


def resolve_name(text: str) -> str:
    """Return a player's name with aliases followed and in one fixed spelling, checked.

    Raises:
        PlayerError: unknown kind or key, a value of the wrong type, a target too many or missing.
    """
    aliases = load_aliases()
    name = expand(parse_name(text), aliases)
    kind = _kind_of(name, aliases)
    _options_of(kind, name)
    ordered = {key: name.keys[key] for key in kind.options.model_fields if key in name.keys}
    return str(PlayerName(name.kind, name.target, ordered))


def make_player(text: str) -> Player:
    """Build the player that ``text`` names; see :mod:`mariago.players.names`.

    Raises:
        PlayerError: see :func:`resolve_name`; and whatever keeps the player from being built.
    """
    resolved = resolve_name(text)
    name = parse_name(resolved)
    kind = _registry()[name.kind]
    return kind.build(resolved, name.target, _options_of(kind, name))

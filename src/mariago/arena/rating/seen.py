"""Whether a player may have seen the positions before: what its net says of where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from mariago.arena.rating.positions import PositionSet
from mariago.players import Player

__all__ = ["SEEN_IN_WORDS", "Seen", "seen_by"]

Seen = Literal["", "held_out", "maybe", "teacher"]

SEEN_IN_WORDS: dict[Seen, str] = {
    "held_out": "its net was trained on the other games of this very data set",
    "maybe": "this net may have seen these positions: its training data name the same origin",
    "teacher": "this net is the teacher: that it agrees with itself says nothing",
}
"""What is known, as the table and the page say it; nothing is known of a player with ""."""


def seen_by(player: Player, positions: PositionSet, teacher: Mapping[str, Any]) -> Seen:
    """Return what is known of a player's net and the positions.

    A net folder holds the hash of the data set it was trained on, and its origin in words. The
    hash tells that positions are those of its own test split. The same origin with another hash may
    be another build of the same games, with other games held out.
    """
    net: Any = getattr(player, "net", None)
    if net is None:
        return ""
    info = net.info
    hashes = {str(net.describe().get("sha256", ""))}
    if info is not None:
        hashes |= {str(value) for key, value in info.imported.items() if "sha256" in key}
    if str(teacher.get("sha256") or "-") in hashes:
        return "teacher"
    data: Any = info.training.get("data") if info is not None else None
    if not isinstance(data, Mapping):
        return ""
    if positions.data_sha256 and data.get("sha256") == positions.data_sha256:
        return "held_out"
    own = set(str(data.get("origin", "")).split("; "))
    return "maybe" if own & set(positions.origin.split("; ")) - {""} else ""

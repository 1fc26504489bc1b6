"""Teachers: players that say what they think of a stored row.

======================  ===========================================================
``katago:FILE``         a network file of KataGo, asked in batches, without search
``net:FOLDER``          a net of our own, in the same way
``search:FILE,visits``  tree search over either; each position is rebuilt with its past
======================  ===========================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from mariago.errors import PlayerError
from mariago.players import make_player, parse_name, resolve_name
from mariago.players.net_player import NetPlayer
from mariago.players.search_player import SearchPlayer

if TYPE_CHECKING:
    import pyarrow as pa

    from mariago.records.labels import Labels
    from mariago.records.manifest import Manifest

__all__ = ["LEAST_SHARE", "Teacher", "make_teacher", "stored_shares"]

LEAST_SHARE = 1e-5
"""Smaller shares of a policy are left out, and the others fill it up again."""

SHARE_BITS = 11
"""Binary digits of a share, the first included: exact to 1 in 4,000."""

TEACHING_KINDS = "net:FOLDER, katago:FILE and search:FILE,visits=N teach"


class Teacher(Protocol):
    """What labels rows. Made by :func:`make_teacher`."""

    name: str
    """Short, by the hash of the net: fit for the name of a file."""
    about: str
    """Who that is, in one line: net, hash, settings; no place on a disk."""
    rows_at_once: int
    """Rows that are labelled between two writes."""

    def label(self, manifest: Manifest, table: pa.Table, rows: npt.NDArray[np.uint32]) -> Labels:
        """Return labels of the stored rows ``table``, whose numbers in the shard are ``rows``."""
        ...


def make_teacher(text: str, symmetries: int | None = None) -> Teacher:
    """Build the teacher that a player's name means.

    Args:
        symmetries: 1, 2 or 8 for a net; None: as the name says.

    Raises:
        PlayerError: no such player, or one that does not teach.
        NetError: no net there, or a damaged one.
    """
    resolved = resolve_name(text)
    kind = parse_name(resolved).kind
    if kind not in ("net", "katago", "search"):
        raise PlayerError(f"a {kind} player cannot teach", where=text, hint=TEACHING_KINDS)
    player = make_player(resolved)
    if isinstance(player, NetPlayer):
        from mariago.teaching.net_teacher import NetTeacher

        return NetTeacher(player.net, kind, symmetries or player.options.symmetries)
    if isinstance(player, SearchPlayer):
        from mariago.teaching.search_teacher import SearchTeacher

        if symmetries is not None:
            raise PlayerError(
                "the symmetries of a search stand in its name",
                where=text,
                hint="write search:FILE,symmetries=8",
            )
        return SearchTeacher(player)
    raise PlayerError("this player cannot teach", where=text, hint=TEACHING_KINDS)


def hash_of(described: dict[str, Any]) -> str:
    """Return the hash of a net by what it says of itself."""
    return str(described.get("sha256") or "") or "0" * 64


def told_net(described: dict[str, Any]) -> str:
    """Return a net in words, by what it says of itself."""
    return f"{described['name']} ({described.get('size', 'unknown size')})"


def stored_shares(policy: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return policies (..., moves) as labels hold them.

    Shares under :data:`LEAST_SHARE` are left out, the others fill it up to 1 again and are rounded
    to :data:`SHARE_BITS` binary digits. So 1,218 bytes a row on disk became 800, ownership and all.
    """
    kept = np.where(policy >= LEAST_SHARE, policy, 0.0).astype(np.float64)
    shares = (kept / kept.sum(axis=-1, keepdims=True)).astype(np.float32)
    left_out = np.uint32(24 - SHARE_BITS)
    bits = shares.view(np.uint32)
    rounded = (bits + (np.uint32(1) << (left_out - np.uint32(1)))) >> left_out << left_out
    return np.minimum(rounded.view(np.float32), np.float32(1))

"""Positions met again: what was said of them is kept and not asked for twice.

The key is a hash (256 bits of BLAKE2b) of what the net is shown, planes and globals: stones, side,
ko and superko bans, whether a pass would end the game, komi and rules; and of the past, the last
five moves and the ladders one and two moves ago, unless that is left out. A net is a function of
all this, so with the past nothing changes but the time. Without it, lines that reach one board
in another order share what was said on the first of them, as in KataGo.

Only evaluations are shared. Which moves are legal and which games are over, by simple ko or
superko, stays each position's own, asked of its own history; so do visits and values of nodes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.search.evaluations import Evaluations, joined

__all__ = ["Remembered"]

Array = npt.NDArray[Any]
PAST_PLANES = (9, 10, 11, 12, 13, 15, 16)  # see mariago.features.planes
PAST_GLOBALS = (0, 1, 2, 3, 4)
MOST = 8192  # evaluations kept; about 3 kB each on 19x19


class Remembered:
    """The last evaluations; the one that was used longest ago leaves first.

    Args:
        most: how many are kept.
        with_past: positions that only the past tells apart are two.

    Attributes:
        asked: positions that were looked up.
        found: those of them that were known.
    """

    def __init__(self, most: int = MOST, *, with_past: bool = True) -> None:
        if most < 1:
            raise BadInputError(f"a memory of {most} evaluations", hint="1 or more")
        self.most = most
        self.with_past = with_past
        self.asked = 0
        self.found = 0
        self._kept: OrderedDict[bytes, Evaluations] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def answer(
        self, planes: Array, values: Array, ask: Callable[[Array, Array], Evaluations]
    ) -> Evaluations:
        """Return what is known of each row of planes (B, 22, H, W) and globals (B, 19).

        ``ask`` is given the rows that are not known, each once, in batches of powers of two: a net
        would fill others up, and what is saved here be lost there.
        """
        seen, told = (planes, values) if self.with_past else _without_past(planes, values)
        keys = [_key(seen[i], told[i]) for i in range(len(planes))]
        known = {key: self._kept[key] for key in keys if key in self._kept}
        new = [i for i, key in enumerate(keys) if key not in known and keys.index(key) == i]
        self.asked += len(keys)
        self.found += len(keys) - len(new)
        while new:
            some = new[: 1 << (len(new).bit_length() - 1)]
            new = new[len(some) :]
            said = ask(planes[some], values[some])
            for j, i in enumerate(some):
                known[keys[i]] = said.part(j, j + 1).copied()
        for key in keys:
            self._kept[key] = known[key]
            self._kept.move_to_end(key)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return joined([known[key] for key in keys])


def _without_past(planes: Array, values: Array) -> tuple[Array, Array]:
    seen, told = planes.copy(), values.copy()
    seen[:, PAST_PLANES] = 0
    told[:, PAST_GLOBALS] = 0
    return seen, told


def _key(planes: Array, values: Array) -> bytes:
    key = blake2b(values.tobytes(), digest_size=32)
    key.update(bytes(planes.shape[1:]))
    key.update(planes.tobytes())
    return key.digest()

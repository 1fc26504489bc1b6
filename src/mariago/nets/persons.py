"""Whose moves the rows of a data set are, by the names in its table of games.

A name is meant whole: capitals and blanks around it do not count.
"""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK
from mariago.errors import NetError
from mariago.nets.samples import Samples
from mariago.records import read_manifest
from mariago.records.stored import read_games

__all__ = ["Person"]

NAMES_TOLD = 5

Mask = npt.NDArray[np.bool_]


class Person:
    """One player of a data set.

    Raises:
        RecordsError: ``folder`` holds no data set.
        NetError: nobody of this name played in it; the nearest names are told.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name.strip()
        games = read_games(read_manifest(folder), ["black", "white"])
        black, white = (games.column(side).to_pylist() for side in ("black", "white"))
        wanted = _key(name)
        self._black = np.array([_key(told) == wanted for told in black], np.bool_)
        self._white = np.array([_key(told) == wanted for told in white], np.bool_)
        if not (self._black | self._white).any():
            raise self._unknown(Counter([*black, *white]))

    @property
    def games(self) -> int:
        """How many games he played."""
        return int((self._black | self._white).sum())

    def own(self, samples: Samples) -> Mask:
        """Return (n,) where he is to move."""
        games = samples.targets.game
        return np.where(samples.rows.to_move == BLACK, self._black[games], self._white[games])

    def others(self, samples: Samples) -> Mask:
        """Return (n,) where his opponent is to move."""
        games = samples.targets.game
        return (self._black | self._white)[games] & ~self.own(samples)

    def _unknown(self, names: Counter[str]) -> NetError:
        of_key: dict[str, str] = {}
        for name, _ in names.most_common():
            if name.strip():
                of_key.setdefault(_key(name), name.strip())
        near = get_close_matches(_key(self.name), list(of_key), NAMES_TOLD, 0.5)
        told = [of_key[key] for key in near] or list(of_key.values())[:NAMES_TOLD]
        what = "names near it" if near else "who played most"
        return NetError(
            f"no game of {self.name!r:.60} is in it",
            where=self.folder,
            hint=f"{what}: {', '.join(told)}" if told else "its games name no players",
        )


def _key(name: str) -> str:
    return name.strip().casefold()

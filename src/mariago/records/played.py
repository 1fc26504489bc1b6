"""Games as flat arrays of their moves, from wherever they are kept, some thousands at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.records.spool import SpooledGames

__all__ = ["Played", "join_played", "played_in_spool", "read_spooled"]

GAMES_AT_ONCE = 20_000


@dataclass(frozen=True)
class Played:
    """The moves of G games, laid out as ``replay_kernels.judge`` takes them."""

    rows: NDArray[np.int64]  # (G,)
    columns: NDArray[np.int64]  # (G,)
    first: NDArray[np.int64]  # (G + 1,) game g has the moves first[g] to first[g + 1] - 1
    colors: NDArray[np.uint8]  # (M,)
    moves: NDArray[np.int16]  # (M,) row * columns + column, rows * columns for a pass
    setup_first: NDArray[np.int64]  # (G + 1,)
    setup: NDArray[np.int16]  # (S, 3) ply, colour, move

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays in the order in which the kernels take them."""
        return (
            *(self.rows, self.columns, self.first, self.colors, self.moves),
            *(self.setup_first, self.setup),
        )


def read_spooled(spool: SpooledGames, games: NDArray[np.int64]) -> Played:
    """Return some games of a spool."""
    return Played(**spool.played(games))


def played_in_spool(spool: SpooledGames) -> Iterator[Played]:
    """Yield all games of a spool that is whole, in order."""
    numbers = np.array(spool.numbers)
    for start in range(0, len(numbers), GAMES_AT_ONCE):
        part = numbers[start : start + GAMES_AT_ONCE]
        first, setup_first = _starts(part["length"]), _starts(part["setup_length"])
        a, c = int(part["first"][0]), int(part["setup_first"][0])
        yield Played(
            rows=part["rows"].astype(np.int64),
            columns=part["columns"].astype(np.int64),
            first=first,
            colors=np.array(spool.colors[a : a + first[-1]]),
            moves=np.array(spool.moves[a : a + first[-1]]),
            setup_first=setup_first,
            setup=np.array(spool.setup[c : c + setup_first[-1]]),
        )


def join_played(parts: Sequence[Played]) -> Played:
    """Return several lots of games as one."""
    return Played(
        rows=np.concatenate([part.rows for part in parts]),
        columns=np.concatenate([part.columns for part in parts]),
        first=_joined([part.first for part in parts]),
        colors=np.concatenate([part.colors for part in parts]),
        moves=np.concatenate([part.moves for part in parts]),
        setup_first=_joined([part.setup_first for part in parts]),
        setup=np.concatenate([part.setup for part in parts]),
    )


def _joined(starts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return _starts(np.concatenate([np.diff(part) for part in starts]))


def _starts(lengths: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])

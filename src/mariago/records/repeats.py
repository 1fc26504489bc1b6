"""Repeated positions among any number of rows, in bounded memory.

The hashes of positions are gathered in buckets, and at the end each bucket is decided on its own,
since equal hashes share a bucket. For n rows the memory is the gathered pairs (16 bytes each, up to
a limit, and as much again while they are sorted), one bucket with its table (about 50 bytes for
each of n / 256 rows) and one byte a row of the result: 200 million rows take about 0.4 GB. Where
several answers to a position stay, they take two bytes a row more.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mariago.records.answer_kernels import resolve_answers
from mariago.records.buckets import GATHERED_MOST, Buckets
from mariago.records.repeat_kernels import GONE, NOT_WINNER, ROW_BITS, make_tags, resolve

__all__ = ["LATE_AFTER", "Repeats"]

LATE_AFTER = 30  # a position shared between splits after this many moves is a leak

_ROWS = np.uint64((1 << ROW_BITS) - 1)


class Repeats:
    """Gathers the positions of games in order, then says for each row whether it stays."""

    def __init__(self, folder: Path, most: int = GATHERED_MOST) -> None:
        self.rows = 0
        self._buckets = Buckets(folder, most)

    def add(
        self,
        hashes: NDArray[np.uint64],
        splits: NDArray[np.uint8],
        first: NDArray[np.int64],
        wanted: "NDArray[np.bool_] | None" = None,
    ) -> None:
        """Take the rows of some games: their hashes (M,), splits (G,) and starts (G + 1,).

        Rows where ``wanted`` (M,) is false take no part and get the code NOT_WINNER.
        """
        tags = np.empty(len(hashes), np.uint64)
        make_tags(splits, first, LATE_AFTER, self.rows, tags)
        self.rows += len(hashes)
        if wanted is not None:
            hashes, tags = hashes[wanted], tags[wanted]
        self._buckets.add(hashes, tags)

    def codes(
        self,
        gone: "NDArray[np.bool_] | None" = None,
        answers: "NDArray[np.uint16] | None" = None,
        most: int = 1,
    ) -> NDArray[np.uint8]:
        """End the gathering; return for each row KEEP, REPEAT, LEAK, NOT_WINNER or GONE, (rows,).

        Args:
            gone: rows (rows,) of games that are not used after all; they take no part.
            answers: (rows,) with it, the ``most`` commonest answers to a position stay, each with
                its first row; without it, the first row of each position.
        """
        codes = np.full(self.rows, NOT_WINNER, np.uint8)
        if gone is not None:
            codes[gone] = GONE
        for part in self._buckets.parts():
            if gone is not None and len(part):
                part = part[codes[part[:, 1] & _ROWS] != GONE]
            if len(part):
                _decide(part, answers, most, codes)
        return codes


def _decide(
    part: NDArray[np.uint64],
    answers: "NDArray[np.uint16] | None",
    most: int,
    codes: NDArray[np.uint8],
) -> None:
    """Write the codes of one bucket's rows."""
    room = 1 << (2 * len(part) - 1).bit_length()
    if answers is None:
        resolve(part, np.empty(room, np.uint64), np.empty(room, np.uint8), codes)
        return
    table, list_of = (np.empty((2, n), np.int32) for n in (room, len(part)))
    resolve_answers(part, answers, most, *table, *list_of, codes)

"""The fast reader's face: many files at once, the plain reader for those that it hands over."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mariago.board.points import Size
from mariago.sgf import scan_kernels as scan
from mariago.sgf.games import ReadGame, assemble, read_games
from mariago.sgf.names import INFO_NAMES

__all__ = ["ScannedBatch", "read_many", "scan_files"]


@dataclass(frozen=True)
class ScannedBatch:
    """The main lines of many files, as arrays.

    File i was read when ``codes[i] == scan_kernels.OK``; its moves are
    ``moves[move_ends[i - 1]:move_ends[i]]`` (from 0 for the first), set-up stones likewise.
    """

    data: bytes  # all files behind each other
    starts: NDArray[np.int64]  # (files,)
    ends: NDArray[np.int64]  # (files,)
    codes: NDArray[np.uint8]  # (files,) OK or HAND_OVER
    moves: NDArray[np.int16]  # (moves,) move index, size * size for a pass
    colors: NDArray[np.uint8]  # (moves,) BLACK or WHITE
    move_ends: NDArray[np.int64]  # (files,)
    setup: NDArray[np.int16]  # (stones, 3) ply, colour (0 clears), move index
    setup_ends: NDArray[np.int64]  # (files,)
    info: NDArray[np.int64]  # (files, INFO_LENGTH) see scan_kernels

    def __len__(self) -> int:
        return len(self.codes)

    def file(self, i: int) -> bytes:
        """Return the bytes of file i."""
        return self.data[self.starts[i] : self.ends[i]]

    def span(self, i: int) -> slice:
        """Return where the moves of file i lie in ``moves`` and ``colors``."""
        return slice(int(self.move_ends[i - 1]) if i else 0, int(self.move_ends[i]))

    def setup_span(self, i: int) -> slice:
        """Return where the set-up stones of file i lie in ``setup``."""
        return slice(int(self.setup_ends[i - 1]) if i else 0, int(self.setup_ends[i]))

    def game(self, i: int, *, with_moves: bool = True) -> ReadGame:
        """Return file i as the plain reader would, without its problems of grammar.

        Only for files whose code is OK. ``with_moves=False`` leaves ``moves`` empty, for callers
        that work on the arrays (refusal, first player and handicap are right all the same).
        """
        row: list[int] = self.info[i].tolist()
        span = self.span(i)
        if not with_moves:
            span = slice(span.start, min(span.start + 1, span.stop))
        moves = list(zip(self.colors[span].tolist(), self.moves[span].tolist(), strict=True))
        stones = self.setup[self.setup_span(i)].tolist()
        game = assemble(
            Size(row[scan.SIZE], row[scan.SIZE]),
            moves,
            [(ply, color, move) for ply, color, move in stones],
            self._texts(row),
            is_fox=row[scan.SIGNS] & 1 == 1 or row[scan.SIGNS] & 6 == 6,
            stones_moved=row[scan.SIGNS] & 8 == 8,
            where=row[scan.ROOT],
        )
        if not with_moves:
            game.moves = []
        return game

    def _texts(self, row: list[int]) -> dict[str, bytes]:
        places = row[scan.TEXTS :]
        return {
            name: self.data[places[2 * k] : places[2 * k + 1]]
            for k, name in enumerate(INFO_NAMES)
            if places[2 * k] >= 0
        }


def scan_files(files: Sequence[bytes]) -> ScannedBatch:
    """Scan files with the kernel; those with code HAND_OVER were not read.

    Takes about four times the bytes of the files while it runs: hand in some thousands at a time.
    """
    lengths = np.array([len(data) for data in files], np.int64)
    ends = np.cumsum(lengths, dtype=np.int64)
    starts = ends - lengths
    data = b"".join(files)
    buf = np.frombuffer(data, np.uint8)
    count = len(files)
    # The shortest move is B[] and the shortest set-up stone [aa].
    room = int(lengths.sum()) // 3 + 1
    moves, colors = np.empty(room, np.int16), np.empty(room, np.uint8)
    setup = np.empty((room, 3), np.int16)
    info = np.empty((count, scan.INFO_LENGTH), np.int64)
    codes = np.empty(count, np.uint8)
    move_ends, setup_ends = np.empty(count, np.int64), np.empty(count, np.int64)
    scan.scan_batch(buf, starts, ends, moves, colors, setup, info, codes, move_ends, setup_ends)
    used_moves = int(move_ends[-1]) if count else 0
    used_setup = int(setup_ends[-1]) if count else 0
    return ScannedBatch(
        data,
        starts,
        ends,
        codes,
        moves[:used_moves],
        colors[:used_moves],
        move_ends,
        setup[:used_setup],
        setup_ends,
        info,
    )


def read_many(files: Sequence[bytes]) -> Iterator[list[ReadGame]]:
    """Yield the games of each file: by the kernel where it can, else by the plain reader."""
    batch = scan_files(files)
    for i, data in enumerate(files):
        yield [batch.game(i)] if batch.codes[i] == scan.OK else read_games(data)

"""The words and arrays of a KataGo network file, read from a stream within bounds.

A file is text, packed with gzip or not: names and sizes as words, and arrays. In a ``.bin`` an
array is ``@BIN@`` and little-endian float32; in a ``.txt`` it is numbers as words. What stands
there decides, not the file's name. Nothing is set aside for an array that the rest of the file
cannot hold: sizes in a file are claims.
"""

from __future__ import annotations

import gzip
import math
import re
import zlib
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from mariago.errors import NetError

__all__ = ["ARRAY_MARK", "KATAGO_ENDINGS", "LARGEST_NUMBERS", "NOT_THERE", "Source"]

ARRAY_MARK = b"@BIN@"
KATAGO_ENDINGS = (".bin.gz", ".txt.gz", ".bin", ".txt")
LARGEST_NUMBERS = 2**28  # of one net: a gigabyte; the largest that are published have a third
LONGEST_WORD = 200  # bytes; anything longer is no word of such a file
LONGEST_GAP = 65_536  # blanks between two words
MOST_PACKED = 1032  # deflate never makes more bytes of one, zlib's technical notes say
CHUNK = 1 << 20
AGAIN = "copy or download the file again"
NOT_THERE = "name a net folder, or a network file of KataGo (.bin.gz or .txt.gz)"
_WORD = re.compile(rb"\s*(\S{1,%d})" % (LONGEST_WORD + 1))
_BLANK = re.compile(rb"\s*")

Floats = npt.NDArray[np.float32]


class Source:
    """A file that is read from its beginning to its end, once. A context manager.

    Raises:
        NetError: at any call, where the file cannot be read or is not what was asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.numbers = 0  # of all arrays up to now
        self._buffer, self._at, self._passed = b"", 0, 0
        self._ended = False
        self._last_word = 0
        try:
            self._file: IO[bytes] = path.open("rb")
            self._size = path.stat().st_size
            packed = self._file.read(2) == b"\x1f\x8b"
            self._file.seek(0)
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise NetError(what, where=path, hint=NOT_THERE) from error
        self._stream: Any = gzip.GzipFile(fileobj=self._file) if packed else self._file
        self._most_bytes = self._size * (MOST_PACKED if packed else 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def place(self) -> int:
        """Bytes passed, of the unpacked file."""
        return self._passed + self._at

    def word(self) -> str:
        """Return the next word."""
        while True:
            match = _WORD.match(self._buffer, self._at)
            if match and match.end() < len(self._buffer):
                break
            if len(self._buffer) - self._at > LONGEST_GAP or not self._more():
                break
        if match is None:
            raise self.broken("a word")
        word = match[1]
        if len(word) > LONGEST_WORD or not word.isascii() or not word.decode("ascii").isprintable():
            raise self.broken("a word")
        self._last_word = self._passed + match.start(1)
        self._at = match.end()
        return word.decode("ascii")

    def number(self) -> int:
        """Return the next word, a whole number of at most six digits."""
        word = self.word()
        if not word.isdigit() or len(word) > 6:
            raise self.broken("a whole number", self._last_word)
        return int(word)

    def decimal(self) -> float:
        """Return the next word, a finite number."""
        word = self.word()
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.broken("a number", self._last_word)
        return value

    def array(self, *shape: int) -> Floats:
        """Return the next array, of this shape, all of it finite."""
        count = math.prod(shape)
        self.numbers += count
        if self.numbers > LARGEST_NUMBERS:
            raise NetError(
                f"has arrays of more than {LARGEST_NUMBERS:,} numbers, too large to be read here",
                where=self.path,
            )
        # A number as a word takes two bytes at least, one of them a blank.
        if 2 * count > self._most_bytes:
            raise self.broken(f"an array of {count:,} numbers")
        self._skip_blanks()
        if self._buffer.startswith(ARRAY_MARK, self._at):
            array = self._binary(count)
        else:
            array = self._text(count)
        if not np.isfinite(array).all():
            raise NetError(
                f"holds a number that is none, before byte {self.place:,}", where=self.path
            )
        return array.reshape(shape)

    def broken(self, wanted: str, place: int | None = None) -> NetError:
        """Return the error of a file that goes on otherwise, here or at ``place``."""
        place = self.place if place is None else place
        return NetError(
            f"is no whole KataGo network: byte {place:,} (unpacked) should begin {wanted}",
            where=self.path,
            hint=f"{AGAIN}; .bin.gz and .txt.gz files are read",
        )

    # -- inside --------------------------------------------------------------------------------

    def _binary(self, count: int) -> Floats:
        start = self._at + len(ARRAY_MARK)
        wanted = 4 * count
        if wanted > self._most_bytes:
            raise self.broken(f"an array of {count:,} numbers")
        parts = [self._buffer[start : start + wanted]]
        missing = wanted - len(parts[0])
        if missing:
            place = self._passed + len(self._buffer)
            parts += self._pieces(missing)
            if sum(map(len, parts)) < wanted:
                raise self.broken(f"an array of {count:,} numbers")
            self._buffer, self._at, self._passed = b"", 0, place + missing
        else:
            self._at = start + wanted
        return np.frombuffer(b"".join(parts), "<f4").astype(np.float32)

    def _pieces(self, missing: int) -> list[bytes]:
        pieces: list[bytes] = []
        while missing > 0:
            piece = self._read(min(missing, CHUNK))
            if not piece:
                break
            pieces.append(piece)
            missing -= len(piece)
        return pieces

    def _text(self, count: int) -> Floats:
        parts: list[Floats] = [np.zeros(0, np.float32)]
        while count > 0:
            # A word at the end of the buffer may go on in the next piece.
            cut = len(self._buffer) if self._ended else self._last_blank()
            words = self._buffer[self._at : cut].split(None, count) if cut > self._at else []
            rest = words.pop() if len(words) > count else b""
            if any(len(word) > LONGEST_WORD for word in words):
                raise self.broken("a number")
            try:
                parts.append(np.array([float(word) for word in words], np.float32))
            except ValueError:
                raise self.broken(f"{count:,} numbers, or {ARRAY_MARK.decode()}") from None
            count -= len(words)
            self._at = max(self._at, cut - len(rest))
            if count == 0:
                break
            if self._ended or len(self._buffer) - self._at > LONGEST_GAP:
                raise self.broken(f"{count:,} more numbers")
            self._more()
        return np.concatenate(parts)

    def _last_blank(self) -> int:
        return max(self._buffer.rfind(blank) for blank in (b"\n", b" ", b"\t", b"\r"))

    def _skip_blanks(self) -> None:
        gap = 0
        while True:
            match = _BLANK.match(self._buffer, self._at)
            assert match is not None
            gap += match.end() - self._at
            if gap > LONGEST_GAP:
                raise self.broken("an array")
            self._at = match.end()
            if len(self._buffer) - self._at >= len(ARRAY_MARK) or not self._more():
                return

    def _more(self) -> bool:
        """Read on; False at the end of the file. Places in the buffer change."""
        piece = self._read(CHUNK)
        self._passed += self._at
        self._buffer, self._at = self._buffer[self._at :] + piece, 0
        self._ended = not piece
        return bool(piece)

    def _read(self, count: int) -> bytes:
        try:
            return self._stream.read(count)
        except EOFError:
            raise NetError(
                "is cut off: its packing has no end", where=self.path, hint=AGAIN
            ) from None
        except (OSError, zlib.error) as error:
            raise NetError(f"cannot be unpacked: {error}", where=self.path, hint=AGAIN) from error

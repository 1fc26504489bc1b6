"""From a file's bytes to bytes in which SGF's own characters can be found.

The second byte of a character in Shift-JIS, Big5 or GB18030 may be ``\\`` or ``]``, so such files
are decoded as a whole before they are cut into tokens. What the grammar gets is UTF-8, or, where a
UTF-8 file is damaged in places, the bytes as they are.
"""

import codecs
import re
from dataclasses import dataclass

from mariago.sgf.problems import Problem

__all__ = ["Decoded", "decode_file"]

_HIGH = re.compile(rb"[\x80-\xff]+")
_WELL_FORMED = re.compile(
    rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
)
_DECLARED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:+-]{2,30})\s*\]")
_DECLARED_WITHIN = 8192
_ASCII_PROBE = rb"(;)[]\:\u0041\x41+AGE-~{!!~}"  # unchanged by codecs that contain ASCII

# Names found in files, and the widest codec of that family.
_CODECS = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "gb18030": "gb18030",
    "gb2312-80": "gb18030", "windows-936": "gb18030",
    "big5": "cp950", "big-5": "cp950", "cp950": "cp950",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "ms_kanji": "cp932",
    "windows-31j": "cp932", "cp932": "cp932", "x-sjis": "cp932",
    "euc-kr": "cp949", "euckr": "cp949", "ks_c_5601-1987": "cp949", "cp949": "cp949",
    "utf8": "utf-8", "utf-8": "utf-8", "iso-8859": "iso8859-1", "ascii": "iso8859-1",
}  # fmt: skip

# Lead bytes of the everyday characters: kana and JIS level 1, hangul, Big5 and GB2312 level 1.
_GUESSES = (
    ("cp949", ((0xB0, 0xC8),)),
    ("cp932", ((0x82, 0x83), (0x88, 0x97))),
    ("cp950", ((0xA4, 0xC6),)),
    ("gb18030", ((0xB0, 0xD7),)),
)
_TRAIL_ABOVE_A0 = ("cp949", "gb18030")


@dataclass(frozen=True)
class Decoded:
    """A file ready for the grammar.

    ``data`` is UTF-8 (or damaged UTF-8); ``encoding`` names the codec of the original bytes;
    ``skipped`` counts bytes of a byte order mark; ``declared`` is the text of CA, or "".
    """

    data: bytes
    encoding: str
    skipped: int
    declared: str
    problems: tuple[Problem, ...]

    def in_file(self, problems: list[Problem]) -> list[Problem]:
        """Return problems placed in ``data`` as problems placed in the original file."""
        if self.encoding == "utf-8":
            return [problem._replace(where=problem.where + self.skipped) for problem in problems]
        placed = {0: self.skipped}
        last = 0
        for offset in sorted({problem.where for problem in problems}):
            between = self.data[last:offset].decode("utf-8", "replace")
            placed[offset] = placed[last] + len(between.encode(self.encoding, "replace"))
            last = offset
        return [problem._replace(where=placed[problem.where]) for problem in problems]


def decode_file(raw: bytes) -> Decoded:
    """Choose the encoding of a whole file: mark, CA, UTF-8, then a guess that is recorded."""
    for mark, codec in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if raw.startswith(mark):
            return _marked(raw[len(mark) :], codec, len(mark))
    declared = _declared_charset(raw)
    if raw.isascii():
        return Decoded(raw, "utf-8", 0, declared, ())
    is_utf8, sequences = _utf8_content(raw)
    codec = _codec_of(declared)
    if is_utf8 and (codec in (None, "utf-8") or sequences >= 3 or _is_single_byte(codec)):
        wrong = () if codec in (None, "utf-8") else (_wrong_charset(declared, "utf-8"),)
        return Decoded(raw, "utf-8", 0, declared, wrong)
    if codec is not None and codec != "utf-8":
        text = _strictly(raw, codec)
        if text is not None:
            return Decoded(text.encode("utf-8"), codec, 0, declared, ())
        text = raw.decode(codec, "replace")
        if text.count("\ufffd") * 10 < sum(len(run) for run in _HIGH.findall(raw)):
            damaged = Problem("damaged_encoding", f"broken characters in {codec} text", 0)
            return Decoded(text.encode("utf-8"), codec, 0, declared, (damaged,))
    return _guessed(raw, declared)


def is_damaged_utf8(raw: bytes) -> bool:
    """Tell whether most of the bytes above 127 form whole UTF-8 characters.

    ``scan_kernels`` counts in the same way.
    """
    whole = sum(len(part) for part in _WELL_FORMED.findall(raw))
    above = sum(len(part) for part in _HIGH.findall(raw))
    return 2 * whole > above


def _marked(body: bytes, codec: str, skipped: int) -> Decoded:
    if codec == "utf-8":
        plain = decode_file(body) if not body.startswith(codecs.BOM_UTF8) else None
        if plain is not None and plain.encoding == "utf-8":
            return Decoded(plain.data, "utf-8", skipped, plain.declared, plain.problems)
    text = body.decode(codec, "replace")
    problems = (Problem("damaged_encoding", f"not whole {codec}", 0),) if "\ufffd" in text else ()
    data = text.encode("utf-8", "replace")
    return Decoded(data, codec, skipped, _declared_charset(data), problems)


def _declared_charset(raw: bytes) -> str:
    match = _DECLARED.search(raw, 0, _DECLARED_WITHIN)
    return match[1].decode("ascii") if match else ""


def _codec_of(declared: str) -> str | None:
    """Return the codec for the text of CA, None where it says nothing that is known."""
    if not declared:
        return None
    name = _CODECS.get(declared.lower())
    if name is not None:
        return name
    try:
        codec = codecs.lookup(declared).name
        keeps_ascii = _ASCII_PROBE.decode(codec) == _ASCII_PROBE.decode("ascii")
    except (LookupError, UnicodeDecodeError):
        return None
    return codec if keeps_ascii else None


def _is_single_byte(codec: str | None) -> bool:
    return codec is not None and (codec.startswith(("iso8859", "cp125")) or codec == "ascii")


def _utf8_content(raw: bytes) -> tuple[bool, int]:
    """Return whether ``raw`` is UTF-8, and how many characters of it are not ASCII."""
    if _strictly(raw, "utf-8") is None:
        return False, 0
    return True, len(_WELL_FORMED.findall(raw))


def _strictly(raw: bytes, codec: str) -> str | None:
    try:
        return raw.decode(codec)
    except (UnicodeDecodeError, LookupError, AssertionError):
        return None


def _wrong_charset(declared: str, used: str) -> Problem:
    return Problem("wrong_charset", f"CA says {declared}, the text is {used}", 0)


def _guessed(raw: bytes, declared: str) -> Decoded:
    problems = (_wrong_charset(declared, "something else"),) if declared else ()
    if is_damaged_utf8(raw):
        damaged = Problem("damaged_encoding", "UTF-8 with broken characters", 0)
        return Decoded(raw, "utf-8", 0, declared, (*problems, damaged))
    codec = _guess_codec(raw)
    guess = Problem("guessed_encoding", f"no valid CA; read as {codec}", 0)
    data = raw.decode(codec).encode("utf-8")
    return Decoded(data, codec, 0, declared, (*problems, guess))


def _guess_codec(raw: bytes) -> str:
    """Return the East Asian codec whose everyday characters fit best, or latin-1."""
    runs = _HIGH.findall(raw)
    alone = sum(1 for run in runs if len(run) == 1)
    if alone * 2 > sum(len(run) for run in runs):
        return "latin-1"  # accented letters among ASCII
    best, best_share = "latin-1", 0.5
    for codec, ranges in _GUESSES:
        text = _strictly(raw, codec)
        if text is None:
            continue
        share = _everyday_share(text, codec, ranges)
        if share > best_share:
            best, best_share = codec, share
    return best


def _everyday_share(text: str, codec: str, ranges: tuple[tuple[int, int], ...]) -> float:
    """Return the share of characters beyond ASCII that are everyday ones in this codec."""
    count = everyday = 0
    for character in text:
        if character < "\x80":
            continue
        encoded = character.encode(codec)
        if encoded[0] in (0xA1, 0xA2, 0xA3, 0x81):
            continue  # punctuation and full-width forms say little
        count += 1
        if len(encoded) == 2 and any(low <= encoded[0] <= high for low, high in ranges):
            everyday += codec not in _TRAIL_ABOVE_A0 or encoded[1] > 0xA0
    return everyday / count if count else 0.0

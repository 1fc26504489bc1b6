"""From a file's bytes to bytes in which SGF's own characters can be found.

The second byte of a character in Shift-JIS, Big5 or GB18030 may be ``\\`` or ``]``, so such files
are decoded as a whole before they are cut into tokens. What the grammar gets is UTF-8, or, where a
UTF-8 file is damaged in places, the bytes as they are.
"""

import codecs
import re
from dataclasses import dataclass, replace

from mariago.sgf.coherence import CANDIDATES, coherence
from mariago.sgf.problems import Problem

__all__ = ["Decoded", "decode_file"]

_HIGH = re.compile(rb"[\x80-\xff]+")
_RUN_AND_NEXT = re.compile(rb"(?:[\x80-\xff]+[\x40-\x7e]?)+")
_WELL_FORMED = re.compile(
    rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
)
_DECLARED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:+-]{2,30})\s*\]")
_DECLARED_WITHIN = 8192
# Codecs of Python that are no character sets of files: names of hosts, escapes, and one that
# refuses everything. UnicodeError, which they raise, is a ValueError.
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "unicode-escape"}
    | {"raw-unicode-escape", "utf-7", "mbcs", "oem"}
)
_DECODE_FAILURES = (ValueError, LookupError, AssertionError, TypeError, ArithmeticError)
_EVERY_BYTE = bytes(range(256))
_ASCII_PROBE = rb"(;)[]\:\u0041\x41+AGE-~{!!~}"  # unchanged by codecs that contain ASCII

# Names found in files, and the widest codec of that family.
_CODECS = {
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "gb18030": "gb18030",
    "gb2312-80": "gb18030", "windows-936": "gb18030",
    "big5": "cp950", "big-5": "cp950", "cp950": "cp950",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "ms_kanji": "cp932",
    "windows-31j": "cp932", "cp932": "cp932", "x-sjis": "cp932",
    "euc-kr": "cp949", "euckr": "cp949", "ks_c_5601-1987": "cp949", "cp949": "cp949",
    "euc-jp": "euc_jp", "eucjp": "euc_jp", "x-euc-jp": "euc_jp", "ujis": "euc_jp",
    "big5-hkscs": "big5hkscs", "uhc": "cp949",
    "utf8": "utf-8", "utf-8": "utf-8", "iso-8859": "iso8859-1", "ascii": "iso8859-1",
}  # fmt: skip

# Up to this many bytes above 127 are looked at to tell encodings apart.
_SAMPLE = 8192
_REPLACED = "\ufffd"
_ISO_2022 = ((b"\x1b$)C", "iso2022_kr"), (b"\x1b$", "iso2022_jp_2"))
# A declared encoding gives way where its text reads this badly and another's this much better.
_READS_BADLY, _READS_BETTER = 0.25, 1.5
_READS_WELL = 1.0  # what a text must reach that was declared to be in a single-byte set
_FEW_RUNS = 4
_ENOUGH = 6  # bytes; fewer overrule no declared set
_NONSENSE = -1.75
_BROKEN_COST = 4.0


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
    length: int = 0  # of the file

    def in_file(self, problems: list[Problem]) -> list[Problem]:
        """Return problems placed in ``data`` as problems placed in the original file."""
        if self.encoding == "utf-8":
            ends = [min(problem.where + self.skipped, self.length) for problem in problems]
            return [p._replace(where=end) for p, end in zip(problems, ends, strict=True)]
        placed = {0: self.skipped}
        last = 0
        for offset in sorted({problem.where for problem in problems}):
            between = self.data[last:offset].decode("utf-8", "replace")
            at = placed[last] + len(between.encode(self.encoding, "replace"))
            placed[offset] = min(at, self.length)  # broken characters may be shorter there
            last = offset
        return [problem._replace(where=placed[problem.where]) for problem in problems]


def decode_file(raw: bytes) -> Decoded:
    """Choose the encoding of a whole file: mark, CA, UTF-8, then a guess that is recorded."""
    return replace(_decoded(raw), length=len(raw))


def _decoded(raw: bytes) -> Decoded:
    for mark, codec in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if raw.startswith(mark):
            return _marked(raw[len(mark) :], codec, len(mark))
    declared = _declared_charset(raw)
    wide = None if declared else _unmarked_utf16(raw)
    if wide is not None:
        return _with_guess(raw.decode(wide, "replace"), wide, "", ())
    if raw.isascii():
        return _seven_bits(raw, declared)
    is_utf8, sequences = _utf8_content(raw)
    codec = _codec_of(declared)
    if is_utf8 and (codec in (None, "utf-8") or sequences >= 3 or _is_single_byte(codec)):
        wrong = () if codec in (None, "utf-8") else (_wrong_charset(declared, "utf-8"),)
        return Decoded(raw, "utf-8", 0, declared, wrong)
    if codec is not None and codec != "utf-8" and not _is_false(raw, codec):
        text = _strictly(raw, codec)
        if text is not None:
            return Decoded(text.encode("utf-8"), codec, 0, declared, ())
        text = raw.decode(codec, "replace")
        if text.count(_REPLACED) * 10 < _count_above(raw):
            return Decoded(text.encode("utf-8"), codec, 0, declared, (_damaged(codec),))
    return _guessed(raw, declared)


def is_damaged_utf8(raw: bytes) -> bool:
    """Tell whether the bytes above 127 are whole UTF-8 characters, or half of them long ones.

    Short characters (two bytes) are no sign: two bytes of GB 2312 often look like one.
    ``scan_kernels`` counts in the same way.
    """
    above = _count_above(raw)
    whole = [len(part) for part in _WELL_FORMED.findall(raw)]
    return sum(whole) == above or 2 * sum(length for length in whole if length > 2) > above


def _count_above(raw: bytes) -> int:
    """Return how many bytes are above 127."""
    return sum(len(part) for part in _HIGH.findall(raw))


def _damaged(codec: str) -> Problem:
    return Problem("damaged_encoding", f"broken characters in {codec} text", 0)


def _unmarked_utf16(raw: bytes) -> str | None:
    """Return the codec of UTF-16 without a mark, told by the zero bytes of its ASCII half."""
    head = raw[:512]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 < max(len(head), 16) or min(even, odd) * 8 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _seven_bits(raw: bytes, declared: str) -> Decoded:
    """Read ASCII; its escape sequences, where it has any, switch to Japanese or Korean."""
    for mark, codec in _ISO_2022:
        is_used = mark in raw and _codec_of(declared) != "utf-8"
        text = _strictly(raw, codec) if is_used else None
        if text is not None:
            if declared.lower().startswith("iso-2022"):
                return Decoded(text.encode("utf-8"), codec, 0, declared, ())
            return _with_guess(text, codec, declared, ())
    return Decoded(raw, "utf-8", 0, declared, ())


def _is_false(raw: bytes, codec: str) -> bool:
    """Tell whether what is declared reads as nonsense, and another encoding as a language."""
    sample = _sample(raw)
    best, reads = max(
        ((name, _reading(sample, name)) for name in CANDIDATES), key=lambda pair: pair[1]
    )
    if _is_single_byte(codec):
        runs = _HIGH.findall(sample)
        alone = sum(1 for run in runs if len(run) == 1)
        above = _count_above(sample)
        return reads >= _READS_WELL and above >= _ENOUGH and alone * 4 < above
    if codec not in CANDIDATES or codec == best or _count_above(sample) < _ENOUGH:
        return False
    declared = _reading(sample, codec)
    return declared < _READS_BADLY and reads > declared + _READS_BETTER


def _sample(raw: bytes) -> bytes:
    """Return the runs of bytes above 127, with the byte behind each that may belong to it."""
    found: list[bytes] = []
    length = 0
    for match in _RUN_AND_NEXT.finditer(raw):
        found.append(match[0])
        length += len(match[0])
        if length > _SAMPLE:
            break
    return b" ".join(found)


def _reading(sample: bytes, codec: str) -> float:
    """Return the coherence of a sample in a codec, less what its broken characters cost."""
    text = sample.decode(codec, "replace")
    broken = text.count(_REPLACED)
    letters = sum(1 for character in text if character > "\x7f") or 1
    return coherence(text.replace(_REPLACED, ""), codec) - _BROKEN_COST * broken / letters


def _marked(body: bytes, codec: str, skipped: int) -> Decoded:
    if codec == "utf-8":
        plain = _decoded(body) if not body.startswith(codecs.BOM_UTF8) else None
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
        if codec in _NO_CHARSETS or _ASCII_PROBE.decode(codec) != _ASCII_PROBE.decode("ascii"):
            return None
        _EVERY_BYTE.decode(codec, "replace").encode(codec, "replace")
    except _DECODE_FAILURES:
        return None
    return codec


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
    except _DECODE_FAILURES:
        return None


def _wrong_charset(declared: str, used: str) -> Problem:
    return Problem("wrong_charset", f"CA says {declared}, the text is {used}", 0)


def _guessed(raw: bytes, declared: str) -> Decoded:
    problems = (_wrong_charset(declared, "something else"),) if declared else ()
    if is_damaged_utf8(raw):
        damaged = Problem("damaged_encoding", "UTF-8 with broken characters", 0)
        return Decoded(raw, "utf-8", 0, declared, (*problems, damaged))
    codec = _guess_codec(raw)
    text = raw.decode(codec, "replace")
    if _REPLACED in text:
        problems = (*problems, _damaged(codec))
    return _with_guess(text, codec, declared, problems)


def _with_guess(text: str, codec: str, declared: str, problems: tuple[Problem, ...]) -> Decoded:
    guess = Problem("guessed_encoding", f"no valid CA; read as {codec}", 0)
    data = text.encode("utf-8", "replace")
    return Decoded(data, codec, 0, declared or _declared_charset(data), (*problems, guess))


def _guess_codec(raw: bytes) -> str:
    """Return the East Asian codec in which the text reads best, or latin-1."""
    runs = _HIGH.findall(raw)
    alone = sum(1 for run in runs if len(run) == 1)
    floor = _NONSENSE
    # Accented letters stand alone; so may Shift-JIS and Big5, whose second byte can be ASCII.
    if alone * 2 > _count_above(raw):
        if len(runs) < _FEW_RUNS:
            return "latin-1"
        floor = _READS_BADLY
    sample = _sample(raw)
    best, best_reading = "latin-1", floor
    for codec in CANDIDATES:
        reading = _reading(sample, codec)
        if reading > best_reading:
            best, best_reading = codec, reading
    return best

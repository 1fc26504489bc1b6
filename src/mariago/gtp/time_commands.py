"""Time settings, the standard's and KGS's; periods of Japanese byo-yomi are one stone each."""

from __future__ import annotations

from mariago.gtp.arguments import MANY, Entry, Table, color, real, syntax_error, whole
from mariago.gtp.clock import Clock
from mariago.gtp.session import Session

__all__ = ["COMMANDS"]

Words = tuple[str, ...]
_KGS_NUMBERS = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}


def _clock(main: str, period: str = "0", stones: int = 0) -> Clock:
    clock = Clock(real(main), real(period), stones)
    if min(clock.main_s, clock.period_s, clock.stones) < 0:
        raise syntax_error()
    return clock


def _time_settings(session: Session, words: Words) -> str:
    session.clock = _clock(words[0], words[1], whole(words[2]))
    return ""


def _time_left(session: Session, words: Words) -> str:
    side, seconds, stones = color(words[0]), real(words[1]), whole(words[2])
    if stones < 0:
        raise syntax_error()
    session.clock.left[side] = (max(seconds, 0.0), stones)
    return ""


def _kgs_time_settings(session: Session, words: Words) -> str:
    kind, numbers = words[0].lower(), words[1:]
    if _KGS_NUMBERS.get(kind) != len(numbers):
        raise syntax_error()
    if kind == "none":
        session.clock = Clock()
    elif kind == "absolute":
        session.clock = _clock(numbers[0])
    else:
        stones = whole(numbers[2])
        session.clock = _clock(numbers[0], numbers[1], stones if kind == "canadian" else 1)
    return ""


COMMANDS: Table = {
    "time_settings": Entry(_time_settings, 3),
    "time_left": Entry(_time_left, 3),
    "kgs-time_settings": Entry(_kgs_time_settings, 1, MANY),
}

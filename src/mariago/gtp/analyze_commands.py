"""Analysis while it goes on, for the boards that show it: Sabaki, Lizzie, q5Go and others.

The names and forms are Leela Zero's (``lz-``) and KataGo's (``kata-``). Analysis goes on until the
controller sends another line, an empty one too; ``genmove`` and ``search`` end by the player's own
limits. Searches run between batches of evaluations, so a new line is noticed within one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mariago.board.points import move_to_vertex
from mariago.errors import PlayerError
from mariago.gtp.analysis_lines import Wish, kata_line, lz_line, wish_of
from mariago.gtp.arguments import MANY, Entry, Table, color
from mariago.gtp.session import Session

if TYPE_CHECKING:
    from mariago.search import SearchResult

    Written = Callable[[SearchResult, Wish], str]
    Found = Callable[[], SearchResult]

__all__ = ["COMMANDS"]

Words = Sequence[str]
CANCELLED = "cancelled"
# Batches that an analysis stopped at once waits for, at most, to have something to say.
PATIENCE = 4


class _Reports:
    """Says what was found, every so often."""

    def __init__(
        self,
        session: Session,
        wish: Wish,
        written: Written | None,
        cancels: bool,
        patience: int = 0,
    ) -> None:
        self.outlet = session.outlet
        self.wish = wish
        self.written = written
        self.cancels = cancels
        self.patience = patience
        self.said = 0
        self.cancelled = False
        self.next_s = time.perf_counter() + wish.interval_s

    def __call__(self, found: Found) -> bool:
        """Report where it is time to; say whether the search is to end."""
        if self.outlet is None:
            return self.cancels
        if self.cancels and self.outlet.is_interrupted():
            if self.patience and not self.said and found().visits <= 1:
                self.patience -= 1  # no move has a visit yet
                return False
            self.cancelled = True
            return True
        now = time.perf_counter()
        if self.written is not None and now >= self.next_s and (now_found := found()).visits > 1:
            self.next_s = now + self.wish.interval_s
            self.say(now_found)
        return False

    def say(self, found: SearchResult) -> None:
        if self.outlet is not None and self.written is not None:
            if line := self.written(found, self.wish):  # an empty one would end the reply
                self.outlet.say(line)
            self.said += 1


def _searcher(session: Session) -> Any:
    if not hasattr(session.player, "watch"):
        raise PlayerError("this player does not search: analysis needs search:NET as the player")
    return session.player


def _analyze(written: Written, session: Session, words: Words) -> str:
    """Search on until the next line; at least one report is made, of moves with visits.

    Limits in the player's name (``visits`` and the like) are those of its moves, not of this.
    """
    wish = wish_of(words, session.position.to_move)
    player = _searcher(session)
    position, _ = session.question(wish.color)
    if session.outlet is not None:
        session.outlet.begin()
    reports = _Reports(session, wish, written, cancels=True, patience=PATIENCE)
    found = player.watch(position, reports)
    if session.outlet is None:
        return written(found, wish)
    if not reports.said:
        reports.say(found)
    return ""


def _search(
    written: Written | None, playing: bool, cancels: bool, session: Session, words: Words
) -> str:
    """Answer with a move, having said meanwhile what was found; ``playing`` puts it on the
    board."""
    wish = wish_of(words, session.position.to_move)
    player = _searcher(session)
    position, limits = session.question(wish.color)
    if session.outlet is not None and written is not None:
        session.outlet.begin()
    reports = _Reports(session, wish, written, cancels and session.outlet is not None)
    found = player.analyse(position, limits, reports)
    if reports.cancelled:
        word = CANCELLED
    else:
        reports.say(found)
        move = session.checked(wish.color, player.decided(found))
        word = "resign" if move is None else move_to_vertex(move, session.size)
        if playing and move is not None:
            session.play(wish.color, move)
    return word if written is None else f"play {word}"


def _stop(_session: Session, _words: Words) -> str:
    """Any line stops an analysis; this one does nothing else."""
    return ""


def _clear_cache(session: Session, _words: Words) -> str:
    session.forget()
    return ""


def _raw_net(session: Session, words: Words) -> str:
    from mariago.gtp.raw_net import raw_net

    return raw_net(session.player, session.position, words[0])


def _kata_search(session: Session, words: Words) -> str:
    move = session.choose(color(words[0]) if words else session.position.to_move)
    return "resign" if move is None else move_to_vertex(move, session.size)


COMMANDS: Table = {
    "lz-analyze": Entry(partial(_analyze, lz_line), 0, MANY),
    "kata-analyze": Entry(partial(_analyze, kata_line), 0, MANY),
    "lz-genmove_analyze": Entry(partial(_search, lz_line, True, False), 0, MANY),
    "kata-genmove_analyze": Entry(partial(_search, kata_line, True, False), 0, MANY),
    "kata-search": Entry(_kata_search, 0, 1),
    "kata-search_analyze": Entry(partial(_search, kata_line, False, False), 0, MANY),
    "kata-search_cancellable": Entry(partial(_search, None, False, True), 0, MANY),
    "kata-search_analyze_cancellable": Entry(partial(_search, kata_line, False, True), 0, MANY),
    "kata-raw-nn": Entry(_raw_net, 1),
    "clear_cache": Entry(_clear_cache, 0, MANY),
    "stop": Entry(_stop, 0, MANY),
}

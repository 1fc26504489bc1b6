"""Who plays which game, where several processes play into one store.

A process claims a game before it plays it. A claim holds for :data:`LEASE_S` and is renewed while
the process lives, so that the games of one that was killed are taken again: at once where it ran on
this machine, else when its claim has run out. The clocks of machines that share a store may differ
by half a minute. The claim of a finished game stays for ever.
"""

from __future__ import annotations

import os
import platform
import secrets
import threading
import time
from contextlib import suppress

from sqlalchemy import Engine, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from mariago.arena.store_tables import ClaimRow, GameRow

__all__ = ["FOR_EVER_S", "LEASE_S", "Claims", "is_gone"]

LEASE_S = 60.0
RENEW_S = 15.0
FOR_EVER_S = 1e300


def _here() -> str:
    """Return what names this machine, or this container: where process numbers mean the same."""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return f"{platform.node()[:80]} {space}"


def _new_holder() -> str:
    return f"{_here()}|{os.getpid()}|{secrets.token_hex(4)}"


def is_gone(holder: str) -> bool:
    """Say whether a holder is known to have ended; False where that cannot be known from here."""
    here, _, rest = holder.partition("|")
    number = rest.partition("|")[0]
    if here != _here() or os.name != "posix" or not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


class Claims:
    """The games that this process has claimed; closing lets go of those that were not played."""

    def __init__(self, engine: Engine) -> None:
        self.holder = _new_holder()
        self._engine = engine
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, match_id: int, number: int) -> bool:
        """Claim a game; False where another one plays it or it is there already.

        Raises:
            SQLAlchemyError: the store cannot be used.
        """
        with Session(self._engine) as session:
            now_s = time.time()
            session.add(
                ClaimRow(
                    match_id=match_id, number=number, holder=self.holder, until_s=now_s + LEASE_S
                )
            )
            try:
                session.commit()
            except IntegrityError:
                session.rollback()
                if not self._take_over(session, match_id, number):
                    return False
            if session.get(GameRow, (match_id, number)) is None:
                return True
            session.merge(
                ClaimRow(match_id=match_id, number=number, holder=self.holder, until_s=FOR_EVER_S)
            )
            session.commit()
            return False

    def _take_over(self, session: Session, match_id: int, number: int) -> bool:
        """Take a claim that has run out, or whose holder has ended."""
        mine = ClaimRow.match_id == match_id, ClaimRow.number == number
        found = session.execute(select(ClaimRow.holder, ClaimRow.until_s).where(*mine)).first()
        if found is None:
            return False  # given back in this moment; the next look finds it free
        holder, until_s = found
        now_s = time.time()
        if until_s >= FOR_EVER_S or (until_s >= now_s and not is_gone(holder)):
            return False
        session.rollback()  # a transaction that begins with the update sees all others' ends
        taken = session.execute(
            update(ClaimRow)
            .where(*mine, ClaimRow.holder == holder, ClaimRow.until_s == until_s)
            .values(holder=self.holder, until_s=now_s + LEASE_S)
        )
        session.commit()
        return taken.rowcount == 1  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]

    def release(self, match_id: int, number: int) -> None:
        """Let go of a game that was not finished."""
        self._free(ClaimRow.match_id == match_id, ClaimRow.number == number)

    def close(self) -> None:
        """Let go of all games that were not finished, and renew no more."""
        self._ended.set()
        self._thread.join(RENEW_S)
        self._free()

    def _free(self, *where: object) -> None:
        with suppress(SQLAlchemyError), Session(self._engine) as session:  # it runs out by itself
            mine = ClaimRow.holder == self.holder, ClaimRow.until_s < FOR_EVER_S
            session.execute(update(ClaimRow).where(*mine, *where).values(until_s=0.0))  # pyright: ignore
            session.commit()

    def _renew(self) -> None:
        while not self._ended.wait(RENEW_S):
            with suppress(SQLAlchemyError), Session(self._engine) as session:
                mine = (
                    ClaimRow.holder == self.holder,
                    ClaimRow.until_s < FOR_EVER_S,
                    ClaimRow.until_s > 0,
                )
                later_s = time.time() + LEASE_S
                session.execute(update(ClaimRow).where(*mine).values(until_s=later_s))
                session.commit()

"""What a store keeps beside the games: openings, and the counts of other referees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Delete, delete, inspect, select
from sqlalchemy.exc import IntegrityError

from mariago.arena.recounts import Recount
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.arena.start import Opening, Start
from mariago.arena.store import MatchStore
from mariago.arena.store_tables import OpeningRow, RecountRow, told
from mariago.errors import MariagoError

__all__ = ["keep_openings", "keep_recount", "kept_openings", "kept_recounts"]


def _has(store: MatchStore, table: str) -> bool:
    """Say whether a store that is only read has a table: those of earlier versions lack some."""
    return inspect(store.store.engine).has_table(table)


def kept_openings(store: MatchStore) -> list[Opening]:
    """Return the openings of a match by pairs; none where they hang on its seed alone.

    Raises:
        MatchError: they cannot be read, or are none.
    """
    with told(store.path):
        if not _has(store, OpeningRow.__tablename__):
            return []
        with store.store.session() as session:
            mine = select(OpeningRow).where(OpeningRow.match_id == store.number)
            rows = session.scalars(mine.order_by(OpeningRow.number)).all()
            found = [_opening_of(row) for row in rows]
            numbers = [row.number for row in rows]
    if numbers != list(range(len(numbers))):
        raise store.damaged("an opening is missing")
    settings = store.settings()
    for number, opening in enumerate(found):
        fault = _fault(opening, settings)
        if fault:
            raise store.damaged(f"opening {number}: {fault}")
    return found


def _fault(opening: Opening, settings: MatchSettings) -> str:
    """Return why no game can begin so; empty where one can."""
    fault = "" if opening.start is None else opening.start.why_impossible(settings.size)
    if fault or not all(type(move) is int for move in opening.moves):
        return fault or "moves that are none"
    try:
        position = start_position(settings, opening.start)
        for move in opening.moves:
            position = position.play(move)
    except MariagoError as error:
        return str(error)
    return ""


def _opening_of(row: OpeningRow) -> Opening:
    start = None if row.start is None else Start.from_list(row.start)
    return Opening(tuple(row.moves), start, row.name, row.black_wins, row.tried)


def keep_openings(store: MatchStore, openings: Sequence[Opening], first: int) -> None:
    """Keep openings from the pair ``first`` on; those that another process kept by now stay."""
    for number, opening in enumerate(openings, first):
        start: Any = None if opening.start is None else opening.start.as_list()
        _add(
            store,
            OpeningRow(
                match_id=store.number,
                number=number,
                start=start,
                moves=list(opening.moves),
                name=opening.name,
                black_wins=opening.black_wins,
                tried=opening.tried,
            ),
        )


def _add(store: MatchStore, row: OpeningRow | RecountRow, before: Delete | None = None) -> None:
    """Add a row that is not there yet, and do ``before`` with it."""
    with told(store.path), store.store.session() as session:
        if before is not None:
            session.execute(before)
        session.add(row)
        try:
            session.commit()
        except IntegrityError:
            session.rollback()


def kept_recounts(store: MatchStore, referee: str) -> dict[int, Recount]:
    """Return what a referee, by its hash, said of the games of a match, by their numbers."""
    with told(store.path):
        if not _has(store, RecountRow.__tablename__):
            return {}
        with store.store.session() as session:
            mine = RecountRow.match_id == store.number, RecountRow.referee == referee
            rows = session.scalars(select(RecountRow).where(*mine)).all()
            return {row.number: Recount(row.number, row.margin, row.detail) for row in rows}


def keep_recount(store: MatchStore, referee: str, found: Recount) -> None:
    """Keep what a referee said of a game; it is on disk when this returns.

    It takes the place of an earlier try that counted nothing.
    """
    failed = (
        RecountRow.match_id == store.number,
        RecountRow.number == found.number,
        RecountRow.referee == referee,
        RecountRow.margin.is_(None),
    )
    row = RecountRow(
        match_id=store.number,
        number=found.number,
        referee=referee,
        margin=found.margin,
        detail=found.detail,
    )
    _add(store, row, delete(RecountRow).where(*failed))

"""The store of matches: a database, by default one SQLite file, a row for every finished game.

Each game is committed as it ends, so that a match that is killed loses only the games in hand.
Several processes may play into one store: see :mod:`mariago.arena.claims`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Engine, inspect, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from mariago.arena.checks import game_fault
from mariago.arena.claims import FOR_EVER_S, Claims
from mariago.arena.records import GameRecord
from mariago.arena.settings import MatchSettings, differences
from mariago.arena.store_tables import (
    FORMAT,
    ClaimRow,
    GameRow,
    MatchRow,
    check_not_emptied,
    copy_in_memory,
    damaged,
    engine_of_file,
    engine_of_url,
    leave_wal,
    make_tables,
    numbered,
    record_of,
    refuse_other_tables,
    row_of,
    told,
    upgrade,
)
from mariago.errors import MatchError, first_fault

__all__ = ["FILE_NAME", "FORMAT", "LEAGUE_FILE_NAME", "MatchStore", "Store", "key_of"]

FILE_NAME = "match.sqlite"
LEAGUE_FILE_NAME = "league.sqlite"
Described = Mapping[str, Mapping[str, object]]


def key_of(settings: MatchSettings, players: Described) -> str:
    """Return the hash of what makes a match one match: its settings without games, its players."""
    terms = settings.model_dump(mode="json", exclude={"games"}, exclude_defaults=True)
    text = json.dumps([terms, players], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Store:
    """A database of matches."""

    def __init__(self, path: Path | str, engine: Engine, *, write: bool) -> None:
        self.path = path
        self.engine = engine
        self._write = write

    @classmethod
    def make(cls, place: Path | str) -> Store:
        """Open an SQLite file or the database of a URL to write, with its tables.

        Raises:
            MatchError: it cannot be used, was made by another version, or was emptied.
        """
        if isinstance(place, str):
            path, engine = engine_of_url(place, write=True)
        else:
            check_not_emptied(place)
            path, engine = place, engine_of_file(place, write=True)
        return cls(path, engine, write=True)._looked_at()

    @classmethod
    def read(cls, place: Path | str) -> Store:
        """Open an SQLite file or the database of a URL; nothing is written.

        Raises:
            MatchError: there is no store, or it cannot be read.
        """
        if isinstance(place, str):
            path, engine = engine_of_url(place, write=False)
        else:
            path, engine = place, engine_of_file(place, write=False)
        return cls(path, engine, write=False)._looked_at()

    def _looked_at(self) -> Store:
        """Return the store when its tables are known to be those of matches."""
        try:
            with told(self.path):
                refuse_other_tables(self.path, self.engine)
                self._bring_up_to_date()
                if self._write:
                    make_tables(self.engine)
                elif not inspect(self.engine).has_table("match"):
                    raise MatchError("no match here", where=self.path, hint="is it another file?")
                with self.session() as session:
                    owners = set(session.scalars(select(GameRow.match_id).distinct()))
                    formats = set(session.scalars(select(MatchRow.format)))
                    known = set(session.scalars(select(MatchRow.id)))
            if formats - {FORMAT}:
                found = ", ".join(f"{one}" for one in formats - {FORMAT})
                hint = "it was made by another version; choose another --out"
                raise MatchError(f"format {found}, not {FORMAT}", where=self.path, hint=hint)
            if owners - known:
                raise damaged(self.path, "games without the match that they belong to")
        except MatchError:
            self.close()
            raise
        return self

    def _bring_up_to_date(self) -> None:
        if not self._write and isinstance(self.path, Path) and self._is_older():
            self.engine.dispose()
            self.engine = copy_in_memory(self.path)
        upgrade(self.engine)

    def _is_older(self) -> bool:
        found = inspect(self.engine)
        if not found.has_table("game"):
            return False
        columns = {column["name"] for column in found.get_columns("game")}
        return not {"match_id", "left", "start"} <= columns

    def session(self) -> Session:
        """Return a session; use :func:`told` round it."""
        return Session(self.engine)

    def numbers(self) -> list[int]:
        """Return the numbers of the matches."""
        with told(self.path), self.session() as session:
            return list(session.scalars(select(MatchRow.id).order_by(MatchRow.id)))

    def matches(self) -> list[MatchStore]:
        """Return all matches; closing the store closes them."""
        return [MatchStore(self, number) for number in self.numbers()]

    def claims(self) -> Claims:
        """Return a hand that takes games for this process."""
        return Claims(self.engine)

    def find(self, settings: MatchSettings, players: Described) -> MatchStore | None:
        """Return the match with these players and settings, whatever its number of games."""
        with told(self.path), self.session() as session:
            wanted = select(MatchRow.id).where(MatchRow.key == key_of(settings, players))
            number = session.scalars(wanted).first()
        return None if number is None else MatchStore(self, number)

    def add_match(
        self, settings: MatchSettings, players: Described, number: int | None = None
    ) -> MatchStore:
        """Add a match, or return the equal one that another process added in this moment."""
        row = MatchRow(
            id=number,
            format=FORMAT,
            settings=settings.model_dump(mode="json"),
            players=players,
            key=key_of(settings, players),
        )
        with told(self.path), self.session() as session:
            session.add(row)
            try:
                session.commit()
            except IntegrityError:
                session.rollback()
            else:
                return MatchStore(self, row.id)
        found = self.find(settings, players)
        if found is None:
            raise damaged(self.path, f"there is another match with number {number}")
        return found

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()
        if self._write and isinstance(self.path, Path) and self.path.is_file():
            leave_wal(self.path)


class MatchStore:
    """The games of one match."""

    def __init__(self, store: Store, number: int) -> None:
        self.store = store
        self.number = number
        self.path = store.path

    @classmethod
    def begin(
        cls,
        folder: Path,
        settings: MatchSettings,
        players: Described,
        *,
        resume: bool = False,
        url: str | None = None,
    ) -> MatchStore:
        """Open the store of ``folder`` for a match, or make it.

        Args:
            url: a database in place of ``match.sqlite``; it may hold other matches too.

        Raises:
            MatchError: the folder has a match already and ``resume`` is false, or its match has
                other settings or players. More games are no other match: openings and seeds
                of the first ones stay, and the store has the larger number from here on.
        """
        path = folder / FILE_NAME
        hint = "--resume goes on with it; or choose another --out"
        if url is None and path.exists() and not resume:
            raise MatchError("the folder holds a match already", where=folder, hint=hint)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MatchError(f"cannot be a folder: {error.strerror}", where=folder) from None
        plain: Described = json.loads(json.dumps(players))
        store = Store.make(path if url is None else url)
        try:
            if url is None:
                found = cls(store, 1) if store.numbers() else None
            else:
                found = store.find(settings, plain)
                if found is not None and not resume:
                    raise MatchError("the store holds this match", where=store.path, hint=hint)
            if found is None:
                return store.add_match(settings, plain, 1 if url is None else None)
            found.go_on(settings, plain)
        except BaseException:
            store.close()
            raise
        return found

    @classmethod
    def open(cls, place: Path | str) -> MatchStore:
        """Open the store of a match that was begun; nothing is written.

        Args:
            place: as for :meth:`open_all`.

        Raises:
            MatchError: there is none or several, or it cannot be read.
        """
        found = cls.open_all(place)
        if len(found) > 1:
            found[0].close()
            hint = f"name one of them: {place}#{found[0].number} to {place}#{found[-1].number}"
            raise MatchError(f"{len(found)} matches here", where=place, hint=hint)
        return found[0]

    @classmethod
    def open_all(cls, place: Path | str) -> list[MatchStore]:
        """Open all matches of a place, one at least; closing one closes all. Nothing is written.

        Args:
            place: the folder of a match or a league, its SQLite file, or a database's URL
                (``postgresql://USER@HOST/NAME``). Where it holds several matches ``#2`` after it
                names the second.

        Raises:
            MatchError: there is none, or it cannot be read.
        """
        where, number = numbered(place)
        if isinstance(where, str):
            store = Store.read(where)
        else:
            names = (where, where / FILE_NAME, where / LEAGUE_FILE_NAME)
            path = next((name for name in names if name.is_file()), None)
            if path is None:
                raise MatchError("no match here", where=place, hint=f"a match has a {FILE_NAME}")
            store = Store.read(path)
        try:
            numbers = store.numbers()
            if number is not None and number not in numbers:
                raise MatchError(f"no match {number} here", where=place)
        except MatchError:
            store.close()
            raise
        return [cls(store, n) for n in ([number] if number is not None else numbers or [1])]

    def go_on(self, settings: MatchSettings, players: Described) -> None:
        """Take the match up again, with as many games or more.

        Raises:
            MatchError: other settings or players than those it began with.
        """
        before_settings = self.settings()
        more = settings.games > before_settings.games
        known: dict[str, object] = before_settings.model_dump()
        known |= {"games": settings.games} if more else {}
        changed = differences(known, settings.model_dump())
        if not changed:
            before = self.players()
            if before.keys() != {"a", "b"}:
                raise self.damaged("the two players are not described")
            for player in ("a", "b"):
                lines = differences(before[player], dict(players[player]))
                changed += [f"Player {player.upper()}'s {line}" for line in lines]
        if changed:
            where = self.path.parent if isinstance(self.path, Path) else self.path
            raise MatchError(
                "the match to be resumed has other settings: " + "; ".join(changed),
                where=where,
                hint="resume it with the settings it began with (--games may grow), "
                "or choose another --out",
            )
        with told(self.path), self.store.session() as session:
            row = session.get(MatchRow, self.number)
            if row is not None and (more or row.key is None):
                row.settings = settings.model_dump(mode="json")
                row.key = key_of(settings, players)
                session.commit()

    def _match(self) -> MatchRow:
        with told(self.path), self.store.session() as session:
            row = session.get(MatchRow, self.number)
        if row is None:
            raise self.damaged("it holds no match")
        return row

    def settings(self) -> MatchSettings:
        """Return the settings of the match.

        Raises:
            MatchError: they are not there, or no match can have them.
        """
        try:
            return MatchSettings.model_validate(self._match().settings)
        except ValidationError as error:
            raise self.damaged(f"settings: {first_fault(error)}") from None

    def players(self) -> dict[str, dict[str, object]]:
        """Return what ``"a"`` and ``"b"`` said of themselves when the match began."""
        found: object = self._match().players
        if not isinstance(found, dict) or not all(isinstance(v, dict) for v in found.values()):  # pyright: ignore
            raise self.damaged("the players are not described")
        return found  # pyright: ignore[reportUnknownVariableType]

    def add(self, game: GameRecord) -> None:
        """Keep a game; it is on disk when this returns. One that is there already stays.

        Raises:
            MatchError: it cannot be written, as when the disk is full.
        """
        claim = ClaimRow(
            match_id=self.number, number=game.number, holder="played", until_s=FOR_EVER_S
        )
        with told(self.path), self.store.session() as session, suppress(IntegrityError):
            session.add(row_of(game, self.number))
            session.flush()
            session.merge(claim)
            session.commit()

    def kept(self) -> set[int]:
        """Return the numbers of the games that are there."""
        with told(self.path), self.store.session() as session:
            mine = GameRow.match_id == self.number
            return set(session.scalars(select(GameRow.number).where(mine)))

    def games(self, besides: set[int] | None = None) -> list[GameRecord]:
        """Return the games in the order of their numbers, without the numbers ``besides``.

        Raises:
            MatchError: a game that this match cannot have.
        """
        settings = self.settings()
        wanted = select(GameRow).where(GameRow.match_id == self.number).order_by(GameRow.number)
        if besides:
            new = self.kept() - besides
            if not new:
                return []
            wanted = wanted.where(GameRow.number.in_(new))
        with told(self.path), self.store.session() as session:
            rows: Sequence[GameRow] = session.scalars(wanted).all()
            records = [record_of(row) for row in rows]
        for record in records:
            fault = game_fault(record, settings)
            if fault:
                raise self.damaged(f"game {record.number}: {fault}")
        return records

    def damaged(self, what: str) -> MatchError:
        """Return the error that says how this file cannot be what a match left."""
        return damaged(self.path, what)

    def close(self) -> None:
        """Close the store that the match lies in."""
        self.store.close()

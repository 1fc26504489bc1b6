"""A league: several players, a match for every two that meet, one store, one table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from mariago.arena.match import MatchResult
from mariago.arena.opening_deal import can_be_dealt
from mariago.arena.playing import OnBegin, OnGame, OnWait, OpenMatch, play_open
from mariago.arena.referee import OnRecount, asked_again, referee_of
from mariago.arena.settings import MatchSettings, differences
from mariago.arena.standings import Standings, StoredMatch, standings_of
from mariago.arena.statistics.ratings import Model
from mariago.arena.stopping import counted_games
from mariago.arena.store import LEAGUE_FILE_NAME, MatchStore, Store
from mariago.arena.store_besides import kept_openings
from mariago.arena.summary import summarise
from mariago.arena.workers import Bench, Prepare
from mariago.errors import MatchError
from mariago.players import resolve_name

__all__ = ["League", "LeagueResult", "pairing_seed", "play_league", "read_player_list"]

PAIRINGS_FOLDER = "pairings"
OWN_OF_A_PAIRING = {"player_a", "player_b", "games", "seed"}
Description = dict[str, object]


def pairing_seed(seed: int, one: str, other: str) -> int:
    """Return the seed of a pairing: it hangs on the league's and the two names alone."""
    text = "\n".join([str(seed), *sorted((one, other))])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


@dataclass(frozen=True, slots=True)
class League:
    """Who meets whom, and on which terms."""

    terms: MatchSettings
    """Those of every pairing but the players; ``games`` are a pairing's, ``seed`` the league's."""
    pool: tuple[str, ...]
    new: tuple[str, ...] = ()
    """Players who meet those of the pool, who do not meet each other then."""

    @classmethod
    def of(cls, terms: MatchSettings, pool: Sequence[str], new: Sequence[str] = ()) -> League:
        """Return a league of players by their names, aliases followed.

        Raises:
            MatchError: too few players, or one that is named twice.
            PlayerError: a name that means nothing.
        """
        named = [resolve_name(name) for name in (*pool, *new)]
        twice = next((name for name in named if named.count(name) > 1), None)
        if twice is not None:
            hint = "a league has every player once; name it once"
            raise MatchError(f"{twice} is named twice", where="PLAYERS", hint=hint)
        if len(named) < 2 or len(named) == len(new):
            hint = "name at least two, or one and --new another"
            raise MatchError("too few players for a league", where="PLAYERS", hint=hint)
        return cls(terms, tuple(named[: len(pool)]), tuple(named[len(pool) :]))

    @property
    def pairings(self) -> list[MatchSettings]:
        """Return the matches to be played: everybody against everybody, or new against pool."""
        pairs = (
            [(one, other) for one in self.new for other in self.pool]
            if self.new
            else list(combinations(self.pool, 2))
        )
        return [self._between(*sorted(pair)) for pair in pairs]

    def _between(self, a: str, b: str) -> MatchSettings:
        seed = pairing_seed(self.terms.seed, a, b)
        return self.terms.model_copy(update={"player_a": a, "player_b": b, "seed": seed})

    def has(self, settings: MatchSettings) -> bool:
        """Say whether a match is one of this league, of whatever players."""
        seed = pairing_seed(self.terms.seed, settings.player_a, settings.player_b)
        return not self._differences(settings) and settings.seed == seed

    def _differences(self, settings: MatchSettings) -> list[str]:
        before = settings.model_dump(exclude=OWN_OF_A_PAIRING)
        return differences(before, self.terms.model_dump(exclude=OWN_OF_A_PAIRING))

    def refuse(self, settings: MatchSettings, where: object) -> None:
        """Refuse to go on with a league whose matches are not of this one.

        Raises:
            MatchError: that.
        """
        told = self._differences(settings) or ["seed: another one now"]
        raise MatchError(
            "the league to be resumed has other settings: " + "; ".join(told),
            where=where,
            hint="resume it with the settings it began with (players may come, --games may "
            "grow), or choose another --out",
        )


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """What a league came to; matches of earlier runs included."""

    league: League
    matches: tuple[MatchResult, ...]
    numbers: tuple[int, ...]
    """The matches' numbers in the store."""
    standings: Standings
    folder: Path


def play_league(
    league: League,
    folder: Path,
    *,
    jobs: int = 1,
    resume: bool = False,
    store_url: str | None = None,
    referee: str | None = None,
    model: Model = "davidson",
    anchor: str | None = None,
    prepare: Prepare | None = None,
    on_begin: OnBegin | None = None,
    on_game: OnGame | None = None,
    on_wait: OnWait | None = None,
    on_recount: OnRecount | None = None,
) -> LeagueResult:
    """Play a league, or what is left of it, keeping every game as it ends.

    Args:
        folder: gets ``league.sqlite`` and a folder for every pairing, ``pairings/001`` and so on.
        resume: go on with the league in ``folder``: players may have come, games may be more.
        model, anchor: see :func:`standings_of`.
        jobs, store_url, referee, prepare, on_begin, on_game, on_wait, on_recount: see
            :func:`play_match`.

    Raises:
        MatchError: the folder has a league already and ``resume`` is false, or one with other
            settings or players.
        PlayerError: a player that cannot be built.
    """
    bench = Bench()
    try:
        other = None if referee is None else referee_of(referee)
        names = dict.fromkeys(n for s in league.pairings for n in (s.player_a, s.player_b))
        described = {name: bench.player(name).describe() for name in names}
        can_be_dealt(league.pairings[0])  # what cannot be drawn is said before there is a folder
        store = _store(folder, resume, store_url)
        try:
            members = _members(league, store, alone=store_url is None)
            if members and not resume:
                hint = "--resume goes on with it; or choose another --out"
                raise MatchError("the store holds this league", where=store.path, hint=hint)
            opened = [
                _opened(settings, described, store, members, folder) for settings in league.pairings
            ]
            play_open(
                store,
                opened,
                bench,
                jobs=jobs,
                prepare=prepare,
                on_begin=on_begin,
                on_game=on_game,
                on_wait=on_wait,
            )
            found = _result(league, store, folder, model, anchor, alone=store_url is None)
            if other is None:
                return found
            matches: list[MatchResult] = []
            for number, match in zip(found.numbers, found.matches, strict=True):
                second = asked_again(
                    *(MatchStore(store, number), match.settings, match.games, other),
                    jobs=jobs,
                    prepare=prepare,
                    on_recount=on_recount,
                )
                matches.append(replace(match, second=second))
            return replace(found, matches=tuple(matches))
        finally:
            store.close()
    finally:
        bench.close()


def _store(folder: Path, resume: bool, url: str | None) -> Store:
    path = folder / LEAGUE_FILE_NAME
    if url is None and path.exists() and not resume:
        hint = "--resume goes on with it; or choose another --out"
        raise MatchError("the folder holds a league already", where=folder, hint=hint)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MatchError(f"cannot be a folder: {error.strerror}", where=folder) from None
    return Store.make(path if url is None else url)


def _members(
    league: League, store: Store, *, alone: bool
) -> list[tuple[MatchStore, MatchSettings]]:
    """Return the stored matches of the league; in a file of its own there are no others.

    Raises:
        MatchError: a file of its own has others.
    """
    members: list[tuple[MatchStore, MatchSettings]] = []
    for match in store.matches():
        settings = match.settings()
        if league.has(settings):
            members.append((match, settings))
        elif alone:
            league.refuse(settings, store.path)
    return members


def _opened(
    settings: MatchSettings,
    described: dict[str, Description],
    store: Store,
    members: list[tuple[MatchStore, MatchSettings]],
    folder: Path,
) -> OpenMatch:
    players = {"a": described[settings.player_a], "b": described[settings.player_b]}
    pair = settings.player_a, settings.player_b
    match = next((m for m, s in members if (s.player_a, s.player_b) == pair), None)
    if match is None:
        match = store.add_match(settings, players)
    else:
        match.go_on(settings, players)
    return OpenMatch(match, settings, _folder_of(folder, match.number))


def _folder_of(folder: Path, number: int) -> Path:
    return folder / PAIRINGS_FOLDER / f"{number:03d}"


def _result(
    league: League, store: Store, folder: Path, model: Model, anchor: str | None, *, alone: bool
) -> LeagueResult:
    results: list[MatchResult] = []
    numbers: list[int] = []
    stored: list[StoredMatch] = []
    for match, settings in _members(league, store, alone=alone):
        kept = match.games()
        players = match.players()
        games = counted_games(settings, kept).games
        place = _folder_of(folder, match.number)
        summary, openings = summarise(settings, kept), tuple(kept_openings(match))
        results.append(MatchResult(settings, players, games, summary, place, openings))
        numbers.append(match.number)
        name = f"{settings.player_a} – {settings.player_b}"
        stored.append(StoredMatch(name, settings, players, tuple(kept)))
    standings = standings_of(stored, model=model, anchor=anchor)
    return LeagueResult(league, tuple(results), tuple(numbers), standings, folder)


def read_player_list(path: Path) -> list[str]:
    """Return the players of a file, one a line; empty lines and those after ``#`` are left out.

    Raises:
        MatchError: it cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        hint = "a text file with the name of a player on each line; mariago players lists names"
        raise MatchError(f"cannot be read: {why}", where=path, hint=hint) from None
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]

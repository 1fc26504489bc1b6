"""Playing what the matches of a store still lack, one match or a whole league."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from mariago.arena.claims import Claims
from mariago.arena.opening_deal import OnOpenings, openings_of
from mariago.arena.pool import ends_in_order
from mariago.arena.records import GameRecord
from mariago.arena.schedule import plan_games
from mariago.arena.settings import MatchSettings
from mariago.arena.sgf_text import file_name, sgf_of
from mariago.arena.stopping import PairWatch
from mariago.arena.store import MatchStore, Store
from mariago.arena.store_tables import told
from mariago.arena.workers import Bench, Lost, Prepare, Task, play_all
from mariago.board import jit
from mariago.board.files import write_whole

__all__ = ["GAMES_FOLDER", "OnBegin", "OnGame", "OnWait", "OpenMatch", "play_open"]

GAMES_FOLDER = "games"
LOOK_AGAIN_S = 1.0  # how often a process looks whether another one has ended its games

OnBegin = Callable[[int], None]
OnGame = Callable[[GameRecord | None], None]
OnWait = Callable[[int], None]


class OpenMatch:
    """A match that is being played: what is planned, what is there, what was lost."""

    def __init__(
        self,
        store: MatchStore,
        settings: MatchSettings,
        folder: Path,
        on_openings: OnOpenings | None = None,
    ) -> None:
        """Take a match up.

        Args:
            folder: gets ``games/00001.sgf`` and so on.
            on_openings: see :func:`mariago.arena.opening_deal.openings_of`.

        Raises:
            MatchError: no openings can be drawn for these settings.
        """
        self.store = store
        self.settings = settings
        self.folder = folder
        self.openings = openings_of(store, settings, on_openings)
        """Those of the pairs; ``None`` for the short random ones."""
        self.plan = plan_games(settings, self.openings)
        self.known: set[int] = set()
        """Numbers of the games that are in the store."""
        self.lost: set[int] = set()
        """Numbers of games that ended their workers."""
        self._watch = PairWatch(settings)

    @property
    def decided(self) -> bool:
        """Say whether a sequential test has ended the match."""
        return self._watch.decided

    @property
    def left(self) -> list[int]:
        """Return the numbers of the games that are still to be played."""
        return [n for n in range(len(self.plan)) if self.wants(n)]

    def wants(self, number: int) -> bool:
        """Say whether a game is still to be played."""
        done = self.decided or number in self.known or number in self.lost
        return number < len(self.plan) and not done

    def catch_up(self, on_game: OnGame | None) -> None:
        """Take in the games of the store that are not known yet, and write their SGF files."""
        games = self.folder / GAMES_FOLDER
        if not self.known:
            games.mkdir(parents=True, exist_ok=True)
            for left in games.glob(".*.sgf.*.part"):
                if time.time() - left.stat().st_mtime > 1:
                    left.unlink()  # of a run that was killed while writing
        for game in self.store.games(self.known):
            planned = self.plan[game.number]
            if (game.opening, game.start) != (planned.opening, planned.start):
                raise self.store.damaged(
                    f"game {game.number}: its opening is not that of the match"
                )
            self._take(game, on_game, write=not (games / file_name(game.number)).exists())

    def keep(self, game: GameRecord, on_game: OnGame | None) -> None:
        """Keep a game that was played here."""
        game = replace(game, sgf=sgf_of(game, self.settings))
        self.store.add(game)
        self._take(game, on_game, write=True)

    def lose(self, number: int, on_game: OnGame | None) -> None:
        """Take note of a game that ended its worker twice."""
        self.lost.add(number)
        if on_game is not None:
            on_game(None)
        self._watch.note(number, None)

    def _take(self, game: GameRecord, on_game: OnGame | None, *, write: bool) -> None:
        if game.number in self.known:
            return
        self.known.add(game.number)
        if write:
            write_whole(self.folder / GAMES_FOLDER / file_name(game.number), game.sgf)
        if on_game is not None:
            on_game(game)
        self._watch.note(game.number, game)


def play_open(
    store: Store,
    matches: Sequence[OpenMatch],
    bench: Bench,
    *,
    jobs: int,
    prepare: Prepare | None = None,
    on_begin: OnBegin | None = None,
    on_game: OnGame | None = None,
    on_wait: OnWait | None = None,
) -> None:
    """Play all that is left of ``matches``, which lie in ``store``.

    Games that other processes have in hand are waited for, and played here where those end.

    Args:
        bench: the players of this process; with more jobs than one it is closed first.
        on_begin: called once, before any game is played, with the number of those that are there.
        on_game: called with each game as it is kept, with None for one that was lost, and first
            with those that were there already.
        on_wait: called once with the number of games that only other processes have in hand.

    Raises:
        MatchError: the store cannot be used or was changed.
    """
    for match in matches:
        match.catch_up(on_game)
    if on_begin is not None:
        on_begin(sum(len(match.known) for match in matches))
    if not any(match.left for match in matches):
        return
    if jobs > 1:
        jit.warm_all()  # once here rather than in every worker
        bench.close()
    with ends_in_order(), told(store.path), store.claims() as claims:
        while True:
            _play_what_is_free(matches, claims, bench, jobs, prepare, on_game)
            for match in matches:
                match.catch_up(on_game)
            left = sum(len(match.left) for match in matches)
            if not left:
                return
            if on_wait is not None:
                on_wait(left)
                on_wait = None
            time.sleep(LOOK_AGAIN_S)


def _play_what_is_free(
    matches: Sequence[OpenMatch],
    claims: Claims,
    bench: Bench,
    jobs: int,
    prepare: Prepare | None,
    on_game: OnGame | None,
) -> None:
    with closing(play_all(_taken(matches, claims), bench, jobs, prepare)) as outcomes:
        for outcome in outcomes:
            match = matches[outcome.match]
            if isinstance(outcome, Lost):
                match.lose(outcome.number, on_game)
                claims.release(match.store.number, outcome.number)
            elif not match.decided:
                match.keep(outcome.game, on_game)
            if match.decided and not any(other.left for other in matches):
                return


def _taken(matches: Sequence[OpenMatch], claims: Claims) -> Iterator[Task]:
    """Claim and yield games pair by pair, a pair of every match before the next of any."""
    rounds = max(len(match.plan) for match in matches) // 2
    for pair in range(rounds):
        for index, match in enumerate(matches):
            for number in (2 * pair, 2 * pair + 1):
                if match.wants(number) and claims.take(match.store.number, number):
                    yield Task(index, match.settings, match.plan[number])

"""A match from its settings to its games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mariago.arena.opening_deal import OnOpenings, can_be_dealt
from mariago.arena.playing import GAMES_FOLDER, OnBegin, OnGame, OnWait, OpenMatch, play_open
from mariago.arena.records import GameRecord
from mariago.arena.referee import OnRecount, asked_again, referee_of
from mariago.arena.second_figures import SecondFigures
from mariago.arena.settings import MatchSettings
from mariago.arena.start import Opening
from mariago.arena.stopping import counted_games
from mariago.arena.store import MatchStore
from mariago.arena.summary import Summary, summarise
from mariago.arena.workers import Bench, Prepare
from mariago.players import resolve_name

__all__ = ["GAMES_FOLDER", "MatchResult", "play_match", "with_names"]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match came to."""

    settings: MatchSettings
    players: dict[str, dict[str, object]]
    """What the players say of themselves, by ``"a"`` and ``"b"``."""
    games: tuple[GameRecord, ...]
    """Those that count, in the order of their numbers; see :mod:`mariago.arena.stopping`."""
    summary: Summary
    folder: Path
    openings: tuple[Opening, ...] = ()
    """Those of the pairs, where they do not hang on the seed alone."""
    second: SecondFigures | None = None
    """What a second referee makes of the games, where one was asked."""


def play_match(
    settings: MatchSettings,
    folder: Path,
    *,
    jobs: int = 1,
    resume: bool = False,
    store_url: str | None = None,
    referee: str | None = None,
    prepare: Prepare | None = None,
    on_openings: OnOpenings | None = None,
    on_begin: OnBegin | None = None,
    on_game: OnGame | None = None,
    on_wait: OnWait | None = None,
    on_recount: OnRecount | None = None,
) -> MatchResult:
    """Play a match, or the rest of it, keeping every game in ``folder`` as it ends.

    With ``settings.sprt`` the match ends between two pairs, as soon as the test is decided.

    Several processes may play into one folder or database, all but the first with ``resume``: a
    game is played by one of them.

    Args:
        folder: gets ``match.sqlite`` and ``games/00001.sgf`` and so on.
        jobs: worker processes; with one the games are played in this process. The games do not
            depend on it.
        resume: go on with the match in ``folder``, or with the same one of fewer games; a folder
            without one begins it.
        store_url: a database that keeps the games in place of ``match.sqlite``.
        referee: a player that counts again what was counted; see :mod:`mariago.arena.referee`.
        prepare: called in every worker before the players are built, to register kinds.
        on_openings: called with (how many are there, how many are wanted) as openings are drawn.
        on_begin: called once, before any game is played, with the number of those that are there.
        on_game: called with each game as it is kept, with None for one that was lost, and first
            with those that were there already.
        on_wait: called once where only games are left that other processes have in hand.
        on_recount: called with (how many the second referee has counted, of how many).

    Raises:
        MatchError: see :meth:`MatchStore.begin`; or a referee that cannot count.
        PlayerError: a player that cannot be built.
    """
    settings = with_names(settings)
    bench, second = Bench(), None
    try:
        other = None if referee is None else referee_of(referee)
        described = {key: player.describe() for key, player in bench.of(settings).items()}
        can_be_dealt(settings)  # what cannot be drawn is said before there is a folder
        store = MatchStore.begin(folder, settings, described, resume=resume, url=store_url)
        try:
            match = OpenMatch(store, settings, folder, on_openings)
            play_open(
                store.store,
                [match],
                bench,
                jobs=jobs,
                prepare=prepare,
                on_begin=on_begin,
                on_game=on_game,
                on_wait=on_wait,
            )
            kept = store.games()
            games = counted_games(settings, kept).games
            if other is not None:
                second = asked_again(
                    store, settings, games, other, jobs=jobs, prepare=prepare, on_recount=on_recount
                )
        finally:
            store.close()
    finally:
        bench.close()
    summary, openings = summarise(settings, kept), tuple(match.openings or ())
    return MatchResult(settings, described, games, summary, folder, openings, second)


def with_names(settings: MatchSettings) -> MatchSettings:
    """Return the settings with the players' aliases followed.

    Raises:
        PlayerError: an alias that leads nowhere.
    """
    names = {
        "player_a": resolve_name(settings.player_a),
        "player_b": resolve_name(settings.player_b),
    }
    return settings.model_copy(update=names)

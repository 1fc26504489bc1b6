"""A match from its settings to its games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mariago.arena.playing import GAMES_FOLDER, OnBegin, OnGame, OnWait, OpenMatch, play_open
from mariago.arena.records import GameRecord
from mariago.arena.schedule import plan_games
from mariago.arena.settings import MatchSettings
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


def play_match(
    settings: MatchSettings,
    folder: Path,
    *,
    jobs: int = 1,
    resume: bool = False,
    store_url: str | None = None,
    prepare: Prepare | None = None,
    on_begin: OnBegin | None = None,
    on_game: OnGame | None = None,
    on_wait: OnWait | None = None,
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
        prepare: called in every worker before the players are built, to register kinds.
        on_begin: called once, before any game is played, with the number of those that are there.
        on_game: called with each game as it is kept, with None for one that was lost, and first
            with those that were there already.
        on_wait: called once where only games are left that other processes have in hand.

    Raises:
        MatchError: see :meth:`MatchStore.begin`.
        PlayerError: a player that cannot be built.
    """
    settings = with_names(settings)
    bench = Bench()
    try:
        described = {key: player.describe() for key, player in bench.of(settings).items()}
        plan_games(settings)  # what cannot be drawn is said before there is a folder
        store = MatchStore.begin(folder, settings, described, resume=resume, url=store_url)
        try:
            match = OpenMatch(store, settings, folder)
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
        finally:
            store.close()
    finally:
        bench.close()
    games = counted_games(settings, kept).games
    return MatchResult(settings, described, games, summarise(settings, kept), folder)


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

"""A match from its settings to its games."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from mariago.arena.records import GameRecord
from mariago.arena.schedule import PlannedGame, plan_games
from mariago.arena.settings import MatchSettings
from mariago.arena.sgf_text import file_name, sgf_of
from mariago.arena.stopping import PairWatch, counted_games
from mariago.arena.store import MatchStore
from mariago.arena.summary import Summary, summarise
from mariago.arena.workers import Lost, Prepare, build_players, play_all
from mariago.board import jit
from mariago.board.files import write_whole
from mariago.players import resolve_name

__all__ = ["GAMES_FOLDER", "MatchResult", "play_match"]

GAMES_FOLDER = "games"


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
    prepare: Prepare | None = None,
    on_game: Callable[[GameRecord | None], None] | None = None,
) -> MatchResult:
    """Play a match, or the rest of it, keeping every game in ``folder`` as it ends.

    With ``settings.sprt`` the match ends between two pairs, as soon as the test is decided.

    Args:
        folder: gets ``match.sqlite`` and ``games/00001.sgf`` and so on.
        jobs: worker processes; with one the games are played in this process. The games do not
            depend on it.
        resume: go on with the match in ``folder``, or with the same one of fewer games; a folder
            without one begins it.
        prepare: called in every worker before the players are built, to register kinds.
        on_game: called with each game as it is kept, with None for one that was lost, and first
            with those that were there already.

    Raises:
        MatchError: see :meth:`MatchStore.begin`.
        PlayerError: a player that cannot be built.
    """
    names = {
        "player_a": resolve_name(settings.player_a),
        "player_b": resolve_name(settings.player_b),
    }
    settings = settings.model_copy(update=names)
    plan = plan_games(settings)
    players = build_players(settings)
    try:
        described = {key: player.describe() for key, player in players.items()}
        store = MatchStore.begin(folder, settings, described, resume=resume)
        try:
            watch = PairWatch(settings)
            todo = _still_to_play(store, folder, plan, watch, on_game)
            if todo and jobs > 1:
                jit.warm_all()  # once here rather than in every worker
            with closing(play_all(todo, settings, players, jobs, prepare)) as outcomes:
                for outcome in outcomes:
                    game = None if isinstance(outcome, Lost) else outcome
                    if game is not None:
                        game = replace(game, sgf=sgf_of(game, settings))
                        store.add(game)
                        _write_sgf(folder, game)
                    if on_game is not None:
                        on_game(game)
                    if watch.note(outcome.number, game):
                        break
            kept = store.games()
        finally:
            store.close()
    finally:
        for player in players.values():
            player.close()
    games = counted_games(settings, kept).games
    return MatchResult(settings, described, games, summarise(settings, kept), folder)


def _still_to_play(
    store: MatchStore,
    folder: Path,
    plan: list[PlannedGame],
    watch: PairWatch,
    on_game: Callable[[GameRecord | None], None] | None,
) -> list[PlannedGame]:
    """Return the planned games that the store lacks, none where the match is decided.

    The SGF files of those it has are written where they are not there.
    """
    (folder / GAMES_FOLDER).mkdir(exist_ok=True)
    for left in (folder / GAMES_FOLDER).glob(".*.sgf.*.part"):
        left.unlink()  # of a run that was killed while writing
    kept = store.games()
    for game in kept:
        if game.opening != plan[game.number].opening:
            raise store.damaged(f"game {game.number}: its opening is not that of the match")
        if not (folder / GAMES_FOLDER / file_name(game.number)).exists():
            _write_sgf(folder, game)
        if on_game is not None:
            on_game(game)
        watch.note(game.number, game)
    if watch.decided:
        return []
    done = {game.number for game in kept}
    return [game for game in plan if game.number not in done]


def _write_sgf(folder: Path, game: GameRecord) -> None:
    write_whole(folder / GAMES_FOLDER / file_name(game.number), game.sgf)

"""``mariago league``: several players, everybody against everybody or new ones against a pool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.invocation import command_line
from mariago.cli.match import (
    HandicapOption,
    JudgeOption,
    MoveLimit,
    OpeningMoves,
    OpeningsOption,
    RefereeOption,
    RepeatOpenings,
    ScoringOption,
    StoreOption,
    TimeOption,
    has_begun,
    told_now_and_then,
)
from mariago.cli.options import (
    JobsOption,
    JsonOption,
    KomiOption,
    LangOption,
    OutOption,
    ResumeOption,
    RulesOption,
    SeedOption,
    SizeOption,
    worker_count,
)
from mariago.cli.progress import kept, say, say_if_beginning, track
from mariago.cli.standings import AnchorOption, Rating, RatingOption
from mariago.cli.terminal import tell
from mariago.words import counted

__all__ = ["league"]

Players = Annotated[
    list[str] | None,
    typer.Argument(metavar="PLAYERS...", help="Players; mariago players lists names."),
]
PlayersFile = Annotated[
    Path | None,
    typer.Option("--players", metavar="FILE", help="More players, one a line; # begins a remark."),
]
New = Annotated[
    list[str] | None,
    typer.Option(
        "--new",
        metavar="PLAYER",
        help="Meets each of PLAYERS, who do not meet each other now; may be given again.",
    ),
]
Games = Annotated[
    int,
    typer.Option(
        "--games", help="For each pairing; even: each opening is played twice, colours swapped."
    ),
]


def league(
    players: Players = None,
    players_file: PlayersFile = None,
    new: New = None,
    games: Games = 20,
    move_limit: MoveLimit = 150,
    komi: KomiOption = None,
    size: SizeOption = "19",
    rules: RulesOption = "chinese",
    scoring: ScoringOption = "territory",
    openings: OpeningsOption = "random",
    judge: JudgeOption = None,
    repeat_openings: RepeatOpenings = False,
    opening_moves: OpeningMoves = None,
    handicap: HandicapOption = 0,
    time: TimeOption = None,
    rating: RatingOption = Rating.davidson,
    anchor: AnchorOption = None,
    referee: RefereeOption = None,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    out: OutOption = Path("league"),
    store: StoreOption = None,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Let several players meet and rate them.

    Everybody plays everybody; with --new only the new players play, each
    against all others. --out gets the store (league.sqlite), report.html,
    league.json, standings.csv, pairings.csv, and pairings/001 and so on
    with the games and the report of each pairing.

    With --resume a league that was stopped goes on, loses only the games in
    hand, and may grow: more players, --new players against those who have
    met already, more --games. The table always rests on all games of the
    store. A pairing's games hang on --seed and its two names alone.

      mariago league random heuristic net:nets/a --size 9 --out runs/l
      mariago league random heuristic net:nets/a --new net:nets/b --size 9 --out runs/l --resume
    """
    with kept("the games played so far are", lambda: has_begun(out, store)):
        import json

        from mariago.arena.clock import time_terms_of_text
        from mariago.arena.league import League, play_league, read_player_list
        from mariago.arena.league_outputs import league_dict, league_text, write_league
        from mariago.arena.league_report import write_league_report
        from mariago.arena.opening_deal import with_openings
        from mariago.arena.outputs import write_results
        from mariago.arena.report import write_report
        from mariago.arena.settings import settings_of
        from mariago.reports import provenance

        named = [*(players or []), *(read_player_list(players_file) if players_file else [])]
        terms = settings_of(
            player_a="",
            player_b="",
            games=games,
            size=size,
            rules=rules,
            komi=komi,
            move_limit=move_limit or None,
            scoring=scoring,
            opening_moves=opening_moves,
            handicap=handicap,
            time=None if time is None else time_terms_of_text(time),
            seed=seed,
        )
        terms = with_openings(terms, openings, judge=judge, repeat=repeat_openings)
        planned = League.of(terms, named, new or [])
        workers, pairings = worker_count(jobs), len(planned.pairings)
        say(
            f"{counted(pairings, 'pairing')} of {counted(games, 'game')}, "
            f"{counted(workers, 'worker')}"
        )
        for line in [] if terms.openings is None else terms.openings.notes():
            say(line)
        with track(pairings * games, "games") as progress:
            result = play_league(
                planned,
                out,
                jobs=workers,
                resume=resume,
                store_url=store,
                referee=referee,
                model=rating.value,
                anchor=anchor,
                on_begin=lambda there: say_if_beginning(resume, there > 0),
                on_game=lambda game: progress.advance(),
                on_wait=lambda left: say(
                    f"{counted(left, 'game')} in hand of other processes: waiting"
                ),
                on_recount=told_now_and_then("second referee"),
            )
        origin = provenance(command_line(), seed)
        with track(len(result.matches), "reports") as progress:
            for match in result.matches:
                match.folder.mkdir(parents=True, exist_ok=True)
                write_results(match, origin)
                write_report(match, origin, lang)
                progress.advance()
        write_league(result, origin)
        report = write_league_report(result, origin, lang)
        if as_json:
            print(json.dumps(league_dict(result, origin), ensure_ascii=False))
        else:
            tell(league_text(result))
        say(f"report: {report}")

"""``mariago match``: two players, some dozens of games, and what they show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.invocation import command_line
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
from mariago.cli.terminal import tell

A = Annotated[str, typer.Argument(metavar="A", help="Player A; mariago players lists names.")]
B = Annotated[str, typer.Argument(metavar="B", help="Player B.")]
Games = Annotated[
    int, typer.Option("--games", help="Even: each opening is played twice, colours swapped.")
]
MoveLimit = Annotated[
    int,
    typer.Option(
        "--move-limit",
        min=0,
        help="Stop a game after so many moves and count it as it stands; 0: play to two passes.",
    ),
]
ScoringOption = Annotated[
    str, typer.Option("--scoring", help="Count of a stopped game: territory or area.")
]
OpeningMoves = Annotated[
    int | None,
    typer.Option("--opening-moves", min=0, help="Random moves first; by the size of the board."),
]
SprtOption = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="KEY=VALUE,...",
        help="End the match as soon as a sequential test tells elo0 from elo1 (A's Elo over B's): "
        "elo0=0,elo1=35; also alpha, beta (0.05), scale=normalised.",
    ),
]
HandicapOption = Annotated[
    int,
    typer.Option(
        "--handicap",
        min=0,
        help="Fixed stones for Black, White first, komi 0.5 where none is given; the players of "
        "a pair take them in turn.",
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="KEY=VALUE,...",
        help="A clock for each side: main=300,increment=5 (Fischer), main=60,byoyomi=5x10 "
        "(Japanese), seconds=2 for every move; grace=5 is not counted of a first move. "
        "Results differ then from run to run.",
    ),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Keep the games in a database that may hold other matches too: "
        "postgresql://USER@HOST/NAME or sqlite:///FILE. Without it: a file in --out.",
    ),
]

AlsoAt = Annotated[
    str | None,
    typer.Option(
        "--also-at",
        metavar="MOVES,...",
        help="Count the same games as they stood after so many moves too; by the size of the "
        "board, on 19x19 80,150,200.",
    ),
]


def has_begun(out: Path, store: str | None) -> bool:
    """Say whether there may be games of a match or a league."""
    from mariago.arena.store import FILE_NAME, LEAGUE_FILE_NAME

    return store is not None or any((out / n).is_file() for n in (FILE_NAME, LEAGUE_FILE_NAME))


def match(
    player_a: A,
    player_b: B,
    games: Games = 40,
    move_limit: MoveLimit = 150,
    komi: KomiOption = None,
    size: SizeOption = "19",
    rules: RulesOption = "chinese",
    scoring: ScoringOption = "territory",
    opening_moves: OpeningMoves = None,
    handicap: HandicapOption = 0,
    time: TimeOption = None,
    sprt: SprtOption = None,
    also_at: AlsoAt = None,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    out: OutOption = Path("match"),
    store: StoreOption = None,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Play A against B and say what the games show, with intervals.

    Games come in pairs: a short random opening, played twice with colours
    swapped. --out gets every game (games/*.sgf, match.sqlite), report.html,
    results.json and results.csv. A match that was stopped goes on with
    --resume and ends as if it had not been; with more --games a finished one
    is played on. The same command with --resume may run several times at
    once, with --store on several machines: they share the games.

    With --sprt the match ends between two pairs as soon as it is decided,
    and --games are the most. It answers one question with chosen error
    rates; the score of a match that was ended early is biased.
    """
    with kept("the games played so far are", lambda: has_begun(out, store)):
        import json

        from mariago.arena.clock import time_terms_of_text
        from mariago.arena.limits import limits_of_text
        from mariago.arena.match import play_match
        from mariago.arena.outputs import results_dict, summary_text, write_results
        from mariago.arena.report import write_report
        from mariago.arena.settings import settings_of
        from mariago.arena.statistics.sprt import terms_of_text
        from mariago.reports import provenance

        settings = settings_of(
            player_a=player_a,
            player_b=player_b,
            games=games,
            size=size,
            rules=rules,
            komi=komi,
            move_limit=move_limit or None,
            scoring=scoring,
            opening_moves=opening_moves,
            seed=seed,
            handicap=handicap,
            time=None if time is None else time_terms_of_text(time),
            sprt=None if sprt is None else terms_of_text(sprt),
        )
        limits = None if also_at is None else limits_of_text(also_at)
        workers = worker_count(jobs)
        say(f"{settings.player_a} against {settings.player_b}: {games} games, {workers} workers")
        if settings.sprt is not None:
            usual = 2 * settings.sprt.usual_pairs()
            say(f"a sequential test: usually decided by about {usual} games, here {games} at most")
        with track(settings.games, "games") as progress:
            result = play_match(
                settings,
                out,
                jobs=workers,
                resume=resume,
                store_url=store,
                on_begin=lambda there: say_if_beginning(resume, there > 0),
                on_game=lambda game: progress.advance(),
                on_wait=lambda left: say(f"{left} games are in hand of other processes: waiting"),
            )
        origin = provenance(command_line(), seed)
        write_results(result, origin, limits)
        report = write_report(result, origin, lang, limits)
        if as_json:
            print(json.dumps(results_dict(result, origin, limits), ensure_ascii=False))
        else:
            tell(summary_text(result, limits))
        say(f"report: {report}")

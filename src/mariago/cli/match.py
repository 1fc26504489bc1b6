"""``mariago match``: two players, some dozens of games, and what they show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
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
from mariago.cli.progress import LINE_EVERY_S, kept, say, say_if_beginning, track
from mariago.cli.terminal import tell
from mariago.words import counted

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
    typer.Option(
        "--opening-moves",
        min=0,
        help="Length of random and balanced openings; by the size of the board.",
    ),
]
OpeningsOption = Annotated[
    str,
    typer.Option(
        "--openings",
        metavar="SOURCE",
        help="random: short random moves; a folder, an archive or a file of SGF start positions "
        "for this board; balanced: longer ones that a net draws and finds balanced, as in "
        "balanced,within=0.05,temperature=0.8.",
    ),
]
JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="PLAYER",
        help="Whose net draws and judges balanced openings; without it the packaged one (net).",
    ),
]
RepeatOpenings = Annotated[
    bool,
    typer.Option(
        "--repeat-openings", help="Deal a folder's openings again where there are too few."
    ),
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
RefereeOption = Annotated[
    str | None,
    typer.Option(
        "--referee",
        metavar="PLAYER",
        help="Let another one count the counted games again: a player whose net knows whose each "
        'point is (net), or an engine by its final_score (gtp:"gnugo --mode gtp"). With '
        "--resume a finished match is counted without being played again.",
    ),
]


def told_now_and_then(what: str) -> Callable[[int, int], None]:
    """Return a function of (done, of how many) that says now and then how far ``what`` is."""
    last_s = monotonic()

    def told(done: int, of: int) -> None:
        nonlocal last_s
        if monotonic() - last_s >= LINE_EVERY_S:
            last_s = monotonic()
            say(f"{what}: {done}/{of}")

    return told


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
    openings: OpeningsOption = "random",
    judge: JudgeOption = None,
    repeat_openings: RepeatOpenings = False,
    opening_moves: OpeningMoves = None,
    handicap: HandicapOption = 0,
    time: TimeOption = None,
    sprt: SprtOption = None,
    also_at: AlsoAt = None,
    referee: RefereeOption = None,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    out: OutOption = Path("match"),
    store: StoreOption = None,
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Play A against B and say what the games show, with intervals.

    Games come in pairs: an opening, played twice with colours swapped; a short
    random one, or by --openings another. --out gets every game (games/*.sgf,
    match.sqlite), report.html, results.json and results.csv. A match that was
    stopped goes on with --resume and ends as if it had not been; with more
    --games a finished one is played on. The same command with --resume may
    run several times at once, with --store on several machines: they share
    the games.

    With --sprt the match ends between two pairs as soon as it is decided,
    and --games are the most. It answers one question with chosen error
    rates; the score of a match that was ended early is biased.
    """
    with kept("the games played so far are", lambda: has_begun(out, store)):
        import json

        from mariago.arena.clock import time_terms_of_text
        from mariago.arena.limits import limits_of_text
        from mariago.arena.match import play_match
        from mariago.arena.opening_deal import with_openings
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
        settings = with_openings(settings, openings, judge=judge, repeat=repeat_openings)
        limits = None if also_at is None else limits_of_text(also_at)
        workers = worker_count(jobs)
        say(
            f"{settings.player_a} against {settings.player_b}: {counted(games, 'game')}, "
            f"{counted(workers, 'worker')}"
        )
        for line in [] if settings.openings is None else settings.openings.notes():
            say(line)
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
                referee=referee,
                on_begin=lambda there: say_if_beginning(resume, there > 0),
                on_game=lambda game: progress.advance(),
                on_wait=lambda left: say(
                    f"{counted(left, 'game')} in hand of other processes: waiting"
                ),
                on_openings=told_now_and_then("openings"),
                on_recount=told_now_and_then("second referee"),
            )
        origin = provenance(command_line(), seed)
        write_results(result, origin, limits)
        report = write_report(result, origin, lang, limits)
        if as_json:
            print(json.dumps(results_dict(result, origin, limits), ensure_ascii=False))
        else:
            tell(summary_text(result, limits))
        say(f"report: {report}")

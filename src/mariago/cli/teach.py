"""``mariago teach`` and ``mariago ablate``: cross lessons in rounds, and what they are worth."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mariago.cli.invocation import command_line
from mariago.cli.match import (
    JudgeOption,
    MoveLimit,
    OpeningMoves,
    OpeningsOption,
    RepeatOpenings,
    ScoringOption,
)
from mariago.cli.options import (
    JobsOption,
    JsonOption,
    KomiOption,
    LangOption,
    Number,
    OutOption,
    ResumeOption,
    RulesOption,
    SeedOption,
    SizeOption,
    worker_count,
)
from mariago.cli.progress import Progress, kept, say, say_if_beginning, track
from mariago.cli.terminal import tell

if TYPE_CHECKING:
    from mariago.teaching.expected_time import Expected
    from mariago.teaching.rounds_figures import RunFigures

__all__ = ["ablate", "teach"]

A = Annotated[str, typer.Argument(metavar="A", help="Player A, without a book of its own.")]
B = Annotated[str, typer.Argument(metavar="B", help="Player B.")]
ThirdOption = Annotated[
    list[str] | None,
    typer.Option(
        "--third",
        metavar="PLAYER",
        help="A fixed opponent by whom progress is measured; may be given several times. "
        "Without it heuristic:v5 and the packaged net, where there is one.",
    ),
]
TuneOption = Annotated[
    str | None,
    typer.Option(
        "--tune",
        metavar="KEYS",
        help="Nets learn in their weights, too: default, or keys such as steps=200,what=all (what: "
        "head, all or low-rank; rate, batch, every, factor, side: a, b or nets).",
    ),
]
LookedAt = Annotated[
    int,
    typer.Option(
        "--looked-at",
        min=0,
        metavar="N",
        help="Games of a student in which it is asked again which moves a lesson changed.",
    ),
]
EstimateOption = Annotated[
    bool,
    typer.Option("--estimate", help="Play a few games, say how long all will take, and stop."),
]


@contextmanager
def _run(total: int, out: Path) -> Generator[Progress]:
    """Show progress; say on Ctrl-C that nothing is lost."""
    from mariago.teaching.run_folder import is_begun

    with kept("everything so far is", lambda: is_begun(out)), track(total, "games") as progress:
        yield progress


def _told_time(expect: Callable[[], Expected], jobs: int, only: bool, as_json: bool) -> None:
    try:
        expected = expect()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            "games were tried to see how long it takes; the run had not begun"
        ) from None
    say(f"expected: {expected.in_words(jobs)}")
    if only and as_json:
        values = {"games": expected.games, "cpu_s": expected.cpu_s, "wall_s": expected.wall_s}
        print(json.dumps(values))


def _third(third: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(third or ())


def teach(
    player_a: A,
    player_b: B,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=99, help="How often they play and learn.")
    ] = 3,
    games: Annotated[
        int, typer.Option("--games", help="Of A against B in a round; even: pairs of games.")
    ] = 20,
    third: ThirdOption = None,
    third_games: Annotated[
        int,
        typer.Option(
            "--third-games",
            help="Of A and of B against each third party, before the first round and after each.",
        ),
    ] = 20,
    to: Annotated[
        str, typer.Option("--to", help="Whom good moves teach: other (side), own or both.")
    ] = "other",
    winner_weight: Annotated[
        Number, typer.Option("--winner-weight", metavar="W", help="What the winner's moves count.")
    ] = 2.0,
    tune: TuneOption = None,
    move_limit: MoveLimit = 150,
    komi: KomiOption = None,
    size: SizeOption = "19",
    rules: RulesOption = "chinese",
    scoring: ScoringOption = "territory",
    openings: OpeningsOption = "random",
    judge: JudgeOption = None,
    repeat_openings: RepeatOpenings = False,
    opening_moves: OpeningMoves = None,
    looked_at: LookedAt = 20,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    out: OutOption = Path("teach"),
    resume: ResumeOption = False,
    estimate: EstimateOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Let A and B teach each other, round by round, and measure both against others.

    A round: A plays B; moves that took stones, saved stones in atari or began
    a ladder that works are handed to the other side's book, a winner's
    counting double; then each, with its book, meets the third parties, from
    the same openings in every round. Elo, score, lessons and the moves that a
    lesson changed are shown round by round.

    --out gets teach.html, teach.json, teach.csv, each side's book after each
    round (books/) and all games (round-01/...). A run that was stopped goes
    on with --resume and ends as if it had not been.

    A net learns as it plays: lessons rank its likeliest moves anew. With
    --tune its weights learn from them as well: after every round a copy of
    the net is tuned on the games that taught it, plays on, and is measured
    on games left out, and beside the net with its old weights.
    """
    from mariago.arena.opening_deal import with_openings
    from mariago.arena.settings import settings_of
    from mariago.lessons import teaching_of
    from mariago.reports import provenance
    from mariago.teaching.cross_settings import TeachSettings, checked
    from mariago.teaching.expected_time import expected_of_rounds, games_of
    from mariago.teaching.rounds import teach as run_rounds
    from mariago.teaching.rounds_outputs import rounds_text, write_rounds
    from mariago.teaching.rounds_page import write_rounds_page
    from mariago.teaching.run_folder import is_begun, refuse_match
    from mariago.teaching.tune_settings import tune_of

    terms = settings_of(
        player_a=player_a, player_b=player_b, games=games, size=size, rules=rules, komi=komi,
        move_limit=move_limit or None, scoring=scoring, opening_moves=opening_moves, seed=seed,
    )  # fmt: skip
    terms = with_openings(terms, openings, judge=judge, repeat=repeat_openings)
    settings = checked(
        TeachSettings, terms, _third(third), rounds=rounds, third_games=third_games,
        teaching=teaching_of(to=to, winner_weight=winner_weight), looked_at=looked_at,
        tune=None if tune is None else tune_of(tune),
    )  # fmt: skip
    workers = worker_count(jobs)
    begun = is_begun(out)
    if not estimate and not begun:
        refuse_match(out)
    say_if_beginning(resume and not estimate, begun)
    if estimate or not begun:  # a folder that holds a run is refused, or gone on with
        _told_time(lambda: expected_of_rounds(settings), workers, estimate, as_json)
        if estimate:
            return
    origin = provenance(command_line(), seed)
    with _run(games_of(settings), out) as progress:
        figures: RunFigures = run_rounds(
            settings,
            out,
            jobs=workers,
            resume=resume,
            on_game=lambda text: progress.advance(1, text),
            on_round=lambda so_far: write_rounds(so_far, out, origin),
            on_learning=lambda text: progress.advance(0, text),
        )
        path = write_rounds_page(figures, out, origin, lang)
    _shown(figures.as_dict(), rounds_text(figures), as_json, path)


def ablate(
    player_a: Annotated[str, typer.Argument(metavar="A", help="The student.")],
    player_b: Annotated[str, typer.Argument(metavar="B", help="Whose games with A teach.")],
    games: Annotated[
        int, typer.Option("--games", help="Of each cell, shared out among the third parties.")
    ] = 1000,
    lesson_games: Annotated[
        int, typer.Option("--lesson-games", help="Of A against B, from which all books are made.")
    ] = 200,
    third: ThirdOption = None,
    cell: Annotated[
        list[str] | None,
        typer.Option(
            "--cell",
            metavar="NAME",
            help="none, own, cross, double, shuffled or chance (not played without being named); "
            "may be given several times.",
        ),
    ] = None,
    move_limit: MoveLimit = 150,
    komi: KomiOption = None,
    size: SizeOption = "19",
    rules: RulesOption = "chinese",
    scoring: ScoringOption = "territory",
    openings: OpeningsOption = "random",
    judge: JudgeOption = None,
    repeat_openings: RepeatOpenings = False,
    opening_moves: OpeningMoves = None,
    looked_at: LookedAt = 20,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    out: OutOption = Path("ablation"),
    resume: ResumeOption = False,
    estimate: EstimateOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Find out what lessons are worth: students with different books, same opponents.

    A plays B; of these games several books are made. Then A without a book
    (none), with its own good moves (own), with the other side's (cross), with
    those and the winner's doubled (double), and with a placebo (shuffled: the
    same counts, dealt out by chance) plays the third parties, always from the
    same openings with the same seeds. Differences are paired by opening.

    1,000 games a cell tell about 22 Elo either way. The answer may be that
    there is no gain, or that the games do not tell: the page says so. --out
    gets ablation.html, .json and .csv, the books and all games; --resume goes
    on.
    """
    from mariago.arena.opening_deal import with_openings
    from mariago.arena.settings import settings_of
    from mariago.reports import provenance
    from mariago.teaching.ablation import ablate as run_ablation
    from mariago.teaching.ablation_outputs import ablation_text, write_ablation
    from mariago.teaching.ablation_page import write_ablation_page
    from mariago.teaching.cross_settings import DEFAULT_CELLS, AblationSettings, checked
    from mariago.teaching.expected_time import expected_of_ablation, games_of
    from mariago.teaching.run_folder import is_begun, refuse_match

    terms = settings_of(
        player_a=player_a, player_b=player_b, games=lesson_games, size=size, rules=rules,
        komi=komi, move_limit=move_limit or None, scoring=scoring, opening_moves=opening_moves,
        seed=seed,
    )  # fmt: skip
    terms = with_openings(terms, openings, judge=judge, repeat=repeat_openings)
    cells = tuple(cell) if cell else DEFAULT_CELLS
    settings = checked(
        AblationSettings, terms, _third(third), games=games, cells=cells, looked_at=looked_at
    )
    workers = worker_count(jobs)
    begun = is_begun(out)
    if not estimate and not begun:
        refuse_match(out)
    say_if_beginning(resume and not estimate, begun)
    if estimate or not begun:  # a folder that holds a run is refused, or gone on with
        _told_time(lambda: expected_of_ablation(settings), workers, estimate, as_json)
        if estimate:
            return
    origin = provenance(command_line(), seed)
    with _run(games_of(settings), out) as progress:
        figures = run_ablation(
            settings,
            out,
            jobs=workers,
            resume=resume,
            on_game=lambda text: progress.advance(1, text),
            on_learning=lambda text: progress.advance(0, text),
        )
        write_ablation(figures, out, origin)
        path = write_ablation_page(figures, out, origin, lang)
    _shown(figures.as_dict(), ablation_text(figures), as_json, path)


def _shown(values: dict[str, Any], text: str, as_json: bool, path: Path) -> None:
    if as_json:
        print(json.dumps(values, ensure_ascii=False))
    else:
        tell(text)
    say(f"report: {path}")

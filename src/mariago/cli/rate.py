"""``mariago rate``: players of every kind, asked about one fixed set of positions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import (
    JobsOption,
    JsonOption,
    LangOption,
    OutOption,
    ResumeOption,
    SeedOption,
    worker_count,
)
from mariago.cli.progress import kept, say, say_if_beginning, track
from mariago.cli.terminal import tell
from mariago.words import counted

if TYPE_CHECKING:
    from mariago.arena.rating.positions import PositionSet

DEFAULT_POSITIONS = 400
DEFAULT_PER_GAME = 6

Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER...", help="Players; mariago players lists names.")
]
SetOption = Annotated[
    Path | None,
    typer.Option(
        "--set", metavar="DIR", help="A data set, whose test split is asked about; else packaged."
    ),
]
PositionsOption = Annotated[
    int | None,
    typer.Option(
        "--positions",
        min=1,
        metavar="N",
        help=f"So many, drawn with --seed; of --set {DEFAULT_POSITIONS}, else all of the packaged.",
    ),
]
PerGame = Annotated[
    int, typer.Option("--per-game", min=1, metavar="K", help="Positions of one game, at most.")
]
TeacherOption = Annotated[
    str | None,
    typer.Option(
        "--teacher",
        metavar="PLAYER",
        help="Judges the moves; of the packaged positions a network's judgement comes along.",
    ),
]


def rate(
    players: Players,
    set_folder: SetOption = None,
    positions: PositionsOption = None,
    per_game: PerGame = DEFAULT_PER_GAME,
    teacher: TeacherOption = None,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    out: OutOption = Path("rating"),
    resume: ResumeOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Ask players for their moves in the same positions and say how good these are.

    Told are the share of moves that are the record's, the share that are the
    teacher's best, what moves lose by the teacher's judgement, illegal
    answers, errors and time, each with an interval that counts games, not
    positions. The share of moves among a teacher's first ten says little: a
    raw small net had 94% there and 32% on the best move.

    The packaged positions are of games between engines, held out from what
    mariago demo trains on. --out gets report.html, rating.json, figures.csv,
    answers.csv and answers.jsonl, from which --resume goes on; it may name
    further players.
    """
    import json

    from mariago.arena.rating import (
        figure_players,
        rate_players,
        rating_dict,
        rating_text,
        write_outputs,
        write_page_of,
    )
    from mariago.arena.rating.log import check_folder, is_begun
    from mariago.arena.rating.rate import rated_name
    from mariago.reports import provenance

    for name in [*players, *([] if teacher is None else [teacher])]:
        rated_name(name)  # slips are told before the positions are read
    check_folder(out, resume=resume)
    say_if_beginning(resume, is_begun(out))
    chosen = _chosen(set_folder, positions, per_game, seed)
    workers = worker_count(jobs)
    say(
        f"{counted(len(chosen), 'position')}: {chosen.name}; {counted(len(players), 'player')}, "
        f"{counted(workers, 'worker')}"
    )
    with kept("the answers so far are"):
        rating = rate_players(
            players,
            chosen,
            out,
            teacher=teacher,
            seed=seed,
            jobs=workers,
            resume=resume,
            watch=_watch,
        )
    figures = figure_players(rating)
    origin = provenance(command_line(), seed)
    write_outputs(rating, figures, origin)
    page = write_page_of(rating, figures, origin, lang)
    if as_json:
        print(json.dumps(rating_dict(rating, figures, origin), ensure_ascii=False))
    else:
        tell(rating_text(rating, figures))
    say(f"report: {page}")


@contextmanager
def _watch(name: str, count: int) -> Generator[Callable[[], None]]:
    with track(count, name) as progress:
        yield progress.advance


def _chosen(folder: Path | None, positions: int | None, per_game: int, seed: int) -> PositionSet:
    """Return the positions asked for: of the packaged set, or of a data set's test split."""
    from mariago.arena.rating import packaged_positions, positions_of_data, thinned

    if folder is not None:
        return positions_of_data(folder, positions or DEFAULT_POSITIONS, per_game, seed)
    whole = packaged_positions()
    owners = [spot.game for spot in whole.spots]
    return whole.take(thinned(owners, positions or 0, per_game, seed).tolist())

"""``mariago records``: from game records to verified samples, and a look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli import (
    records_browse,
    records_export,
    records_label,
    records_leak,
    records_look,
    records_own,
    records_sources,
)
from mariago.cli import records_options as own
from mariago.cli.invocation import command_line
from mariago.cli.options import (
    DataSetOutOption,
    JobsOption,
    JsonOption,
    ResumeOption,
    SeedOption,
    TermsOption,
    TestShareOption,
    ValidationShareOption,
)
from mariago.cli.terminal import tell

app = typer.Typer(no_args_is_help=True, help="Make verified samples of game records.")

app.command("add")(records_sources.add)
app.command("list")(records_sources.list_sources)
app.command("verify")(records_sources.verify)
app.command("export")(records_export.export)
app.command("import-katago")(records_export.import_katago)
app.command("planes")(records_export.planes)
app.command("own")(records_own.own)
app.command("label")(records_label.label)
app.command("leak")(records_leak.leak)
app.command("report")(records_look.report)
app.command("sheet")(records_look.sheet)
app.command("browse")(records_browse.browse)
app.command("show")(records_browse.show)


@app.command()
def build(
    sources: Annotated[
        list[str],  # a path would take an empty name for this folder
        typer.Argument(
            metavar="SOURCE...", help="Folders, tar, zip or SGF files, or @NAMES of the catalogue."
        ),
    ],
    out: DataSetOutOption,
    origin: Annotated[
        str, typer.Option(metavar="TEXT", help="Who made the records, and where they are from.")
    ] = "",
    terms: TermsOption = "",
    size: Annotated[
        str, typer.Option(metavar="SIZE", help="Boards to take: 19, a list 9,13,19, or any.")
    ] = "19",
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    resume: ResumeOption = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the data set that stands there.")
    ] = False,
    winners: Annotated[
        str, typer.Option(metavar="WHICH", help="all, only (the winner's moves) or weighted.")
    ] = "all",
    max_per_game: Annotated[
        int, typer.Option(metavar="N", help="N samples of each game that has them; 0 for all.")
    ] = 0,
    pick: own.PickOption = "even",
    max_per_position: own.MaxPerPositionOption = 1,
    opening_balance: own.OpeningBalanceOption = 0,
    tactical_half: Annotated[
        bool,
        typer.Option(
            "--tactical-half",
            help="Half of the N are tactical moves, where the game has so many, chosen first.",
        ),
    ] = False,
    tactical_only: Annotated[
        bool,
        typer.Option("--tactical-only", help="Tactical moves alone, whatever N is."),
    ] = False,
    tactical_weight: own.TacticalWeightOption = None,
    weights: own.WeightsOption = None,
    lessons: own.LessonsOption = None,
    lesson_factor: own.LessonFactorOption = None,
    facts: own.FactsOption = False,
    weight: own.FactWeightOption = None,
    rank: own.RankOption = "",
    rank_of: own.RankOfOption = "both",
    dates: own.DatesOption = "",
    server: own.ServerOption = "",
    handicap: own.HandicapOption = "any",
    result: own.ResultOption = "",
    length: own.LengthOption = "",
    catalogue: own.CatalogueOption = None,
    allow_terms: own.AllowTermsOption = None,
    validation: ValidationShareOption = 0.05,
    test: TestShareOption = 0.05,
    as_json: JsonOption = False,
) -> None:
    """Replay game records, drop what is broken, and write one sample for each move.

    Records are taken only with their origin and terms. The data set appears in DIR when it is
    whole; games that were not used are listed in DIR/dropped.jsonl.
    """
    import json

    from mariago.cli.options import worker_count
    from mariago.cli.progress import say
    from mariago.cli.records_progress import BuildProgress
    from mariago.records.build import build_records
    from mariago.records.filters import GameFilter
    from mariago.records.lesson_weights import lessons_of
    from mariago.records.options import BuildOptions
    from mariago.records.report import summary_lines
    from mariago.records.weights import weights_of

    options = BuildOptions(
        size=size,
        seed=seed,
        winners=winners,
        max_per_game=max_per_game,
        max_per_position=max_per_position,
        opening_balance=opening_balance,
        tactical_half=tactical_half,
        tactical_only=tactical_only,
        pick=pick,
        filters=GameFilter(rank, rank_of, dates, server, handicap, result, length),
        weights=weights_of(weights, tactical_weight, weight or ()),
        facts=facts,
        lessons=lessons_of(lessons, lesson_factor),
        validation=validation,
        test=test,
    )
    names_one = any(not Path(source).exists() for source in sources)
    if catalogue is None and names_one and records_sources.DEFAULT_CATALOGUE.exists():
        catalogue = records_sources.DEFAULT_CATALOGUE
    if tactical_only and (tactical_half or max_per_game):
        say("--tactical-only takes every tactical move; --max-per-game does not count")
    with BuildProgress() as progress:
        manifest = build_records(
            sources,
            origin=origin,
            terms=terms,
            out=out,
            catalogue=catalogue,
            allow_terms=allow_terms or (),
            options=options,
            jobs=worker_count(jobs),
            resume=resume,
            overwrite=overwrite,
            command=command_line(),
            tell=progress.tell,
            say=say,
        )
    if as_json:
        print(json.dumps({"out": str(out), **manifest.counts}))
    else:
        tell("\n".join(summary_lines(manifest)))
        for paper in manifest.left_out:
            tell(f"not used, since its terms are not allowed: {paper['path']} ({paper['terms']})")
        tell(f"data set: {out}")

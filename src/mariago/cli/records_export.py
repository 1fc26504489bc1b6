"""``mariago records export``, ``import-katago`` and ``planes``: samples in other tools' hands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import (
    DataSetOutOption,
    JobsOption,
    JsonOption,
    SeedOption,
    TermsOption,
    TestShareOption,
    ValidationShareOption,
)
from mariago.cli.terminal import tell
from mariago.words import counted

DataSet = Annotated[Path, typer.Argument(metavar="DIR", help="A data set made by records build.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what stands in --out.")]
Split = Annotated[str, typer.Option("--split", metavar="NAME", help="train, validation or test.")]
_FORMATS = ("katago", "sgf", "sgf-positions")


def export(
    folder: DataSet,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to make.")],
    format: Annotated[
        str, typer.Option("--format", metavar="NAME", help=f"{', '.join(_FORMATS)}.")
    ] = "katago",
    split: Split = "train",
    rows_per_file: Annotated[
        int, typer.Option(metavar="N", help="katago: rows of each .npz file.")
    ] = 20_000,
    pad: Annotated[
        int, typer.Option(metavar="N", help="katago: side of the planes (its pos_len).")
    ] = 19,
    q_values: Annotated[
        bool,
        typer.Option("--q-values/--no-q-values", help="katago: add the array of nets from 16 on."),
    ] = True,
    score_as_lead: Annotated[
        bool, typer.Option("--score-as-lead", help="katago: counted scores are leads.")
    ] = False,
    games: Annotated[
        int, typer.Option(metavar="N", help="sgf: so many games at random; 0 for all.")
    ] = 0,
    whole_only: Annotated[
        bool, typer.Option("--whole-only", help="sgf: only games with every move.")
    ] = False,
    n: Annotated[int, typer.Option("--n", help="sgf-positions: so many at random.")] = 100,
    tactical: Annotated[
        bool, typer.Option("--tactical", help="sgf-positions: only tactical moves.")
    ] = False,
    seed: SeedOption = 0,
    jobs: JobsOption = 0,
    overwrite: Overwrite = False,
    as_json: JsonOption = False,
) -> None:
    """Write a split as KataGo's training files, as games in SGF, or as SGF problems.

    OUT/export.json says where it came from and on what terms.
    """
    from mariago.cli.options import worker_count
    from mariago.cli.progress import track
    from mariago.errors import BadInputError

    if format not in _FORMATS:
        raise BadInputError(
            f"{format!r} is not a format", where="--format", hint=", ".join(_FORMATS)
        )
    given: dict[str, Any] = {"split": split, "overwrite": overwrite, "command": command_line()}
    if format == "katago":
        from mariago.records.katago_export import counts_of, export_katago

        with track(None, "writing rows") as shown:
            note = export_katago(
                folder,
                out,
                rows_per_file=rows_per_file,
                pad=pad,
                q_values=q_values,
                score_as_lead=score_as_lead,
                jobs=worker_count(jobs),
                tell=lambda done, total: shown.advance(done, f"writing rows of {total}"),
                **given,
            )
        known = ", ".join(f"{name} {count}" for name, count in counts_of(note["files"]).items())
        lines = [
            f"{counted(note['rows'], 'row')} in {counted(len(note['files']), 'file')}",
            f"targets known: {known}",
        ]
    elif format == "sgf":
        from mariago.records.sgf_export import export_sgf

        with track(None, "writing games") as shown:
            note = export_sgf(
                folder,
                out,
                games=games,
                seed=seed,
                whole_only=whole_only,
                tell=lambda done, total: shown.advance(done, f"writing games of {total}"),
                **given,
            )
        lines = [
            f"{counted(note['games'], 'game')}, {note['whole']} of them whole, "
            f"{note['begin_late']} begin late, {note['end_early']} end early; "
            f"left out with holes: {note['holes']}"
        ]
    else:
        from mariago.records.sgf_export import export_positions

        note = export_positions(folder, out, n=n, seed=seed, tactical=tactical, **given)
        lines = [counted(note["positions"], "position")]
    _tell({"out": str(out), **note}, [*lines, f"export: {out}"], as_json)


def import_katago(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="KataGo's .npz files, or folders.")
    ],
    out: DataSetOutOption,
    origin: Annotated[
        str, typer.Option(metavar="TEXT", help="Who made the rows, and where they are from.")
    ] = "",
    terms: TermsOption = "",
    validation: ValidationShareOption = 0.05,
    test: TestShareOption = 0.05,
    seed: SeedOption = 0,
    overwrite: Overwrite = False,
    as_json: JsonOption = False,
) -> None:
    """Make a data set of KataGo's training files (inputs version 7), as far as they tell.

    Rows whose move is not legal, repeats and leaks are removed as in records build.
    """
    from mariago.cli.progress import track
    from mariago.records.katago_import import import_katago as run
    from mariago.records.options import BuildOptions
    from mariago.records.report import summary_lines

    options = BuildOptions(size="any", seed=seed, validation=validation, test=test)
    with track(None, "reading files") as shown:
        manifest = run(
            files,
            out,
            origin=origin,
            terms=terms,
            options=options,
            overwrite=overwrite,
            command=command_line(),
            tell=lambda stage, done, total: shown.advance(done, f"{stage}: files"),
        )
    _tell(
        {"out": str(out), **manifest.counts},
        [*summary_lines(manifest), f"data set: {out}"],
        as_json,
    )


def planes(
    folder: DataSet,
    jobs: JobsOption = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace planes of another version.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make the input planes of every sample once, so that training need not make them.

    They stand in DIR/planes-v7, 1,128 bytes a sample at 19x19, and are used by themselves.
    """
    from mariago.cli.options import worker_count
    from mariago.cli.progress import track
    from mariago.records.plane_store import make_plane_store

    with track(None, "making planes (rows)") as shown:
        store = make_plane_store(
            folder,
            jobs=worker_count(jobs),
            overwrite=overwrite,
            tell=lambda done, total: shown.advance(done, f"making planes (rows of {total})"),
        )
    _tell(
        {"out": str(store.place), "pad": store.pad},
        [f"planes of {store.pad}x{store.pad}: {store.place}"],
        as_json,
    )


def _tell(facts: dict[str, Any], lines: list[str], as_json: bool) -> None:
    if as_json:
        import json

        print(json.dumps(facts, ensure_ascii=False))
    else:
        tell("\n".join(lines))

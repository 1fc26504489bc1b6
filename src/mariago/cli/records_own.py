"""``mariago records own``: the data set of our own, ready to be given away."""

from __future__ import annotations

from typing import Annotated

import typer

from mariago.cli.options import JobsOption, JsonOption, OutOption
from mariago.cli.terminal import tell
from mariago.words import counted


def own(
    out: OutOption,
    jobs: JobsOption = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the data set that stands there.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Build the data set of the packaged games, with card and licence, to be given away (CC0)."""
    import json

    from mariago.cli.options import worker_count
    from mariago.cli.records_progress import BuildProgress
    from mariago.records.own import build_own

    with BuildProgress() as progress:
        manifest = build_own(out, jobs=worker_count(jobs), overwrite=overwrite, tell=progress.tell)
    if as_json:
        print(json.dumps({"out": str(out), **manifest.counts}))
        return
    samples, games = manifest.counts["samples"], manifest.counts["games"]
    for split, n in samples.items():
        tell(f"{split:<11} {n:>9,} samples of {counted(games[split], 'game')}")
    tell(f"card: {out / 'README.md'}")
    tell(f"data set: {out}")

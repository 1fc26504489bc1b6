"""``mariago records label``: what a stronger player says of the rows of a data set."""

from __future__ import annotations

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Annotated

import typer

from mariago.cli.options import JobsOption, JsonOption, ResumeOption
from mariago.cli.progress import Progress, say, say_if_beginning, track
from mariago.cli.records_look import DataSet, SplitOption
from mariago.cli.terminal import tell
from mariago.words import counted

__all__ = ["label"]


def label(
    folder: DataSet,
    teacher: Annotated[
        str,
        typer.Option(
            "--teacher",
            metavar="PLAYER",
            help="katago:FILE, net:FOLDER, or search:FILE,visits=N, which is slower.",
        ),
    ],
    name: Annotated[
        str,
        typer.Option("--name", metavar="NAME", help="Name of the labels; kind and hash of net."),
    ] = "",
    symmetries: Annotated[
        int | None,
        typer.Option(
            "--symmetries", metavar="N", help="The mean over 1, 2 or 8 symmetries of the board; 1."
        ),
    ] = None,
    split: SplitOption = "",
    every: Annotated[
        int,
        typer.Option(
            "--every",
            metavar="N",
            help="Every N-th move of a game, begun elsewhere in each; 1: all.",
        ),
    ] = 1,
    most: Annotated[
        int,
        typer.Option("--most", metavar="N", help="At most N rows of a game, evenly; 0 for all."),
    ] = 0,
    jobs: JobsOption = 0,
    resume: ResumeOption = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace labels of this name that stand there.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Let a teacher say of every row its policy, value, lead and ownership.

    They stand in DIR/labels-NAME-SHARD.parquet, beside those of other
    teachers, for the side to move. A run that was stopped goes on with
    --resume and ends as if it had not been.
    """
    import json

    from mariago.cli.options import worker_count
    from mariago.errors import BadInputError
    from mariago.teaching.labelling import label_data_set
    from mariago.teaching.settings import settings_of

    if resume and overwrite:
        raise BadInputError("--resume goes on, --overwrite begins again", hint="say one of them")
    settings = settings_of(
        teacher=teacher, name=name, symmetries=symmetries, split=split, every=every, most=most
    )
    try:
        with LabelProgress(resume) as progress:
            found = label_data_set(
                folder,
                settings,
                jobs=worker_count(jobs),
                resume=resume,
                overwrite=overwrite,
                tell=progress.tell,
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            "the labels made so far are kept; the same command with --resume goes on"
        ) from None
    if as_json:
        print(json.dumps({"out": str(folder), **found.as_dict()}, ensure_ascii=False))
        return
    rate = f", {found.made:,} of them now: {found.rows_per_s:,.0f} rows/s" if found.made else ""
    tell(f"{counted(found.rows, 'row')} labelled by {found.teacher}{rate}")
    tell(f"{found.about}")
    tell(
        f"{found.bytes_a_row:,.0f} bytes a row in {counted(len(found.files), 'file')}: "
        f"{folder}/labels-*"
    )


class LabelProgress:
    """Rows labelled, rows a second and the time that is left."""

    def __init__(self, resume: bool) -> None:
        self._resume = resume
        self._stack = ExitStack()
        self._shown: Progress | None = None
        self._told = 0
        self._started_s = 0.0

    def __enter__(self) -> LabelProgress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def tell(self, made: int, before: int, total: int) -> None:
        """Take what ``label_data_set`` tells."""
        todo = total - before
        if self._shown is None:
            say_if_beginning(self._resume, before > 0)
            if before:
                say(f"{before:,} of {total:,} rows are labelled already")
            self._shown = self._stack.enter_context(track(todo, "labelling (rows)"))
            self._started_s = time.monotonic()
        elif made:
            rate = made / max(1e-9, time.monotonic() - self._started_s)
            text = f"labelling (rows), {rate:,.0f} rows/s, {_clock((todo - made) / rate)} left"
            self._shown.advance(made - self._told, text)
            self._told = made


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"

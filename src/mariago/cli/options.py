"""The options that mean the same in every command, declared once.

A command writes ``def play(size: SizeOption = "19", seed: SeedOption = 0) -> None`` and so gets the
option's name, its help text and its type from here; only the default is the command's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mariago.words import UnknownLanguage, texts

__all__ = [
    "DataSetOutOption",
    "JobsOption",
    "JsonOption",
    "KomiOption",
    "LangOption",
    "NetArgument",
    "Number",
    "OutOption",
    "ResumeOption",
    "RulesOption",
    "SeedOption",
    "SizeOption",
    "TermsOption",
    "TestShareOption",
    "ValidationShareOption",
    "at_most_64_bits",
    "worker_count",
]

if TYPE_CHECKING:
    Number = float
else:

    class Number(float):
        """What an option that takes a number is declared with: nan and inf are none.

        The command gets a plain ``float``.
        """

        @classmethod
        def __get_pydantic_core_schema__(cls, source: type, handler: Any) -> Any:
            from pydantic import FiniteFloat

            return handler.generate_schema(FiniteFloat)

    Number.__name__ = "number"  # as helps show it


def at_most_64_bits(value: int | None) -> int | None:
    """Refuse a number that no column of a store holds; a range would print its 19 digits."""
    if value is not None and value >= 2**63:
        raise typer.BadParameter("this number is too large.")
    return value


SizeOption = Annotated[
    str, typer.Option("--size", metavar="SIZE", help="Board: 19, or 9x13 for columns x rows.")
]
"""Text that ``mariago.board.points.size_of`` understands."""

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="NAME",
        help="Rule set: chinese, japanese, korean, ing, aga, new_zealand or tromp_taylor.",
    ),
]
"""A name that ``mariago.rules.rules_of`` understands."""

KomiOption = Annotated[
    Number | None,
    typer.Option("--komi", metavar="POINTS", help="Points to White; without it the rules' usual."),
]
"""Komi in points, or ``None`` for what the rule set usually gives."""

SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Same seed, same machine: same output.")
]
"""A seed for ``numpy.random.default_rng``."""

JobsOption = Annotated[
    int, typer.Option("--jobs", min=0, help="Worker processes; 0 takes every core.")
]
"""A number of workers; :func:`worker_count` turns 0 into the number of cores."""

OutOption = Annotated[
    Path, typer.Option("--out", metavar="PATH", help="Where the results are written.")
]
"""A folder or a file that the command writes."""

ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on where an interrupted run of the same command stood.")
]
"""Whether to continue what an earlier run left in ``--out``; where nothing is there, begin."""

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the results as JSON on standard output.")
]
"""Whether results are printed for programs rather than for people."""


def _known_language(lang: str) -> str:
    try:
        return texts(lang).lang
    except UnknownLanguage as error:
        raise typer.BadParameter(str(error)) from None


LangOption = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="LANG",
        help="Language of reports: en, zh, ja or ko.",
        callback=_known_language,
    ),
]
"""A language that ``mariago.words.texts`` knows."""

DataSetOutOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="The folder of the data set.")
]
"""The folder in which a data set is made."""

TermsOption = Annotated[
    str, typer.Option("--terms", metavar="TEXT", help="The terms on which they may be used.")
]
"""The terms of what a data set is made from."""

ValidationShareOption = Annotated[
    Number, typer.Option("--validation", metavar="SHARE", help="Share of the games for validation.")
]
TestShareOption = Annotated[
    Number, typer.Option("--test", metavar="SHARE", help="Share of the games for test.")
]


def worker_count(jobs: int) -> int:
    """Return how many workers ``--jobs`` means: itself, or for 0 the cores this process may use."""
    if jobs > 0:
        return jobs
    import os

    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def _meant_net(named: Path) -> Path:
    """Return the folder or file of a net; ``packaged`` is the one that comes with the package."""
    from mariago.nets import named_net

    return named_net(named)


NetArgument = Annotated[
    Path,
    typer.Argument(
        metavar="NET",
        help="A net folder, a network file of KataGo, or the word packaged.",
        callback=_meant_net,
    ),
]

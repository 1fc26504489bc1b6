"""The options of ``mariago records build`` that filter, weigh and choose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.options import Number

CatalogueOption = Annotated[
    Path | None,
    typer.Option(
        "--catalogue", metavar="FILE", help="The catalogue of sources; ./sources.toml if it exists."
    ),
]
AllowTermsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-terms",
        metavar="TERMS",
        help="Use only sources with such terms: may-train, may-republish, CC0-1.0, CC-BY-*, "
        "unknown, or the very text of the terms. May be given several times.",
    ),
]
RankOption = Annotated[
    str,
    typer.Option("--rank", metavar="RANGE", help="Games of players in 6d-9p, 1d- or -5k."),
]
RankOfOption = Annotated[
    str, typer.Option("--rank-of", metavar="WHOSE", help="both players, or either.")
]
DatesOption = Annotated[
    str, typer.Option("--dates", metavar="RANGE", help="Games of 2001..2003, 2001-05.. or 2001.")
]
ServerOption = Annotated[
    str, typer.Option("--server", metavar="NAMES", help="Games of kgs,fox,ogs,...; or unknown.")
]
HandicapOption = Annotated[
    str, typer.Option("--handicap", metavar="WHICH", help="none, only, any, or a range 2-4.")
]
ResultOption = Annotated[
    str,
    typer.Option(
        "--result",
        metavar="KINDS",
        help="Games ended by resign,score,time,forfeit,draw,void or unknown.",
    ),
]
LengthOption = Annotated[
    str, typer.Option("--length", metavar="RANGE", help="Games of 50-400, 50- or -400 moves.")
]
WeightsOption = Annotated[
    Path | None,
    typer.Option(
        "--weights", metavar="FILE", help="TOML: what rows count by winner, result, rank, tactical."
    ),
]
LessonsOption = Annotated[
    Path | None,
    typer.Option(
        "--lessons",
        metavar="FILE",
        help="lessons.jsonl of mariago lessons games: the rows of its moves, and no others, count "
        "what it says.",
    ),
]
LessonFactorOption = Annotated[
    Number | None,
    typer.Option("--lesson-factor", metavar="F", help="Lessons count F times that; 1 if not told."),
]
TacticalWeightOption = Annotated[
    Number | None,
    typer.Option("--tactical-weight", min=0, metavar="F", help="Tactical moves count F times."),
]
FactsOption = Annotated[
    bool,
    typer.Option(
        "--facts", help="Read the facts of each move, too: ladders, nets, cuts, shapes and more."
    ),
]
FactWeightOption = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="FACT=F",
        help="Moves of which a fact holds count F times, snapback=2; needs --facts. May be given "
        "several times.",
    ),
]
PickOption = Annotated[
    str, typer.Option("--pick", metavar="HOW", help="The N of a game: even, or random by the seed.")
]

MaxPerPositionOption = Annotated[
    int,
    typer.Option(
        metavar="N", help="With N over 1 keep the N commonest answers to a position, each once."
    ),
]

OpeningBalanceOption = Annotated[
    int,
    typer.Option(
        metavar="K",
        help="Games that share their first K moves weigh 1 / sqrt(how many they are); 0 for no.",
    ),
]

"""``mariago standings``: one table of the players of several matches."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import JsonOption, LangOption
from mariago.cli.progress import say
from mariago.cli.terminal import tell

__all__ = ["standings"]


class Rating(StrEnum):
    """How ratings are made."""

    davidson = "davidson"
    bradley_terry = "bradley-terry"


Stores = Annotated[
    list[str],
    typer.Argument(
        metavar="STORE...",
        help="Matches: the --out of mariago match or mariago league, its SQLite file, or a "
        "database's URL. Of several matches in one all are taken; STORE#2 is the second alone.",
    ),
]
RatingOption = Annotated[
    Rating,
    typer.Option(
        "--rating",
        help="davidson: draws have a chance of their own; bradley-terry: a draw is half a win.",
    ),
]
AnchorOption = Annotated[
    str | None,
    typer.Option("--anchor", metavar="PLAYER", help="Rated 0; without it the mean is 0."),
]
MixedOption = Annotated[
    bool,
    typer.Option("--mixed", help="Count wins on different boards, rules, komi or limits alike."),
]
CsvOption = Annotated[
    bool, typer.Option("--csv", help="Print a row a player as CSV on standard output.")
]

PageOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE.html",
        dir_okay=False,
        help="Also write a page: Elo and median leads as charts, who beat whom.",
    ),
]


def standings(
    stores: Stores,
    rating: RatingOption = Rating.davidson,
    anchor: AnchorOption = None,
    mixed: MixedOption = False,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
    out: PageOption = None,
    lang: LangOption = "en",
) -> None:
    """Rate the players of one or several matches or leagues and show who beat whom.

    Players need not have met: ratings go through others. A player is one
    with what it says of itself (a net's hash and the like), so that a
    retrained net under an old name is told apart.

    Shown are Elo with 95% intervals that take pairs of games as independent,
    games, wins without faults, illegal moves, errors, missing games, and
    the table of points. Two ratings whose intervals overlap may still differ:
    --json has the covariance.

    --out writes a page that stands alone. Its chart of median leads shows
    everybody against --anchor, or against whom the most players met: several
    versions of one player against one opponent stand side by side.
    """
    import json

    from mariago.arena.standings import read_matches, standings_of
    from mariago.arena.standings_outputs import standings_csv, standings_dict, standings_text
    from mariago.errors import BadInputError

    if as_json and as_csv:
        raise BadInputError("--json and --csv exclude each other", hint="choose one of them")
    found = standings_of(read_matches(stores), model=rating.value, anchor=anchor, mixed=mixed)
    if out is not None:
        from mariago.arena.standings_page import standings_html
        from mariago.reports import provenance, write_page

        write_page(out, standings_html(found, provenance(command_line()), lang))
        say(f"page: {out}")
    if as_json:
        print(json.dumps(standings_dict(found), ensure_ascii=False))
    elif as_csv:
        print(standings_csv(found), end="")
    else:
        tell(standings_text(found))

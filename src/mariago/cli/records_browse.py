"""``mariago records browse`` and ``show``: the games of a data set, and one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import JsonOption, LangOption, SeedOption
from mariago.cli.records_look import DataSet, PlayerOption, SplitOption
from mariago.cli.terminal import tell

__all__ = ["browse", "show"]


def browse(
    folder: DataSet,
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="PATH", help="FILE.html for one page, another name for a folder."
        ),
    ],
    games: Annotated[
        int,
        typer.Option(
            "--games", metavar="N", min=0, help="N games drawn at random; else 2,000 a page."
        ),
    ] = 0,
    split: SplitOption = "",
    size: Annotated[
        str, typer.Option("--size", metavar="SIZE", help="Games on this board: 19, or 9x13.")
    ] = "",
    player: PlayerOption = "",
    seed: SeedOption = 1,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Write the games as a page to search, sort and play through, samples and flags marked.

    One page holds 2,000 games, drawn at random where there are more, or up to 20,000 with --games;
    a folder holds all games, 2,000 a page.
    """
    import json

    from mariago.cli.progress import track
    from mariago.records.browse import GameChoice, write_browser

    with track(None, "writing games") as progress:
        seen = 0

        def went_on(done: int, total: int) -> None:
            nonlocal seen
            progress.advance(done - seen)
            seen = done

        choice = GameChoice(split, size, player, games)
        made = write_browser(folder, out, choice, seed, lang, command_line(), went_on)
    if as_json:
        told = {"page": str(made.page), "games": made.games, "matching": made.matching,
                "without_record": made.without_record}  # fmt: skip
        print(json.dumps(told, ensure_ascii=False))
    else:
        tell(made.page)


def show(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="[DIR] ID",
            help="A data set (the current folder by default), and a game of it: its number, four "
            "or more digits of its game_id, or the end of its file's path; :57 for move 57.",
        ),
    ],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write it as a page, too.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Show one game, or one sample of it: board, answer, flags, hash, source, repairs, repeats."""
    import json

    from mariago.errors import BadInputError
    from mariago.records.show import find_shown

    if len(names) > 2:
        raise BadInputError("takes a data set and one game of it", where=" ".join(names))
    shown = find_shown(*(names if len(names) == 2 else (".", names[0])))
    page = shown.write_page(html, lang, command_line()) if html is not None else None
    if as_json:
        more = {} if page is None else {"page": str(page)}
        print(json.dumps({**shown.as_dict(), **more}, ensure_ascii=False))
    else:
        tell("\n".join(shown.lines(lang)))
        if page is not None:
            tell(page)

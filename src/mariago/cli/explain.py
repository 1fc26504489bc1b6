"""``mariago explain``: what a move of a game does, in checked facts."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mariago.cli.options import JsonOption, LangOption
from mariago.cli.terminal import tell

if TYPE_CHECKING:
    from mariago.sgf import ReadGame
    from mariago.tactics.explained import Explained

MOST_MOVES = 1000  # explained in one call


def explain(
    game: Annotated[Path, typer.Argument(metavar="GAME", help="An SGF, GIB, NGF or UGF file.")],
    move: Annotated[
        str,
        typer.Option(
            "--move", metavar="N", help="The move's number from 1, or a range: 50-60, 50-."
        ),
    ],
    number: Annotated[
        int, typer.Option("--game", min=1, metavar="N", help="Which game of the file, from 1.")
    ] = 1,
    board: Annotated[
        bool, typer.Option("--board/--no-board", help="Show the board before each move.")
    ] = True,
    position: Annotated[
        bool,
        typer.Option(
            "--position", help="Tell what is known of the position, too: ladders, eyes, races."
        ),
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the move as SVG.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw the move as PNG.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Say what moves of a game do, by facts that were checked, and what the position offered."""
    import json

    from mariago.errors import BadInputError

    first, last = _range_of(move)
    if first != last and (svg or png):
        raise BadInputError("one picture shows one move", where=f"--move {move}")
    read = _game_of(game, number)
    if not last:
        last = max(first, min(len(read.moves), first + MOST_MOVES - 1))
    told = _explained(read, first, last)
    _draw(told[0], svg, png, lang)
    if as_json:
        print(json.dumps([one.as_dict(lang, position) for one in told], ensure_ascii=False))
    else:
        tell("\n\n".join("\n".join(one.lines(lang, board, position)) for one in told))


def _range_of(text: str) -> tuple[int, int]:
    """Return the first and the last move asked for; 0 stands for the end of the game."""
    from mariago.errors import BadInputError

    parts = text.strip().split("-")
    is_open = len(parts) == 2 and not parts[1]
    if is_open:
        parts = parts[:1]
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise BadInputError(
            f"{text!r} is no move number", where="--move", hint="write 57, 50-60 or 50-"
        )
    if any(len(part) > 6 for part in parts):
        raise BadInputError("no game is so long", where=f"--move {text[:20]}")
    first, last = int(parts[0]), int(parts[-1])
    if last < first:
        raise BadInputError(
            "the range goes backwards", where=f"--move {text}", hint=f"write {last}-{first}"
        )
    if first < 1:
        raise BadInputError("moves count from 1 upwards", where=f"--move {text}")
    if is_open:
        return first, 0
    if last - first >= MOST_MOVES:
        raise BadInputError(f"more than {MOST_MOVES} moves at once", where=f"--move {text}")
    return first, last


def _game_of(path: Path, number: int) -> ReadGame:
    from mariago.errors import BadInputError
    from mariago.sgf import read_games

    if not path.is_file():
        raise BadInputError("no such file", where=path)
    games = read_games(path)
    if number > len(games):
        raise BadInputError(
            f"there is no game {number}, the file holds {len(games)}", where=f"{path} --game"
        )
    return games[number - 1]


def _explained(read: ReadGame, first: int, last: int) -> list[Explained]:
    """Return the moves explained; only what comes up to them has to be legal."""
    from mariago.errors import BadInputError
    from mariago.tactics.explained import explain_move

    known = len(read.moves)
    if read.refusal == "no_moves" or (not known and read.refusal is None):
        raise BadInputError("holds no move to explain", where=read.source)
    if last > known and read.refusal in (None, "no_moves"):
        raise BadInputError(
            f"there is no move {last}, the game has {known}", where=f"{read.source} --move"
        )
    moves = read.moves[:last]
    setup = [stone for stone in read.setup if stone[0] < last]
    line = replace(read, moves=moves, setup=setup).to_game().positions()
    return [
        explain_move(position, *moves[n - 1], n)
        for n, position in zip(range(first, last + 1), islice(line, first - 1, None), strict=False)
    ]


def _draw(told: Explained, svg: Path | None, png: Path | None, lang: str) -> None:
    from mariago.board.files import write_whole
    from mariago.reports.boards import board_png, board_svg
    from mariago.reports.fonts import writable_lang

    if svg is not None:
        write_whole(svg, board_svg(told.picture(lang), lang=lang))
    if png is not None:
        shown = writable_lang(lang)
        write_whole(png, board_png(told.picture(shown), lang=shown))

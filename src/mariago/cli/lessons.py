"""``mariago lessons``: what games taught, kept in a book, shown, traced and taken back."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import JsonOption, LangOption, Number, OutOption, at_most_64_bits
from mariago.cli.progress import track
from mariago.cli.terminal import tell

if TYPE_CHECKING:
    from mariago.lessons import Book, Pattern

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    help="Teach players by each other's games: a book of lessons, and a look at it.",
)

BookArgument = Annotated[
    Path, typer.Argument(metavar="BOOK", help="A book of lessons, one file: lessons.book.")
]
ForOption = Annotated[
    str, typer.Option("--for", metavar="PLAYER", help="Lessons handed to this player alone.")
]


def _emit(as_json: bool, values: Any, lines: list[str]) -> None:
    if as_json:
        print(json.dumps(values, ensure_ascii=False))
    else:
        tell("\n".join(lines))


@app.command()
def learn(
    book: BookArgument,
    matches: Annotated[
        list[Path],
        typer.Argument(metavar="MATCH...", help="Folders that mariago match --out has made."),
    ],
    to: Annotated[
        str, typer.Option("--to", help="Whom good moves teach: other (side), own or both.")
    ] = "other",
    winner_weight: Annotated[
        Number, typer.Option("--winner-weight", metavar="W", help="What the winner's moves count.")
    ] = 2.0,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Hand the good moves of a match's games over as lessons; makes BOOK where it is not there.

    Moves that took stones, saved stones in atari, or began a ladder that works. A game is learnt
    from once; the same command again takes what is new. A player uses the book by its name:
    heuristic,book=BOOK or net:FOLDER,book=BOOK.
    """
    from mariago.arena.learning import Learnt, learn_match
    from mariago.arena.store import MatchStore
    from mariago.lessons import Book, teaching_of
    from mariago.words import texts

    teaching = teaching_of(to=to, winner_weight=winner_weight)
    games = 0
    for match in matches:  # before a book is made for nothing
        store = MatchStore.open(match)
        games += len(store.kept())
        store.close()
    total = Learnt(0, 0, 0)
    with Book.open(book, write=True, teaching=teaching) as open_book, track(games, "games") as bar:
        for match in matches:
            found = learn_match(open_book, match, on_game=bar.advance)
            total = Learnt(
                total.games + found.games,
                total.known + found.known,
                total.lessons + found.lessons,
            )
    _ = texts(lang)
    said = _(
        "{lessons} of {games}; known before: {known}",
        lessons=_.several("{count} lesson", "{count} lessons", total.lessons),
        games=_.several("{count} game", "{count} games", total.games),
        known=total.known,
    )
    _emit(as_json, {"book": str(book), **total.as_dict()}, [said])


@app.command()
def show(
    book: BookArgument,
    top: Annotated[
        int, typer.Option("--top", min=0, max=10**6, metavar="N", help="Boards to show.")
    ] = 3,
    to: ForOption = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it as one HTML page.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Show who gave whom how many lessons, and boards of what was taught most."""
    from mariago.lessons import Book
    from mariago.lessons.shown import book_page, given_table, shown_patterns, text_board, text_marks
    from mariago.reports import provenance, write_page
    from mariago.words import texts

    _ = texts(lang)
    with Book.open(book) as read:
        _check_side(read, to)
        teaching = read.teaching
        given = [one for one in read.given() if to in ("", one.receiver)]
        shown = shown_patterns(read, top, to or None)
        if out is not None:
            write_page(out, book_page(read, shown, lang, provenance(command_line())))
        values = {
            "book": str(book),
            "games": read.game_count(),
            "teaching": teaching.model_dump(),
            "given": [asdict(one) for one in given],
            "patterns": [one.as_dict() for one in shown],
        }
    table = given_table(given, _)
    lines = _columns([list(table.columns), *([table.shown(c) for c in row] for row in table.rows)])
    if shown:
        lines += ["", *text_marks(teaching, _), *("\n" + text_board(one, _) for one in shown)]
    if out is not None:
        lines += ["", _("page: {path}", path=out)]
    _emit(as_json, values, lines)


def _columns(rows: list[list[str]]) -> list[str]:
    """Return rows of cells as lines; all but the first three columns stand to the right."""
    from rich.cells import cell_len  # characters of Chinese and Korean take two places

    widths = [max(cell_len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        gaps = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [
            cell + gap if i < 3 else gap + cell
            for i, (cell, gap) in enumerate(zip(row, gaps, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _check_side(book: Book, side: str) -> None:
    from mariago.errors import LessonError
    from mariago.lessons.lesson import cut, listed

    sides = book.sides()
    if side and side not in sides:
        hint = f"players of the book: {listed(sides)}" if sides else "the book is empty"
        raise LessonError(f"the book has no player {cut(side)!r}", where=book.path, hint=hint)


@app.command()
def trace(
    book: BookArgument,
    wanted: Annotated[
        str, typer.Argument(metavar="ID", help="As show gives it; its first digits do.")
    ],
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Say which games, at which moves, taught what show calls ID."""
    from mariago.lessons import Book
    from mariago.lessons.outputs import lesson_dicts
    from mariago.lessons.shown import position_before, shown_pattern, text_board, trace_line
    from mariago.words import texts

    _ = texts(lang)
    with Book.open(book) as read:
        pattern = _pattern_of(read, wanted)
        found = list(read.lessons(pattern=pattern.pattern))
        values = {"id": wanted, "lessons": lesson_dicts(read, found)}
        lines = [text_board(shown_pattern(read, pattern), _), ""]
        for one in found:
            when = one.played or one.learnt[:10]
            said = trace_line(one, position_before(read, one), _)
            lines.append(f"{when}  {said}  x{one.weight:g}")
    _emit(as_json, values, lines)


def _pattern_of(book: Book, text: str) -> Pattern:
    """Return the one pattern whose digits begin with ``text``.

    Raises:
        LessonError: none does, or several do.
    """
    from mariago.errors import LessonError
    from mariago.lessons.lesson import cut
    from mariago.lessons.outputs import pattern_text

    start = text.strip().lower()
    fit = [p for p in book.patterns() if start and pattern_text(p.pattern).startswith(start)]
    if len(fit) == 1:
        return fit[0]
    hint = f"mariago lessons show {book.path} lists them"
    asked = cut(text)
    what = f"{len(fit)} lessons begin with {asked!r}" if fit else f"there is no lesson {asked!r}"
    raise LessonError(what, where=book.path, hint=hint)


@app.command()
def undo(
    book: BookArgument,
    game: Annotated[
        int | None,
        typer.Option(
            "--game",
            metavar="N",
            min=0,
            callback=at_most_64_bits,
            help="The game of this number in the book; see trace.",
        ),
    ] = None,
    match: Annotated[
        Path | None, typer.Option("--match", metavar="DIR", help="The games of this match.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="What was learnt from 2025-01-31 on (UTC)."),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Take games and their lessons back, as if they had never been learnt from."""
    import os

    from mariago.errors import BadInputError

    if game is None and match is None and since is None:
        raise BadInputError(
            "nothing says what to take back",
            where="mariago lessons undo",
            hint="--game, --match or --since; mariago lessons reset takes everything back",
        )
    if since is not None:
        _check_date(since)
    place = None if match is None else os.path.abspath(match)
    with _existing(book) as open_book:
        games, lessons = open_book.undo(game=game, match=place, since=since)
    _tell_taken(book, games, lessons, as_json, lang)


def _check_date(text: str) -> None:
    from datetime import datetime

    from mariago.errors import BadInputError
    from mariago.lessons.lesson import cut

    try:
        datetime.fromisoformat(text)
    except ValueError:
        hint = "write 2025-01-31 or 2025-01-31T09:30"
        raise BadInputError(f"{cut(text)!r} is no date", where="--since", hint=hint) from None


def _existing(path: Path) -> Book:
    """Return a book to be written that is there already."""
    from mariago.lessons import Book

    Book.open(path).close()
    return Book.open(path, write=True)


def _tell_taken(book: Path, games: int, lessons: int, as_json: bool, lang: str) -> None:
    from mariago.words import texts

    _ = texts(lang)
    said = _(
        "took back {lessons} of {games}",
        lessons=_.several("{count} lesson", "{count} lessons", lessons),
        games=_.several("{count} game", "{count} games", games),
    )
    _emit(as_json, {"book": str(book), "games": games, "lessons": lessons}, [said])


@app.command()
def reset(
    book: BookArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Empty a book; how it is taught stays."""
    from mariago.words import texts

    with _existing(book) as open_book:
        if not yes:
            question = texts(lang).several(
                "Take back everything from the {count} game of {book}?",
                "Take back everything from the {count} games of {book}?",
                open_book.game_count(),
                book=book,
            )
            typer.confirm(question, abort=True, err=True)
        games, lessons = open_book.reset()
    _tell_taken(book, games, lessons, as_json, lang)


@app.command()
def export(
    book: BookArgument,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="A file that ends in .jsonl or .csv.")
    ],
    to: ForOption = "",
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Write every lesson with its game: one line each, as JSON or as CSV."""
    from mariago.lessons import Book
    from mariago.lessons.outputs import write_lessons
    from mariago.words import texts

    with Book.open(book) as read:
        _check_side(read, to)
        count = write_lessons(read, out, to or None)
    said = texts(lang)("{lessons} lessons: {path}", lessons=count, path=out)
    _emit(as_json, {"out": str(out), "lessons": count}, [said])


@app.command()
def games(
    book: BookArgument,
    out: OutOption,
    to: ForOption = "",
    factor: Annotated[
        Number,
        typer.Option("--factor", min=0, max=1000, help="What moves of the taught kinds count."),
    ] = 3.0,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Write the games that taught, as SGF, with weights for a net that is to learn from them.

    Then: mariago records build OUT --lessons OUT/lessons.jsonl ..., by which exactly the lessons
    weigh more, and mariago net train or net tune on that. With --facts --weights OUT/weights.toml
    all moves of the kinds that were taught do, whoever played them.
    """
    from mariago.lessons import Book
    from mariago.lessons.outputs import write_games
    from mariago.words import texts

    with Book.open(book) as read:
        _check_side(read, to)
        count, lessons = write_games(read, out, side=to or None, factor=factor)
    _ = texts(lang)
    said = _(
        "{lessons} of {games}",
        lessons=_.several("{count} lesson", "{count} lessons", lessons),
        games=_.several("{count} game", "{count} games", count),
    )
    values = {"out": str(out), "games": count, "lessons": lessons}
    _emit(as_json, values, [f"{said}: {out}"])

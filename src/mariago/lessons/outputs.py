"""What a book is written out as: rows for programs, and games that a net can be trained on."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mariago.board.files import write_whole
from mariago.board.points import BLACK, COLOR_NAMES, WHITE, move_to_vertex
from mariago.errors import LessonError
from mariago.lessons.games import PlayedGame
from mariago.rules import Game, Result
from mariago.rules.game import Player
from mariago.sgf import write_game

if TYPE_CHECKING:
    from mariago.lessons.book import Book, Known

__all__ = [
    "FACT_OF_KIND",
    "POSITIONS_FILE",
    "WEIGHTS_FILE",
    "lesson_dict",
    "lesson_dicts",
    "pattern_text",
    "sgf_of",
    "write_games",
    "write_lessons",
]

FORMATS = (".jsonl", ".csv")
WEIGHTS_FILE = "weights.toml"
POSITIONS_FILE = "lessons.jsonl"

FACT_OF_KIND = {
    "capture": ("captures",),
    "atari_save": ("saves_by_extending", "saves_by_capturing"),
    "working_chase": ("working_ladder",),
}
"""Kind of lesson -> the facts of samples that say the same of a move."""


def pattern_text(key: int) -> str:
    """Return a key as books show it: 16 hexadecimal digits."""
    return f"{key:016x}"


def lesson_dict(known: Known, game: PlayedGame) -> dict[str, Any]:
    """Return a lesson as plain values, in the words of people where there are some.

    ``number`` is that of the game in its match as pages and SGF count it, from 1.
    """
    told = asdict(known)
    told["number"] = known.number + 1
    told["color"] = COLOR_NAMES[known.color]
    told["vertex"] = str(move_to_vertex(known.move, game.start.size))
    told["rules"], told["size"] = game.start.rules.name, str(game.start.size)
    told["winner"] = COLOR_NAMES.get(known.winner, "")
    told["pattern"], told["position"] = pattern_text(known.pattern), pattern_text(known.position)
    return told


def lesson_dicts(book: Book, lessons: Iterable[Known]) -> list[dict[str, Any]]:
    """Return lessons as plain values; each game is read once."""
    games: dict[int, PlayedGame] = {}
    found: list[dict[str, Any]] = []
    for known in lessons:
        if known.game not in games:
            games[known.game] = book.game(known.game)
        found.append(lesson_dict(known, games[known.game]))
    return found


def write_lessons(book: Book, path: Path, side: str | None = None) -> int:
    """Write all lessons as JSON lines or as CSV, by the file's ending; return how many.

    Raises:
        LessonError: another ending, or a lesson that cannot be read.
        OSError: it cannot be written.
    """
    if path.suffix not in FORMATS:
        hint = f"name a file that ends in {' or '.join(FORMATS)}"
        raise LessonError("is no kind of file that lessons are written to", where=path, hint=hint)
    rows = lesson_dicts(book, list(book.lessons(side=side)))
    write_whole(path, _csv(rows) if path.suffix == ".csv" else _lines(rows))
    return len(rows)


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def write_games(
    book: Book, folder: Path, *, side: str | None = None, factor: float = 3.0
) -> tuple[int, int]:
    """Write the games that taught something, and what their moves are to weigh; return counts.

    ``folder`` gets ``game-00001.sgf`` and so on, by the games' numbers in the book; the file
    ``weights.toml``, for ``mariago records build --facts --weights``; and ``lessons.jsonl``, each
    lesson with its game's file and its weight, for other trainers.

    Args:
        factor: what moves of the kinds that were taught count; others count 1.

    Raises:
        LessonError: the book has no lesson, or the folder holds files already.
        OSError: it cannot be written.
    """
    taught: dict[int, list[Known]] = {}
    for known in book.lessons(side=side):
        taught.setdefault(known.game, []).append(known)
    if not taught:
        raise LessonError("the book has no lesson to write games of", where=book.path)
    if folder.exists() and any(folder.iterdir()):
        raise LessonError("the folder holds files already", where=folder, hint="name a new one")
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    for number, game in book.games():
        if number not in taught:
            continue
        name = f"game-{number:05d}.sgf"
        write_whole(folder / name, sgf_of(game))
        rows += [{"file": name, **lesson_dict(known, game)} for known in taught[number]]
    write_whole(folder / POSITIONS_FILE, _lines(rows))
    kinds = sorted({row["kind"] for row in rows})
    write_whole(folder / WEIGHTS_FILE, weights_text(kinds, factor))
    return len(taught), len(rows)


def weights_text(kinds: Iterable[str], factor: float) -> str:
    """Return ``weights.toml``: ``factor`` for the facts of these kinds of lessons."""
    facts = [fact for kind in kinds for fact in FACT_OF_KIND[kind]]
    told = "".join(f"{fact} = {factor:g}\n" for fact in facts)
    return f"# What moves of the kinds that these games taught count in training.\n[facts]\n{told}"


def sgf_of(game: PlayedGame) -> bytes:
    """Return a game as SGF."""
    told = Game.from_moves(
        game.start,
        game.moves,
        players={BLACK: Player(game.black), WHITE: Player(game.white)},
        result=Result(game.winner, None, "won") if game.winner else None,
        properties={"RO": str(game.number + 1), **({"DT": game.played} if game.played else {})},
    )
    return write_game(told)

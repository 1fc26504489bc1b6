"""What a move taught: lessons of games, the book that keeps them, and the bonuses they give.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.lessons.book import Book, Given, Known, Pattern
    from mariago.lessons.extraction import lesson_kind, lessons_of_game, lessons_of_record
    from mariago.lessons.games import PlayedGame, game_of_record
    from mariago.lessons.lesson import KINDS, Lesson, Teaching, teaching_of
    from mariago.lessons.table import LessonTable, table_of

_HOMES = {
    "book": ("Book", "Given", "Known", "Pattern"),
    "extraction": ("lesson_kind", "lessons_of_game", "lessons_of_record"),
    "games": ("PlayedGame", "game_of_record"),
    "lesson": ("KINDS", "Lesson", "Teaching", "teaching_of"),
    "table": ("LessonTable", "table_of"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "KINDS",
    "Book",
    "Given",
    "Known",
    "Lesson",
    "LessonTable",
    "Pattern",
    "PlayedGame",
    "Teaching",
    "game_of_record",
    "lesson_kind",
    "lessons_of_game",
    "lessons_of_record",
    "table_of",
    "teaching_of",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

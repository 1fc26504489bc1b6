"""A book for people: its tables, boards of what it taught most, and the same as one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mariago.board.diagram import draw_diagram
from mariago.board.points import COLOR_NAMES, move_to_vertex
from mariago.lessons.book import Book, Given, Known, Pattern
from mariago.lessons.lesson import KINDS, Teaching, kind_in_words
from mariago.lessons.outputs import pattern_text
from mariago.reports import BoardGrid, BoardPicture, Section, Table, Text, page
from mariago.words import Texts, texts

if TYPE_CHECKING:
    from mariago.reports import Provenance
    from mariago.rules import Position

__all__ = [
    "Shown",
    "book_page",
    "given_table",
    "position_before",
    "shown_pattern",
    "shown_patterns",
    "text_board",
    "text_marks",
    "trace_line",
    "what_counts",
]

SHORT = 8  # hexadecimal digits of a pattern that people are shown


@dataclass(frozen=True, slots=True)
class Shown:
    """A pattern with the first position that taught it."""

    pattern: Pattern
    first: Known
    position: Position

    @property
    def id(self) -> str:
        """What ``trace`` takes."""
        return pattern_text(self.pattern.pattern)[:SHORT]

    def title(self, _: Texts) -> str:
        """Return what it teaches and how often it was taught, in one line."""
        return _.several(
            "{id}: {kind}, {count} lesson that counts {weight}",
            "{id}: {kind}, {count} lessons that count {weight}",
            self.pattern.lessons,
            id=self.id,
            kind=kind_in_words(self.first.kind, _),
            weight=f"{self.pattern.weight:g}",
        )

    def source(self, _: Texts) -> str:
        """Return where it was first taught."""
        return trace_line(self.first, self.position, _)

    def picture(self, _: Texts) -> BoardPicture:
        """Return the board before the move, and the move."""
        last = self.position.last_move
        return BoardPicture(
            self.position.stones,
            to_move=self.first.color,
            last_move=last,
            answer=self.first.move,
            caption=(self.title(_), self.source(_)),
        )

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "id": self.id,
            "pattern": pattern_text(self.pattern.pattern),
            "lessons": self.pattern.lessons,
            "weight": self.pattern.weight,
            "kind": self.first.kind,
            "game": self.first.game,
            "move_number": self.first.move_number,
            "vertex": str(move_to_vertex(self.first.move, self.position.size)),
            "color": COLOR_NAMES[self.first.color],
        }


def trace_line(known: Known, position: Position, _: Texts) -> str:
    """Return a lesson's source: who played it in which game, and to whom it was handed."""
    return _(
        "game {game} ({number} of {match}), move {move} {vertex}: {giver} to {receiver}",
        game=known.game,
        number=known.number + 1,
        match=known.match or "-",
        move=known.move_number,
        vertex=move_to_vertex(known.move, position.size),
        giver=known.giver,
        receiver=known.receiver,
    )


def position_before(book: Book, known: Known) -> Position:
    """Return the position in which a lesson's move was played.

    Raises:
        LessonError: the game is not in the book, or has no such move.
    """
    from mariago.lessons.book_file import damaged

    for number, (position, _) in enumerate(book.game(known.game).positions(), 1):
        if number == known.move_number:
            return position
    raise damaged(book.path, f"game {known.game} has no move {known.move_number}")


def shown_patterns(book: Book, limit: int | None, side: str | None = None) -> list[Shown]:
    """Return the patterns that taught most, each with the first position that taught it."""
    return [shown_pattern(book, pattern) for pattern in book.patterns(side, limit)]


def shown_pattern(book: Book, pattern: Pattern) -> Shown:
    """Return a pattern with the first position that taught it."""
    first = next(iter(book.lessons(number=pattern.first)))
    return Shown(pattern, first, position_before(book, first))


def text_board(shown: Shown, _: Texts) -> str:
    """Return a pattern as text: the board after the move, the move in brackets."""
    stones = shown.position.stones.copy()
    stones.ravel()[shown.first.move] = shown.first.color
    drawn = draw_diagram(stones, last=shown.first.move)
    return "\n".join([shown.title(_), shown.source(_), drawn])


def what_counts(teaching: Teaching, _: Texts) -> list[str]:
    """Return what the counts beside boards mean, a sentence each."""
    return [
        _(
            "A lesson is kept under the stones within two steps of its move: turned and mirrored "
            "boards and swapped colours are one lesson."
        ),
        _(
            "It is counted how often such a move was taught, and what that counts: a winner's move "
            "{weight}, others 1. The larger that is, the more a player with the book prefers such "
            "a move.",
            weight=f"{teaching.winner_weight:g}",
        ),
    ]


def text_marks(teaching: Teaching, _: Texts) -> list[str]:
    """Return what the marks and counts of :func:`text_board` mean, a line each."""
    return [
        _(
            "X is Black, O is White; the stone in brackets is the move that teaches, on the board "
            "where it was first taught."
        ),
        *what_counts(teaching, _),
    ]


def given_table(given: list[Given], _: Texts) -> Table:
    """Return who gave whom what."""
    columns = [_("Lesson"), _("From"), _("To"), _("Lessons"), _("Count for"), _("Stones")]
    order = {kind: i for i, kind in enumerate(KINDS)}
    rows = [
        [
            *(kind_in_words(one.kind, _), one.giver, one.receiver),
            *(one.lessons, one.weight, one.stones),
        ]
        for one in sorted(given, key=lambda g: (g.giver, g.receiver, order.get(g.kind, 9)))
    ]
    return Table(columns, rows, digits=1)


def book_page(
    book: Book,
    shown: list[Shown],
    lang: str = "en",
    footer: Provenance | None = None,
) -> str:
    """Return the book as one HTML page: who gave whom what, and boards of what taught most."""
    _ = texts(lang)
    teaching = book.teaching
    told = _(
        "{games}. Good moves are handed to {to}; the winner's count {weight}.",
        games=_.several("{count} game", "{count} games", book.game_count()),
        to=_(_TO[teaching.to]),
        weight=f"{teaching.winner_weight:g}",
    )
    sections = [
        Section(_("Who gave whom what"), Text(told), given_table(book.given(), _)),
        Section(
            _("What was taught most"),
            Text(
                _(
                    "The board on which each lesson was first taught, before its move: the "
                    "coloured circle is the move that teaches, the small ring the move played "
                    "before it."
                ),
                *what_counts(teaching, _),
            ),
            BoardGrid([one.picture(_) for one in shown]),
        ),
    ]
    return page(_("Lessons"), sections, lang, footer, subtitle=book.path.name)


_TO = {
    "other": "the opponent",
    "own": "the player's own side",
    "both": "both sides",
}

"""The ablation of lessons: students that differ in their book alone meet the same third parties.

All books are learnt from the same games. Every student plays the same third parties from the same
openings with the same seeds, so that two cells differ in nothing but the book.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mariago.arena.standings import StoredMatch
from mariago.lessons.extraction import GoodMove
from mariago.teaching.ablation_figures import AblationFigures, CellFigures, figures_of_cells
from mariago.teaching.cross_settings import TAUGHT_BY, AblationSettings, Cell, book_of
from mariago.teaching.lessons_used import Used, lessons_used, total_used
from mariago.teaching.run_folder import begin_run, play_once
from mariago.teaching.side_books import grow_book, told_by, with_book
from mariago.teaching.third_parties import MATCHES, THIRD, meeting, seed_of

__all__ = ["ablate", "student_of"]

PLACEBO = 3  # first word of seeds of placebos
OnGame = Callable[[str], None]


def _book_path(folder: Path, book: str) -> Path:
    return folder / "books" / f"{book}.book"


def student_of(settings: AblationSettings, cell: Cell, folder: Path) -> str:
    """Return the name of a cell's student."""
    name, book = settings.names["a"], book_of(cell)
    if book is None:
        return name
    keys = {"shuffled": "lesson_shuffle", "chance": "lesson_placebo"}
    seed = seed_of(settings.match.seed, PLACEBO)
    more = {keys[cell]: seed} if cell in keys else {}
    return with_book(name, _book_path(folder, book), **more)


def ablate(
    settings: AblationSettings,
    folder: Path,
    *,
    jobs: int = 1,
    resume: bool = False,
    on_game: OnGame = lambda _: None,
    on_learning: OnGame = lambda _: None,
) -> AblationFigures:
    """Play all cells, or what is left of them, in ``folder`` and return what came of them.

    Args:
        jobs: worker processes; nothing but the time depends on it.
        on_game: called with what is being played for every game that is there or comes.
        on_learning: called with what is being done for every game that a book learns from.

    Raises:
        BadInputError: the folder holds another run, or one that is not to be gone on with.
        MatchError, PlayerError, LessonError: see :func:`mariago.arena.match.play_match`.
    """
    told = settings.model_dump(mode="json")
    begin_run(folder, "ablation", told, resume=resume, grows="games")
    _teach(settings, folder, jobs, on_game, on_learning)
    matches: dict[Cell, list[StoredMatch]] = {cell: [] for cell in settings.cells}
    used: dict[Cell, list[Used]] = {cell: [] for cell in settings.cells}
    each = -(-settings.looked_at // len(settings.third))
    for k, third in enumerate(settings.third):
        for cell in settings.cells:
            name = student_of(settings, cell, folder)
            place = folder / "cells" / f"{cell}-third-{k + 1}"
            terms = meeting(
                settings.match,
                name,
                third,
                settings.third_games[k],
                seed_of(settings.match.seed, THIRD, k),
            )
            said = f"{cell}, against {third}"
            match = play_once(terms, place, jobs=jobs, on_game=lambda: on_game(said))  # noqa: B023
            matches[cell].append(match)
            if cell != "none":
                used[cell].append(lessons_used(match, place, each, player=name))
    cells: list[CellFigures] = []
    for cell in settings.cells:
        told = told_by(_book_path(folder, book_of(cell) or cell))
        cells.append(CellFigures(cell, told, total_used(used[cell]), tuple(matches[cell])))
    return figures_of_cells(settings, cells)


def _teach(
    settings: AblationSettings, folder: Path, jobs: int, on_game: OnGame, on_learning: OnGame
) -> None:
    """Play the games that teach and make every book of them."""
    base, names = settings.match, settings.names
    place = folder / "taught"
    terms = meeting(base, names["a"], names["b"], base.games, seed_of(base.seed, MATCHES, 1))
    said = f"games that teach, {names['a']} against {names['b']}"
    match = play_once(terms, place, jobs=jobs, on_game=lambda: on_game(said))
    known: dict[tuple[str, int], list[GoodMove]] = {}
    for book in settings.books:
        path = _book_path(folder, book)
        grow_book(path, [(place, match)], "a", TAUGHT_BY[book], known=known, tell=on_learning)

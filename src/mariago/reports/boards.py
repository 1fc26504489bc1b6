"""Board pictures as SVG text and PNG bytes."""

from collections.abc import Mapping, Sequence

import numpy as np

from mariago.board.points import BLACK, move_to_vertex, size_of
from mariago.errors import BadInputError
from mariago.reports.diagram import BoardPicture, plan_board
from mariago.reports.drawing import to_svg
from mariago.words import texts

__all__ = ["board_png", "board_svg", "draw_board", "sample_caption", "sheet_png"]


def draw_board(
    stones: np.ndarray,
    *,
    to_move: int | None = None,
    last_move: int | None = None,
    answer: int | None = None,
    labels: Mapping[int, str] | None = None,
    marks: Mapping[int, str] | None = None,
    heat: np.ndarray | None = None,
    ownership: np.ndarray | None = None,
    coordinates: bool = True,
    cell: float = 24.0,
    lang: str = "en",
) -> str:
    """Return a board as SVG text; the arguments are those of :class:`BoardPicture`.

    ``cell`` is the distance of neighbouring lines in pixels; ``lang`` is that of the words for
    those who do not see the picture, and of a pass written under it.
    """
    picture = BoardPicture(
        stones,
        to_move=to_move,
        last_move=last_move,
        answer=answer,
        labels=labels or {},
        marks=marks or {},
        heat=heat,
        ownership=ownership,
        coordinates=coordinates,
    )
    return board_svg(picture, cell, lang)


def board_svg(picture: BoardPicture, cell: float = 24.0, lang: str = "en") -> str:
    """Return ``picture`` as SVG text, lines ``cell`` pixels apart; the page writes its caption."""
    return to_svg(plan_board(picture, cell, lang))


def board_png(picture: "BoardPicture | np.ndarray", cell: float = 24.0, lang: str = "en") -> bytes:
    """Return a picture, or bare stones (rows, columns), as PNG; lines ``cell`` pixels apart."""
    from mariago.reports.fonts import Fonts
    from mariago.reports.raster import paint

    shown = picture if isinstance(picture, BoardPicture) else BoardPicture(picture)
    return paint(plan_board(shown, cell, lang), Fonts(lang=lang))


def sheet_png(
    items: Sequence[BoardPicture],
    columns: int = 4,
    title: str = "",
    *,
    foot: str = "",
    cell: float = 20.0,
    lang: str = "en",
) -> bytes:
    """Return a PNG sheet of boards in rows of ``columns``, each with its caption below.

    Boards of all sizes are drawn about as wide as a 19x19 board with lines ``cell`` pixels apart.
    ``lang`` is that of the sheet's own words and chooses among the shapes of Han characters.

    Raises:
        BadInputError: no boards, or fewer than one column.
    """
    from mariago.reports.fonts import Fonts
    from mariago.reports.raster import paint_sheet

    if not items or columns < 1:
        raise BadInputError(
            f"a sheet of {len(items)} boards in {columns} columns", where="board sheet"
        )
    plans = [(plan_board(item, _sheet_cell(item, cell), lang), item.caption) for item in items]
    return paint_sheet(plans, min(columns, len(items)), title, foot, Fonts(lang=lang), lang=lang)


def _sheet_cell(picture: BoardPicture, cell: float) -> float:
    around = 1.7  # what the coordinates take, in lines
    return min(1.7 * cell, cell * (19 + around) / (max(picture.size) + around))


def sample_caption(
    source: str,
    move_number: int,
    to_move: int,
    answer: int,
    size: "int | str | tuple[int, int]",
    lang: str = "en",
) -> tuple[str, ...]:
    """Return the lines under a sample: where it is from, then whose move it is and the answer."""
    _ = texts(lang)
    board_size = size_of(size)
    vertex = _.term("pass") if answer == board_size.cells else move_to_vertex(answer, board_size)
    side = _("Black to play") if to_move == BLACK else _("White to play")
    number = _("Move number {number}", number=move_number)
    return source, " · ".join((number, side, f"{_('Answer')} {vertex}"))

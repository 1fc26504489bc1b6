"""Heat maps of first moves and openings."""

import numpy as np

from mariago.board.points import Size, move_to_vertex
from mariago.records.row_facts import Heat
from mariago.reports.boards import draw_board
from mariago.reports.sections import Block, Figures
from mariago.words import Texts

__all__ = ["opening_blocks"]

NAMED = 4  # points that a caption names


def opening_blocks(heats: dict[int, Heat], is_folded: bool, _: Texts) -> list[Block]:
    """Return heat maps by number of moves; ``is_folded`` where they are means over symmetries."""
    figures = [_figure(limit, heat, is_folded, _) for limit, heat in heats.items() if heat.games]
    if not figures:
        return []
    folded = _("Each map is the mean of its turned and mirrored forms.")
    plain = _(
        "Points as they stand in the files; records are often kept with the first move in the "
        "upper right corner. With --fold the maps are means over the symmetries of the board."
    )
    words = _("The darker a point, the more even games have a move there.")
    return [_("{sentence} {more}", sentence=words, more=folded if is_folded else plain),
            Figures(*figures)]  # fmt: skip


def _figure(limit: int, heat: Heat, is_folded: bool, _: Texts) -> tuple[str, str]:
    size = Size(*(int(side) for side in heat.counts.shape))
    shades = np.sqrt(heat.shares) if limit == 1 else heat.shares
    svg = draw_board(np.zeros(size, np.uint8), heat=shades, lang=_.lang)
    count = f"{heat.games:,}"
    if limit == 1:
        words = _(
            "First moves of {n} even games on {size} (shade: square root of the number)",
            n=count,
            size=size,
        )
    else:
        words = _("The first {moves} moves of {n} even games on {size}",
                  moves=limit, n=count, size=size)  # fmt: skip
    order = np.argsort(-heat.shares.ravel(), kind="stable")[: 1 if is_folded else NAMED]
    named = ", ".join(
        f"{move_to_vertex(int(move), size)} {100 * heat.shares.flat[move]:.1f}%" for move in order
    )
    return svg, _("; ").join((words, _("most often: {points}", points=named)))

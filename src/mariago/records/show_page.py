"""One game or one sample of a data set as an HTML page."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mariago.records.report_words import FLAGS_IN_WORDS
from mariago.records.row_facts import FLAGS
from mariago.records.workplace import made_folder
from mariago.reports.diagram import BoardPicture
from mariago.reports.origin import provenance
from mariago.reports.pages import page, write_page
from mariago.reports.sections import BoardGrid, Definitions, Section
from mariago.reports.stepper import Stepper
from mariago.words import Texts, texts

if TYPE_CHECKING:
    from mariago.records.show import Shown

__all__ = ["write_shown"]


def write_shown(shown: "Shown", path: Path, lang: str, command: str) -> Path:
    """Write the page and return where it is."""
    _ = texts(lang)
    entry = shown.view.entry
    name = f"{entry['game']}:{shown.number}" if shown.step is not None else str(entry["game"])
    title = _("Game {name}", name=name)
    sections: list[Section] = []
    if shown.step is not None:
        words = _("Ring in a stone: last move. Orange ring: the answer, in the mover's colour.")
        sections.append(Section(_("Sample"), words, BoardGrid([_picture(shown)], 28.0)))
    facts = Definitions(*shown.facts(_))
    sections += [Section(_("What is known"), facts), Section(_("The game"), _stepper(shown, _))]
    origin = provenance(command or f"write_shown({name!r})", None)
    subtitle = shown.manifest.folder.resolve().name
    with made_folder(path.parent):
        write_page(path, page(title, sections, lang, origin, subtitle=subtitle))
    return path


def _picture(shown: "Shown") -> BoardPicture:
    assert shown.step is not None
    before, move = shown.before, shown.view.steps[shown.step]
    return BoardPicture(
        before.stones,
        to_move=move.color,
        last_move=None if before.last < 0 else before.last,
        answer=move.move,
        marks={} if before.ko < 0 else {before.ko: "square"},
    )


def _stepper(shown: "Shown", _: Texts) -> Stepper:
    view = shown.view
    board = np.zeros(view.size.cells, np.uint8)
    boards: list[np.ndarray] = []
    for step in view.steps:
        for point, color in step.changes:
            board[point] = color
        boards.append(board.reshape(view.size).copy())
    notes = [""]
    for bits in view.marks():
        told = [_(FLAGS_IN_WORDS[name]) for k, name in enumerate(FLAGS) if bits >> k & 1]
        notes.append(_("not a sample") if bits < 0 else " · ".join(told))
    moves = [(step.color, step.move) for step in view.steps[1:]]
    return Stepper(boards, moves, "", notes, opens_at=shown.step or 0)

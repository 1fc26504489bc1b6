"""Rounds of lessons as files for programs and as a table for people."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from mariago.arena.outputs import percent, signed
from mariago.arena.statistics import LEVEL, elo_estimate
from mariago.board.files import write_whole
from mariago.lessons import KINDS
from mariago.reports import Provenance
from mariago.teaching.rounds_figures import RoundFigures, RunFigures
from mariago.teaching.rounds_tuned import tuned_lines
from mariago.teaching.side_books import SIDES
from mariago.teaching.third_parties import third_score
from mariago.words import counted

__all__ = ["rounds_csv", "rounds_text", "write_rounds"]


def write_rounds(figures: RunFigures, folder: Path, origin: Provenance) -> None:
    """Write ``teach.json`` and ``teach.csv`` (a row a round and side) into the folder."""
    values = {**figures.as_dict(), "provenance": origin.as_dict()}
    write_whole(folder / "teach.json", json.dumps(values, ensure_ascii=False, indent=1) + "\n")
    write_whole(folder / "teach.csv", rounds_csv(figures))


def rounds_csv(figures: RunFigures) -> str:
    """Return a row for every round and side."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    third = figures.settings.third
    writer.writerow(
        [
            *("round", "side", "player", "pairs", "score", "score_low", "score_high"),
            *(f"given_{kind}" for kind in KINDS),
            *("book_lessons", "book_weight", "book_patterns", "moves_asked", "moves_changed"),
            *("elo", "elo_low", "elo_high", "gain", "gain_low", "gain_high"),
            *(f"score against {name}" for name in third),
            *(TUNED_COLUMNS if figures.settings.tuned else ()),
        ]
    )
    for one in figures.rounds:
        for side in SIDES:
            writer.writerow(_csv_row(figures, one, side))
    return out.getvalue()


def _csv_row(figures: RunFigures, one: RoundFigures, side: str) -> list[object]:
    told, used, given = one.told[side], one.used.get(side), one.given.get(side, {})
    score = one.score.as_list()
    if side == "b":  # the other side of the same games, its limits swapped
        score = [None if x is None else 1 - x for x in (score[0], score[2], score[1])]
    return [
        *(one.number, side, figures.settings.names[side], len(one.scores)),
        *map(_cell, score),
        *(given.get(kind, (0, 0.0))[0] for kind in KINDS),
        *(told.lessons, told.weight, told.patterns),
        *(("", "") if used is None else (used.moves, used.changed)),
        *map(_cell, figures.elo(side, one.number).as_list()),
        *map(_cell, figures.gain(side, one.number).as_list()),
        *(_cell(third_score([match]).value) for match in one.third[side]),
        *(_tuned_cells(figures, one, side) if figures.settings.tuned else ()),
    ]


def _tuned_cells(figures: RunFigures, one: RoundFigures, side: str) -> list[object]:
    tuned = one.tuned.get(side)
    if tuned is None:
        cells: list[object] = [""] * 7
    else:
        change = tuned.moves_right("change")
        right = (tuned.moves_right(which)[0] for which in ("before", "after"))
        cells = [tuned.samples, tuned.found, tuned.kept_step, *map(_cell, (*right, *change[1:]))]
    return [*cells, *map(_cell, figures.elo_of_old_weights(side, one.number).as_list())]


TUNED_COLUMNS = (
    *("tuned_samples", "tuned_lessons", "tuned_step"),
    *("held_out_before", "held_out_after", "held_out_change_low", "held_out_change_high"),
    *("elo_old_weights", "elo_old_weights_low", "elo_old_weights_high"),
)


def _cell(value: float | None) -> object:
    return "" if value is None else round(value, 4)


def rounds_text(figures: RunFigures) -> str:
    """Return the table that the command line shows."""
    names = figures.settings.names
    rows = [
        ["Round", "A against B", "Elo", *(f"{side.upper()} {what}" for side in SIDES for what in
                                          ("lessons", "changed", "Elo"))]
    ]  # fmt: skip
    for one in figures.rounds:
        cells = [str(one.number), percent(one.score), signed(elo_estimate(one.score), 0)]
        for side in SIDES:
            used = one.used.get(side)
            changed = "-" if used is None else f"{used.changed}/{used.moves}"
            lessons = str(one.told[side].lessons)
            cells += [lessons, changed, signed(figures.elo(side, one.number), 0)]
        rows.append(cells)
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [f"A is {names['a']}, B is {names['b']}", ""]
    for row in rows:
        fitted = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(fitted))
    lines += ["", *_legend(figures), *_book_lines(figures), *tuned_lines(figures)]
    lines += ["", *(_gain_line(figures, side) for side in SIDES)]
    return "\n".join(lines)


def _legend(figures: RunFigures) -> list[str]:
    third = figures.settings.third
    return [
        f"lessons: in the side's book; changed: moves against third parties that a lesson decided; "
        f"intervals {100 * LEVEL:.0f}%, pairs of games as independent.",
        f"Elo of A and B from their games with {', '.join(third)}; {third[0]} is 0.",
    ]


def _book_lines(figures: RunFigures) -> list[str]:
    """Return whose book holds what, of the last round."""
    if len(figures.rounds) < 2:
        return []
    last, names = figures.rounds[-1], figures.settings.names
    lines: list[str] = []
    for side in figures.settings.learners:
        told = last.told[side]
        lines.append(
            f"{side.upper()}'s book, books/{side}-{last.number:02d}.book, holds what {names[side]} "
            f"was taught: {counted(told.lessons, 'lesson')} in "
            f"{counted(told.patterns, 'pattern')}, moves of {told.givers or 'nobody'}."
        )
    return lines


def _gain_line(figures: RunFigures, side: str) -> str:
    name = figures.settings.names[side]
    if side not in figures.settings.learners:
        return f"{side.upper()}: {name} uses no lessons."
    gain = figures.gain(side, figures.rounds[-1].number) if figures.rounds else None
    if gain is None or gain.value is None or gain.low is None or gain.high is None:
        return f"{side.upper()}: no round is done."
    said = signed(gain, 0)
    if gain.low > 0:
        return f"{side.upper()}: {said} Elo above what it was; the whole interval is a gain."
    if gain.high < 0:
        return f"{side.upper()}: {said} Elo: it plays worse than before."
    return f"{side.upper()}: {said} Elo; the games do not tell whether it gained."

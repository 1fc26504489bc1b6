"""An ablation as files for programs and as a table for people."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from mariago.arena.outputs import percent, signed
from mariago.arena.statistics import LEVEL, Estimate
from mariago.board.files import write_whole
from mariago.reports import Provenance
from mariago.teaching.ablation_figures import BAR_ELO, AblationFigures, verdict_of

__all__ = ["ablation_csv", "ablation_text", "write_ablation"]


def write_ablation(figures: AblationFigures, folder: Path, origin: Provenance) -> None:
    """Write ``ablation.json`` and ``ablation.csv`` (a row a cell) into the folder."""
    values = {**figures.as_dict(), "provenance": origin.as_dict()}
    text = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    write_whole(folder / "ablation.json", text)
    write_whole(folder / "ablation.csv", ablation_csv(figures))


def _cells(estimate: Estimate) -> list[object]:
    return ["" if x is None else round(x, 4) for x in estimate.as_list()]


def ablation_csv(figures: AblationFigures) -> str:
    """Return a row for every cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    spans = ("score", "elo", "elo_to_none", "elo_to_placebo", "score_to_none", "score_to_placebo")
    columns = [f"{name}{end}" for name in spans for end in ("", "_low", "_high")]
    writer.writerow(
        ["cell", "lessons", "weight", "patterns", "moves_asked", "moves_changed", "games", *columns]
    )
    placebo = figures.settings.placebo
    for one in figures.cells:
        games = sum(len(match.games) for match in one.matches)
        estimates = (
            one.score,
            figures.elo(one.cell),
            figures.elo_difference(one.cell, "none"),
            figures.elo_difference(one.cell, placebo),
            figures.score_difference(one.cell, "none"),
            figures.score_difference(one.cell, placebo),
        )
        writer.writerow(
            [
                *(one.cell, one.told.lessons, one.told.weight, one.told.patterns),
                *(one.used.moves, one.used.changed, games),
                *(value for estimate in estimates for value in _cells(estimate)),
            ]
        )
    return out.getvalue()


def ablation_text(figures: AblationFigures) -> str:
    """Return the table that the command line shows."""
    placebo = figures.settings.placebo
    rows = [
        [
            *("Cell", "Lessons", "Changed", "Games", "Score", "Elo above none"),
            *([f"Elo above {placebo}"] if placebo else []),
        ]
    ]
    for one in figures.cells:
        changed = "-" if one.cell == "none" else f"{100 * one.used.share:.1f}%"
        games = sum(len(match.games) for match in one.matches)
        differences = [figures.elo_difference(one.cell, "none")]
        if placebo:
            differences.append(figures.elo_difference(one.cell, placebo))
        rows.append(
            [
                *(one.cell, str(one.told.lessons), changed, str(games), percent(one.score)),
                *(signed(difference, 0) for difference in differences),
            ]
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    settings = figures.settings
    return "\n".join(
        [
            f"student {settings.names['a']}, taught by games with {settings.names['b']}",
            "",
            *lines,
            "",
            f"Score against {', '.join(settings.third)}; differences are paired by opening, "
            f"intervals {100 * LEVEL:.0f}%.",
            *(_verdict_line(figures, one.cell) for one in figures.cells if one.cell != "none"),
        ]
    )


def _verdict_line(figures: AblationFigures, cell: str) -> str:
    difference = figures.elo_difference(cell, "none")
    said = {
        "gain": "better than without lessons",
        "loss": "worse than without lessons",
        "nil": f"no gain: within {BAR_ELO:g} Elo of none either way",
        "unknown": "the games do not tell",
    }[verdict_of(difference)]
    return f"{cell}: {said} ({signed(difference, 0)} Elo)"

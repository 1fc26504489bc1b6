"""Standings as a table for people, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict

from mariago.arena.outputs import signed
from mariago.arena.standings import PlayerLine, Standings
from mariago.arena.statistics import LEVEL
from mariago.board.points import Size
from mariago.words import counted

__all__ = ["points_against", "standings_csv", "standings_dict", "standings_text"]


def points_against(standings: Standings, one: str, other: str) -> str:
    """Return ``7.5/10``, points and games of the first against the second; "" for none."""
    table = standings.ratings.table
    if one not in table.players or other not in table.players:
        return ""
    i, j = table.players.index(one), table.players.index(other)
    games = int(table.games[i, j])
    return f"{table.points[i, j]:g}/{games}" if games else ""


def _aligned(rows: list[list[str]], left: int) -> list[str]:
    """Return lines of equal columns, those from ``left`` on set to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _row(number: int, line: PlayerLine) -> list[str]:
    cells = (line.games, line.wins, line.draws, line.losses, f"{line.points:g}")
    rest = (line.wins_without_faults, line.illegal, line.faults, line.missing)
    elo = signed(line.elo, 0)
    return [str(number), line.name, elo, *map(str, (*cells, *rest))]


def standings_text(standings: Standings) -> str:
    """Return the table that the command line shows."""
    columns = [
        *("", "Player", f"Elo, {100 * LEVEL:.0f}%", "Games", "Won", "Drawn", "Lost", "Points"),
        *("No fault", "Illegal", "Errors", "Missing"),
    ]
    rows = [columns, *(_row(k, line) for k, line in enumerate(standings.lines, 1))]
    names = [line.name for line in standings.lines]
    cross = [["", "Points / games", *(str(k) for k in range(1, len(names) + 1))]]
    for k, name in enumerate(names, 1):
        cells = ("" if other == name else points_against(standings, name, other) for other in names)
        cross.append([str(k), name, *(cell or "-" for cell in cells)])
    parts = [*_aligned(rows, 2), "", *_aligned(cross, 2), "", *_foot(standings)]
    return "\n".join(parts)


def _foot(standings: Standings) -> list[str]:
    ratings, terms = standings.ratings, standings.terms
    model = {"davidson": "Davidson", "bradley-terry": "Bradley and Terry"}[ratings.model]
    zero = f"{ratings.anchor} is 0" if ratings.anchor else "the mean is 0"
    lines = [
        f"Elo by {model}'s model, {zero}; intervals take pairs of games as independent.",
        "A draw and no result are half a point; an illegal move or an error loses the game; "
        "No fault: wins without one.",
    ]
    if terms:
        board = Size(int(str(terms["rows"])), int(str(terms["columns"])))
        most = int(str(terms["move_limit"] or 0))
        limit = f"{counted(most, 'move')} at most" if most else "no move limit"
        matches = counted(standings.matches, "match", "matches")
        lines.append(
            f"{matches} on {board}, {terms['rules']} rules, komi {terms['komi']:g}, {limit}, "
            f"a stopped game counted by {terms['scoring']}."
        )
    if any(group.draw_at_equal for group in ratings.groups):
        shares = ", ".join(f"{100 * g.draw_at_equal:.0f}%" for g in ratings.groups)
        lines.append(f"Equal players draw {shares} of their games.")
    return [*lines, *(f"Note: {note}" for note in standings.notes)]


def _line_dict(line: PlayerLine) -> dict[str, object]:
    return {**asdict(line), "points": line.points}


def standings_dict(standings: Standings) -> dict[str, object]:
    """Return everything as plain values; ``cross`` holds points and games, row against column."""
    ratings, table = standings.ratings, standings.ratings.table
    return {
        "model": ratings.model,
        "anchor": ratings.anchor,
        "players": [_line_dict(line) for line in standings.lines],
        "descriptions": standings.descriptions,
        "cross": {
            "players": list(table.players),
            "points": table.points.tolist(),
            "games": table.games.tolist(),
            "draws": table.draws.tolist(),
        },
        "groups": [
            {
                "players": list(group.players),
                "virtual_draws": group.virtual_draws,
                "draw_at_equal": group.draw_at_equal,
                "covariance": group.covariance.tolist(),
            }
            for group in ratings.groups
        ],
        "leads": [asdict(line) for line in standings.leads],
        "terms": standings.terms,
        "matches": standings.matches,
        "notes": [str(note) for note in standings.notes],
    }


def standings_csv(standings: Standings) -> str:
    """Return a row a player; the last columns are points and games against each other player."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [line.name for line in standings.lines]
    writer.writerow(
        [
            *("place", "player", "elo", "elo_low", "elo_high", "group", "games", "wins", "draws"),
            *("losses", "points", "wins_without_faults", "illegal", "faults", "missing"),
            *(f"against {name}" for name in names),
        ]
    )
    for k, line in enumerate(standings.lines, 1):
        elo = ["" if x is None else round(x, 2) for x in line.elo.as_list()]
        writer.writerow(
            [
                *(k, line.name, *elo, line.group, line.games, line.wins, line.draws),
                *(line.losses, line.points, line.wins_without_faults, line.illegal, line.faults),
                line.missing,
                *(
                    "" if name == line.name else points_against(standings, line.name, name)
                    for name in names
                ),
            ]
        )
    return out.getvalue()

"""A rating as files for programs and as a table for people."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any

from mariago.arena.outputs import percent, signed
from mariago.arena.rating.figures import Figures
from mariago.arena.rating.rate import RatedPlayer, Rating
from mariago.arena.rating.seen import SEEN_IN_WORDS
from mariago.arena.rating.slices import PlayerFigures
from mariago.arena.statistics import Estimate
from mariago.board.files import write_whole
from mariago.board.points import move_to_vertex
from mariago.reports import Provenance
from mariago.words import counted

__all__ = [
    "milliseconds",
    "percent_points",
    "points",
    "rating_dict",
    "rating_text",
    "write_outputs",
]


def rating_dict(
    rating: Rating, figures: Sequence[PlayerFigures], origin: Provenance
) -> dict[str, object]:
    """Return everything but the answers as plain values; leads in points, shares from 0 to 1."""
    positions, teacher = rating.positions, rating.teacher
    return {
        "positions": {
            "name": positions.name,
            "origin": positions.origin,
            "terms": positions.terms,
            "count": len(positions),
            "games": len({spot.game for spot in positions.spots}),
            "sha256": positions.sha256,
        },
        "seed": rating.seed,
        "teacher": None if teacher is None else teacher.describes,
        "players": [
            {
                "name": one.player.name,
                "describes": one.player.describes,
                "seen": SEEN_IN_WORDS.get(one.player.seen, ""),
                "whole": one.whole.as_dict(),
                "parts": {
                    kind: {name: part.as_dict() for name, part in parts.items()}
                    for kind, parts in one.parts.items()
                },
                "ahead_of_first": {
                    "record": one.ahead.as_list(),
                    "teacher": one.ahead_teacher.as_list(),
                },
            }
            for one in figures
        ],
        "provenance": origin.as_dict(),
    }


_ANSWER_COLUMNS = (
    *("player", "game", "move_number", "size", "rank", "record", "teacher", "outcome", "answer"),
    *("is_record", "is_teacher", "in_first_ten", "points_lost", "win_rate_lost"),
    *("wall_s", "cpu_s", "detail"),
)
_FIGURE_COLUMNS = (
    *("player", "part", "name", "positions", "games"),
    *(
        f"{name}{end}"
        for name in ("record", "teacher", "first_ten", "points_lost", "win_rate_lost", "illegal")
        for end in ("", "_low", "_high")
    ),
    *("losses_of", "faults", "resigned", "wall_s", "cpu_s"),
)


def write_outputs(rating: Rating, figures: Sequence[PlayerFigures], origin: Provenance) -> None:
    """Write ``rating.json``, ``figures.csv`` (a row a part) and ``answers.csv`` (a row an answer).

    Moves are vertices ("D4"), move numbers count from 1.
    """
    text = json.dumps(rating_dict(rating, figures, origin), ensure_ascii=False, indent=1)
    write_whole(rating.folder / "rating.json", text + "\n")
    rows = [
        _figure_row(one.player.name, kind, name, part)
        for one in figures
        for kind, parts in {"all": {"": one.whole}, **one.parts}.items()
        for name, part in parts.items()
    ]
    write_whole(rating.folder / "figures.csv", _csv_text(_FIGURE_COLUMNS, rows))
    answers = [
        _answer_row(rating, player, n)
        for player in rating.players
        for n in range(len(rating.positions))
    ]
    write_whole(rating.folder / "answers.csv", _csv_text(_ANSWER_COLUMNS, answers))


def _csv_text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([["" if cell is None else cell for cell in row] for row in rows])
    return out.getvalue()


def _figure_row(player: str, kind: str, name: str, part: Figures) -> list[object]:
    estimates = (
        *(part.record, part.teacher, part.first_ten),
        *(part.lead_loss, part.win_loss, part.illegal),
    )
    cells = [_rounded(value) for one in estimates for value in one.as_list()]
    ends = [part.losses_of, part.faults, part.resigned, _rounded(part.wall_s), _rounded(part.cpu_s)]
    return [player, kind, name, part.positions, part.games, *cells, *ends]


def _answer_row(rating: Rating, player: RatedPlayer, n: int) -> list[object]:
    positions, answer, columns = rating.positions, player.answers[n], player.columns
    size, teacher = positions.game_of(n).size, rating.teacher
    best = () if teacher is None else teacher.judged[n].moves[:1]
    values: list[Any] = [
        getattr(columns, name)[n]
        for name in ("record", "teacher", "first_ten", "lead_loss", "win_loss")
    ]
    return [
        player.name,
        positions.game_of(n).game_id,
        positions.move_number(n),
        str(size),
        positions.rank_of_mover(n),
        move_to_vertex(positions.move_of_record(n), size),
        *([move_to_vertex(best[0], size)] if best else [None]),
        answer.outcome,
        None if answer.move is None else move_to_vertex(answer.move, size),
        *(None if math.isnan(value) else int(value) for value in values[:3]),
        *(None if math.isnan(value) else _rounded(float(value)) for value in values[3:]),
        answer.wall_s,
        answer.cpu_s,
        answer.detail,
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def percent_points(estimate: Estimate) -> str:
    """Return a loss of winning chances: ``5.1 [4.2, 6.0]``, in percentage points."""
    scaled = [None if value is None else 100 * value for value in estimate.as_list()]
    return signed(Estimate(scaled[0], scaled[1], scaled[2], estimate.count)).replace("+", "")


def points(estimate: Estimate) -> str:
    """Return a loss in points: ``1.31 [1.02, 1.64]``."""
    return signed(estimate, 2).replace("+", "")


def milliseconds(seconds: float | None) -> str:
    """Return seconds as milliseconds with three figures, or a dash."""
    return "-" if seconds is None else f"{1000 * seconds:.3g}"


def rating_text(rating: Rating, figures: Sequence[PlayerFigures]) -> str:
    """Return the table that the command line shows."""
    positions, teacher = rating.positions, rating.teacher
    games = len({spot.game for spot in positions.spots})
    lines = [
        f"{counted(len(positions), 'position')} of {counted(games, 'game')}: {positions.name}",
        f"teacher: {'none' if teacher is None else teacher.name}",
        "",
    ]
    for one in figures:
        lines += [one.player.name, *_player_lines(one, one is figures[0], teacher is not None), ""]
    if teacher is not None:
        lines.append("in its first ten: no measure of a player; weak nets reach it too")
    return "\n".join(lines)


def _player_lines(one: PlayerFigures, is_first: bool, has_teacher: bool) -> list[str]:
    whole = one.whole
    rows = [("move of the record", percent(whole.record)), *_ahead(one.ahead, is_first)]
    if has_teacher:
        rows.append(("teacher's best move", percent(whole.teacher)))
        rows += _ahead(one.ahead_teacher, is_first)
    for name, part in one.by_move.items():
        rows.append((f"  moves {name}", _both(part, has_teacher)))
    for name, part in one.by_size.items():
        rows.append((f"  {name}", _both(part, has_teacher)))
    for name, part in one.by_rank.items():
        rows.append((f"  {name} to move", _both(part, has_teacher)))
    if whole.losses_of:
        of = f"over {counted(whole.losses_of, 'position')}"
        if whole.lead_loss.value is not None:
            rows.append(("points lost a move", f"{points(whole.lead_loss)} {of}"))
        rows.append(("win rate lost, %", f"{percent_points(whole.win_loss)} {of}"))
    if has_teacher and whole.first_ten.value is not None:
        rows.append(("in its first ten", percent(whole.first_ten)))
    conduct = f"{percent(whole.illegal)}; errors {whole.faults}, resigned {whole.resigned}"
    rows.append(("illegal", conduct))
    spent = milliseconds(whole.cpu_s), milliseconds(whole.wall_s)
    rows.append(("ms a move, median", f"{spent[0]} of the processor, {spent[1]} by the clock"))
    if one.player.seen:
        rows.append(("note", SEEN_IN_WORDS[one.player.seen]))
    return [f"  {name:<22}{text}" for name, text in rows]


def _ahead(ahead: Estimate, is_first: bool) -> list[tuple[str, str]]:
    """Return the row that stands under the share it compares; none for the first player."""
    if is_first or ahead.value is None:
        return []
    return [("  more than the first", f"{percent_points(ahead)} percentage points")]


def _both(part: Figures, has_teacher: bool) -> str:
    text = percent(part.record)
    return f"{text}; teacher's {percent(part.teacher)}" if has_teacher else text

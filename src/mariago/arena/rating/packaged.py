"""The packaged set of positions: one Parquet file, a row a game, with a teacher's judgements.

``tools/rating_positions.py`` makes it. Chances to win are kept in steps of 1/200, leads of 1/10
point.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from mariago.arena.rating.positions import Judged, Labels, PositionSet, RatedGame, Spot
from mariago.board.points import Size
from mariago.errors import BadInputError

__all__ = ["FORMAT", "PACKAGED", "packaged_positions", "read_set", "set_bytes"]

FORMAT = "1"
PACKAGED = Path(__file__).with_name("positions.parquet")
WIN_STEPS = 200
LEAD_STEPS = 10
ILLEGAL_WIN = 255

_NUMBERS = pa.list_(pa.int16())
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("game_id", "rules", "source")),
        *((name, pa.int16()) for name in ("rows", "columns", "handicap")),
        ("komi", pa.float32()),
        *((name, _NUMBERS) for name in ("setup", "colors", "moves", "plies")),
        ("ranks", pa.list_(pa.string())),
        ("first_moves", pa.list_(_NUMBERS)),
        ("value", pa.list_(pa.float32())),
        ("lead", pa.list_(pa.float32())),
        ("win_after", pa.list_(pa.list_(pa.uint8()))),
        ("lead_after", pa.list_(_NUMBERS)),
    ]
)


def packaged_positions() -> PositionSet:
    """Return the set that comes with the package."""
    return read_set(PACKAGED)


def set_bytes(positions: PositionSet) -> bytes:
    """Return the file of a set; it has to have labels."""
    assert positions.labels is not None
    numbers_of: dict[int, list[int]] = {}
    for number, spot in enumerate(positions.spots):
        numbers_of.setdefault(spot.game, []).append(number)
    rows = [_row(positions, game, numbers) for game, numbers in numbers_of.items()]
    about = {
        "format": FORMAT,
        "name": positions.name,
        "origin": positions.origin,
        "terms": positions.terms,
        "data_sha256": positions.data_sha256,
        "teacher": json.dumps(positions.labels.teacher),
    }
    table = pa.Table.from_pylist(
        rows, schema=_SCHEMA.with_metadata({f"mariago.{k}": v for k, v in about.items()})
    )
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", compression_level=19, use_dictionary=False)
    return sink.getvalue().to_pybytes()


def _row(positions: PositionSet, game: int, numbers: list[int]) -> dict[str, Any]:
    labels, held = positions.labels, positions.games[game]
    assert labels is not None
    judged = [labels.judged[number] for number in numbers]
    return {
        "game_id": held.game_id,
        "rules": held.rules,
        "source": held.source,
        "rows": held.size.rows,
        "columns": held.size.columns,
        "handicap": held.handicap,
        "komi": held.komi,
        "setup": [value for stone in held.setup for value in stone],
        "colors": [color for color, _ in held.moves],
        "moves": [move for _, move in held.moves],
        "plies": [positions.spots[number].ply for number in numbers],
        "ranks": list(held.ranks),
        "first_moves": [list(one.moves) for one in judged],
        "value": [one.value for one in judged],
        "lead": [one.lead for one in judged],
        "win_after": [_stored_win(labels.win_after[number]) for number in numbers],
        "lead_after": [_stored_lead(labels.lead_after[number]) for number in numbers],
    }


def _stored_win(win: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    return np.where(np.isnan(win), ILLEGAL_WIN, np.rint(np.nan_to_num(win) * WIN_STEPS)).astype(
        np.uint8
    )


def _stored_lead(lead: npt.NDArray[np.float32]) -> npt.NDArray[np.int16]:
    return np.rint(np.nan_to_num(lead) * LEAD_STEPS).astype(np.int16)


def read_set(path: Path) -> PositionSet:
    """Read the file of a set.

    Raises:
        BadInputError: it is none.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise BadInputError("cannot be read as a set of positions", where=path) from error
    about = {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()}
    if about.get("mariago.format") != FORMAT or table.schema.names != _SCHEMA.names:
        raise BadInputError("is no set of positions", where=path)
    games: list[RatedGame] = []
    spots: list[Spot] = []
    judged: list[Judged] = []
    wins: list[npt.NDArray[np.float32]] = []
    leads: list[npt.NDArray[np.float32]] = []
    for number, row in enumerate(table.to_pylist()):
        games.append(_game(row))
        spots += [Spot(number, ply) for ply in row["plies"]]
        judged += [
            Judged(tuple(moves), value, lead)
            for moves, value, lead in zip(
                row["first_moves"], row["value"], row["lead"], strict=True
            )
        ]
        for win, lead in zip(row["win_after"], row["lead_after"], strict=True):
            stored = np.asarray(win, np.float32)
            legal = stored != ILLEGAL_WIN
            wins.append(np.where(legal, stored / WIN_STEPS, np.nan).astype(np.float32))
            points = np.asarray(lead, np.float32) / LEAD_STEPS
            leads.append(np.where(legal, points, np.nan).astype(np.float32))
    labels = Labels(json.loads(about["mariago.teacher"]), tuple(judged), tuple(wins), tuple(leads))
    return PositionSet(
        about["mariago.name"],
        about["mariago.origin"],
        about["mariago.terms"],
        tuple(games),
        tuple(spots),
        labels,
        about["mariago.data_sha256"],
    )


def _game(row: dict[str, Any]) -> RatedGame:
    flat = row["setup"]
    return RatedGame(
        row["game_id"],
        Size(row["rows"], row["columns"]),
        row["rules"],
        row["komi"],
        row["handicap"],
        tuple((flat[i], flat[i + 1], flat[i + 2]) for i in range(0, len(flat), 3)),
        tuple(zip(row["colors"], row["moves"], strict=True)),
        (row["ranks"][0], row["ranks"][1]),
        row["source"],
    )

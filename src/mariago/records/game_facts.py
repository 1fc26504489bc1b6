"""What ``games.parquet`` shows: results, lengths, komi, handicap, ranks, years, servers, repairs.

Columns that a data set of an earlier version lacks give empty counts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mariago.board.points import BLACK, WHITE, Size
from mariago.records.manifest import Manifest
from mariago.records.schema import UNKNOWN_WINNER
from mariago.records.stored import open_games
from mariago.records.told import RESULT_KINDS, level_name

__all__ = [
    "GAME_FACTS",
    "array_of",
    "commonest_size",
    "facts_of_games",
    "has_damaged_text",
    "read_games_table",
]

WINNERS = {BLACK: "black", WHITE: "white", 0: "draw", UNKNOWN_WINNER: "unknown"}

DAMAGED = "\ufffd"  # stands in a text for bytes that are no character
_TEXTS = ("result", "black", "white", "black_rank", "white_rank", "date", "event")

GAME_FACTS = (
    "rows", "columns", "moves", "first_move", "winner", "score", "komi", "handicap", "rules",
    "black_level", "white_level", "played", "server", "result_kind", "repairs",
    *_TEXTS,
)  # fmt: skip


def read_games_table(manifest: Manifest, names: Iterable[str]) -> pa.Table:
    """Return those of the columns ``names`` of ``games.parquet`` that it has."""
    games = open_games(manifest)
    return games.read([name for name in names if name in games.names])


def array_of(games: pa.Table, name: str) -> NDArray[Any]:
    """Return a column of numbers (G,); null becomes NaN."""
    return games.column(name).combine_chunks().to_numpy(zero_copy_only=False)


def commonest_size(games: pa.Table) -> Size:
    """Return the board of most games."""
    sides = np.stack([array_of(games, "rows"), array_of(games, "columns")])
    shapes, n = np.unique(sides, axis=1, return_counts=True)
    rows, columns = (int(side) for side in shapes[:, int(np.argmax(n))])
    return Size(rows, columns)


def facts_of_games(games: pa.Table) -> dict[str, Any]:
    """Return counts of games by what their headers tell, as plain values."""
    winners, lengths = array_of(games, "winner"), array_of(games, "moves")
    handicap = array_of(games, "handicap")
    return {
        "sizes": _sizes(games),
        "results": {name: int((winners == code).sum()) for code, name in WINNERS.items()},
        "results_by_ending": _by_ending(games, winners),
        "moves_per_game": {
            "shortest": int(lengths.min()),
            "median": float(np.median(lengths)),
            "longest": int(lengths.max()),
        },
        "handicap_games": int((handicap >= 2).sum()),
        "handicap": {str(n): int((handicap == n).sum()) for n in np.unique(handicap)},
        "komi": _komi(games),
        "rules": _values(games, "rules"),
        "ranks": _ranks(games),
        "years": _years(games),
        "servers": _values(games, "server"),
        "repairs": _repairs(games),
        "damaged_texts": _damaged(games),
    }


def has_damaged_text(entry: "Mapping[str, Any]") -> bool:
    """Tell whether a text of a row of ``games.parquet`` holds characters that could not be read."""
    return any(DAMAGED in (entry.get(name) or "") for name in _TEXTS)


def _damaged(games: pa.Table) -> int:
    """Return the number of games that have a damaged text."""
    found = np.zeros(games.num_rows, np.bool_)
    for name in _TEXTS:
        if name in games.column_names:
            held = pc.call_function(
                "match_substring", [games.column(name)], pc.MatchSubstringOptions(DAMAGED)
            )
            found |= held.fill_null(False).to_numpy()
    return int(found.sum())


def _sizes(games: pa.Table) -> dict[str, int]:
    """Return games by board, the smallest first."""
    sides = np.stack([array_of(games, "rows"), array_of(games, "columns")])
    shapes, counts = np.unique(sides.astype(np.int64), axis=1, return_counts=True)
    found = [(Size(*shape), n) for shape, n in zip(shapes.T.tolist(), counts.tolist(), strict=True)]
    return {str(size): n for size, n in sorted(found, key=lambda pair: (pair[0].cells, pair[0]))}


def _counted(values: Any) -> tuple[list[str], list[int]]:
    names, counts = np.unique(values, return_counts=True)
    return [str(name) for name in names], [int(n) for n in counts]


def _by_ending(games: pa.Table, winners: NDArray[Any]) -> dict[str, dict[str, int]]:
    """Return winner -> how the game ended -> games; a draw or unknown game has no winner."""
    if "result_kind" not in games.column_names:
        return {}
    kinds = np.array(games.column("result_kind").to_pylist())
    table = {
        name: {kind: int(((winners == code) & (kinds == kind)).sum()) for kind in RESULT_KINDS}
        for code, name in WINNERS.items()
    }
    return {name: {k: n for k, n in row.items() if n} for name, row in table.items()}


def _values(games: pa.Table, name: str) -> dict[str, int]:
    """Return how often each text of a column stands there, most first; null is "unknown"."""
    if name not in games.column_names:
        return {}
    counts = games.column(name).cast(pa.string()).value_counts()
    pairs = [(entry["values"] or "unknown", int(entry["counts"])) for entry in counts.to_pylist()]
    if all(value == "unknown" for value, _ in pairs):
        return {}
    return dict(sorted(pairs, key=lambda pair: (pair[0] == "unknown", -pair[1], pair[0])))


def _komi(games: pa.Table) -> dict[str, int]:
    """Return games by komi, in order of points; "unknown" last."""
    komi = array_of(games, "komi").astype(np.float64)
    known = komi[~np.isnan(komi)]
    found = {f"{value:g}": int((known == value).sum()) for value in np.unique(known)}
    return found | ({"unknown": int(len(komi) - len(known))} if len(known) < len(komi) else {})


def _ranks(games: pa.Table) -> dict[str, int]:
    """Return players by rank, weakest first; each game counts two; "unknown" last."""
    sides = [f"{side}_level" for side in ("black", "white")]
    if sides[0] not in games.column_names:
        return {}
    levels = np.concatenate([array_of(games, side).astype(np.float64) for side in sides])
    known = levels[~np.isnan(levels)].astype(np.int64)
    if not len(known):
        return {}
    values, counts = np.unique(known, return_counts=True)
    found = {level_name(int(v)): int(n) for v, n in zip(values, counts, strict=True)}
    return found | ({"unknown": len(levels) - len(known)} if len(known) < len(levels) else {})


def _years(games: pa.Table) -> dict[str, int]:
    """Return games by year in order; "unknown" last."""
    if "played" not in games.column_names:
        return {}
    years = [day[:4] if day else "unknown" for day in games.column("played").to_pylist()]
    found = dict(zip(*_counted(years), strict=True))
    return {} if set(found) == {"unknown"} else found


def _repairs(games: pa.Table) -> dict[str, int]:
    """Return games by repair, most first; two repairs of one kind in a game count once."""
    if "repairs" not in games.column_names:
        return {}
    codes = games.column("repairs").combine_chunks()
    held = [sorted({repair["code"] for repair in game or ()}) for game in codes.to_pylist()]
    names, counts = _counted([code for game in held for code in game] or [""])
    pairs = sorted(zip(names, counts, strict=True), key=lambda pair: (-pair[1], pair[0]))
    return {name: n for name, n in pairs if name}

"""What the tables of a data set may hold: numbers that become places in arrays, and known words.

Files whose checksums are right may still have been written by something else. Everything that a
reader looks up, or takes for a place, is checked here, once, when it is read.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mariago.board.points import MAX_SIZE
from mariago.features.rows import RULE_NAMES
from mariago.records.schema import LAST_MOVES, SPLITS, UNKNOWN_WINNER, packed_length
from mariago.records.told import RESULT_KINDS

__all__ = ["Limits", "fault_of_columns", "fault_of_values"]

_GAME_ID = r"^[0-9a-f]{16}$"
_WORDS: dict[str, Sequence[str]] = {
    "split": SPLITS, "rules": RULE_NAMES, "result_kind": RESULT_KINDS
}  # fmt: skip
_COLORS = (1, 2)
_SETUP = 3  # numbers of a set-up stone: ply, colour, move


class Limits(NamedTuple):
    """What a table counts on: games and sources of the data set.

    ``is_games``: it is the table of games, whose row i is game i.
    """

    is_games: bool
    games: int
    sources: int


def fault_of_columns(held: pa.Schema, schema: pa.Schema, needed: Sequence[str]) -> str:
    """Return what is wrong with the columns of a file, "" for nothing."""
    names = held.names
    for name in needed:
        if name not in names:
            return f"has no column {name!r}"
    for field in schema:
        if names.count(field.name) > 1:
            return f"has the column {field.name!r} twice"
        if field.name in names:
            kind = held.field(field.name).type
            if _kind(kind) != _kind(field.type):
                return f"column {field.name!r} is {kind}, not {field.type}"
    return ""


def _kind(kind: Any) -> object:
    """Return a type such that two which read alike are equal."""
    if pa.types.is_dictionary(kind):
        return "words", kind.value_type
    if pa.types.is_fixed_size_list(kind):
        return "list", kind.list_size, _kind(kind.value_type)
    if pa.types.is_list(kind):
        return "list", _kind(kind.value_type)
    if pa.types.is_struct(kind):
        return "struct", tuple((field.name, _kind(field.type)) for field in kind)
    return kind


def fault_of_values(table: pa.Table, schema: pa.Schema, limits: Limits, start: int) -> str:
    """Return what is wrong with the values of those columns that are there, "" for nothing.

    Args:
        start: the row of the file with which the table begins.
    """
    for faults in (_holes(table, schema), _words(table), _numbers(table, limits, start)):
        for fault in faults:
            return fault
    names = set(table.column_names)
    if not {"rows", "columns"} <= names:
        return ""
    sides = [table.column(name).to_numpy().astype(np.int64) for name in ("rows", "columns")]
    if any(len(side) and not 1 <= side.min() <= side.max() <= MAX_SIZE for side in sides):
        return "holds a board of a size that cannot be"
    cells = sides[0] * sides[1]
    return next((f"column {name!r} {fault}" for name, fault in _boards(table, cells)), "")


def _holes(table: pa.Table, schema: pa.Schema) -> Iterator[str]:
    held = [field for field in schema if field.name in table.column_names]
    for field in held:
        if not field.nullable and table.column(field.name).null_count:
            yield f"column {field.name!r} has holes"


def _words(table: pa.Table) -> Iterator[str]:
    """Yield columns that hold a word which is not known."""
    for name in table.column_names:
        if name in _WORDS:
            for chunk in table.column(name).chunks:
                unknown = {*chunk.dictionary.to_pylist()} - {*_WORDS[name]}
                if unknown:
                    yield f"column {name!r} holds {sorted(map(repr, unknown))[0][:80]}"
        elif name == "game_id":
            for chunk in table.column(name).chunks:
                words = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
                if not _all(pc.call_function("match_substring_regex", [words], _regex(_GAME_ID))):
                    yield "column 'game_id' holds what is no 16 hexadecimal digits"


def _regex(pattern: str) -> Any:
    return pc.MatchSubstringOptions(pattern)


def _all(values: Any) -> bool:
    return pc.call_function("all", [values]).as_py() is not False


def _numbers(table: pa.Table, limits: Limits, start: int) -> Iterator[str]:
    """Yield columns with a number out of range that hangs on no board."""
    held = set(table.column_names)
    if limits.is_games and "game" in held:
        expected = np.arange(start, start + table.num_rows)
        if (table.column("game").to_numpy() != expected).any():
            yield "column 'game' does not count the games"
    bounds = {
        "game": (0, limits.games - 1),
        "winner": (UNKNOWN_WINNER, 2),
        "to_move": _COLORS,
        "move_number": (1, 2**15 - 1),
    }
    if limits.is_games:
        bounds["source"] = (0, limits.sources - 1)
    for name, (least, most) in bounds.items():
        if name in held and not _lies(table.column(name).to_numpy(), least, most):
            yield f"column {name!r} holds a number that is not from {least} to {most:,}"


def _lies(values: NDArray[Any], least: int, most: int) -> bool:
    return not len(values) or least <= values.min() <= values.max() <= most


def _boards(table: pa.Table, cells: NDArray[np.int64]) -> Iterator[tuple[str, str]]:
    """Yield columns of moves and boards that do not fit boards of ``cells`` (B,) points."""
    names = set(table.column_names)
    off, odd = "holds a move off the board", "holds a colour that is none"
    for name, least, over in (("move", 0, 0), ("ko", -1, 1), ("first_move", -1, 0)):
        if name in names:
            values = table.column(name).to_numpy()
            if ((values < least) | (values > cells - over)).any():
                yield name, off
    if "last_moves" in names:
        last = _flat(table, "last_moves").reshape(-1, LAST_MOVES)
        if ((last < -1) | (last > cells[:, None])).any():
            yield "last_moves", off
    for name, over in (("superko_banned", 1), ("taken_1", 1), ("taken_2", 1), ("move_list", 0)):
        if name in names:
            values, limit = _flat(table, name), np.repeat(cells - over, _lengths(table, name))
            if len(values) != len(limit) or ((values < 0) | (values > limit)).any():
                yield name, off
    if "color_list" in names:
        if not _lies(_flat(table, "color_list"), *_COLORS):
            yield "color_list", odd
        if (
            "move_list" in names
            and (_lengths(table, "color_list") != _lengths(table, "move_list")).any()
        ):
            yield "color_list", "is not as long as 'move_list'"
    if "setup_list" in names:
        yield from _setup(table, cells)
    if "board" in names and len(cells):
        lengths = pc.call_function("binary_length", [table.column("board")]).to_numpy()
        points: Any = cells
        if (lengths != packed_length(points)).any():
            yield "board", "holds boards of a wrong length"
        elif any(_has_fourth(chunk) for chunk in table.column("board").chunks):
            yield "board", odd


def _setup(table: pa.Table, cells: NDArray[np.int64]) -> Iterator[tuple[str, str]]:
    lengths = _lengths(table, "setup_list")
    if (lengths % _SETUP).any():
        yield "setup_list", "is not of plies, colours and moves"
        return
    plies, colors, moves = _flat(table, "setup_list").reshape(-1, _SETUP).T
    if not _lies(plies, 0, 2**15) or not _lies(colors, 0, 2):
        yield "setup_list", "is not of plies, colours and moves"
    if ((moves < 0) | (moves >= np.repeat(cells, lengths // _SETUP))).any():
        yield "setup_list", "holds a move off the board"


def _flat(table: pa.Table, name: str) -> NDArray[Any]:
    """Return the values of a column of lists; a hole among them is -32,768."""
    values = table.column(name).combine_chunks().flatten()
    return values.fill_null(np.iinfo(np.int16).min if values.null_count else 0).to_numpy()


def _lengths(table: pa.Table, name: str) -> NDArray[np.int64]:
    lengths = pc.call_function("list_value_length", [table.column(name)])
    return lengths.fill_null(0).to_numpy().astype(np.int64)


def _has_fourth(boards: Any) -> bool:
    """Tell whether packed boards have the fourth colour, which is none, anywhere."""
    data = boards.buffers()[2]
    if data is None or not len(boards):
        return False
    ends = np.frombuffer(boards.buffers()[1], np.int32)[boards.offset :][: len(boards) + 1]
    quads = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
    return bool((quads & (quads >> 1) & 0x55).any())

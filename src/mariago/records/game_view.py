"""Games of a data set to look at: their moves, and which of these are samples with which flags."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from mariago.board.points import EMPTY, Size
from mariago.records.manifest import Manifest
from mariago.records.originals import Originals, Place, read_originals
from mariago.records.replayed import Step, replayed
from mariago.records.row_facts import FLAGS
from mariago.records.schema import SPLITS, unpack_board
from mariago.records.stored import open_shard, read_games
from mariago.sgf.games import ReadGame

__all__ = ["GameView", "place_of", "view_games"]

_LIGHT = ["game", "move_number", *FLAGS]
_HEAVY = [*_LIGHT, "rows", "columns", "board", "to_move", "move"]


@dataclass(frozen=True)
class GameView:
    """A game of a data set.

    ``steps`` begin with the set-up; ``numbers`` are the move numbers of the others. They are all
    moves where the record could be read again (``record``), else those of the samples alone.
    """

    entry: dict[str, Any]  # the row of games.parquet
    steps: list[Step]
    numbers: list[int]
    flags: dict[int, int]  # move number -> bits of FLAGS, for each sample
    record: ReadGame | None = None
    why_no_record: str = ""
    counts: dict[int, dict[str, int]] = field(default_factory=dict[int, dict[str, int]])
    """Move number -> the stones of each of FLAGS, where games are viewed with all details."""
    facts: dict[int, int] = field(default_factory=dict[int, int])
    """Move number -> the facts of the move as bits, where these and details are known."""

    @property
    def size(self) -> Size:
        """The board's size."""
        return Size(self.entry["rows"], self.entry["columns"])

    def marks(self) -> list[int]:
        """Return for each step after the first its flags as bits, -1 where it is no sample."""
        return [self.flags.get(number, -1) for number in self.numbers]


@dataclass
class _Rows:
    flags: dict[int, int] = field(default_factory=dict[int, int])
    counts: dict[int, dict[str, int]] = field(default_factory=dict[int, dict[str, int]])
    facts: dict[int, int] = field(default_factory=dict[int, int])
    boards: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def place_of(entry: dict[str, Any]) -> Place:
    """Return where the record of a row of ``games.parquet`` stands."""
    return entry["source"], entry["path"], entry["index_in_file"]


def view_games(
    manifest: Manifest, games: Sequence[int], *, with_details: bool = False
) -> list[GameView]:
    """Return the games with these indices in ``games.parquet``, in that order.

    ``with_details``: their records with all problems of their files, and counts of the flags.
    """
    table = read_games(manifest).take(pa.array(games, pa.int64()))
    entries = table.to_pylist()
    found = read_originals(
        manifest, [place_of(entry) for entry in entries], with_problems=with_details
    )
    records = _matching(entries, found)
    lacking = [entry for entry in entries if entry["game"] not in records]
    doubtful = [place_of(entry) for entry in lacking if place_of(entry) in found.games]
    if doubtful:  # an archive may hold several files of one name
        again = read_originals(manifest, doubtful, with_problems=with_details, to_the_end=True)
        records |= _matching(lacking, again)
    asked = {entry["game"] for entry in entries}
    rows = _rows_of(manifest, asked, set(records), with_details)
    views: list[GameView] = []
    for entry in entries:
        game = entry["game"]
        record = records.get(game)
        if record is not None:
            steps = replayed(record.size, record.moves, record.setup)
            numbers = list(range(1, len(record.moves) + 1))
            why = ""
        else:
            why = found.missing.get(entry["source"], "its file is gone or has changed")
            steps = _steps_between(rows[game].boards)
            numbers = [row["move_number"] for row in rows[game].boards]
        held = rows[game]
        views.append(
            GameView(entry, steps, numbers, held.flags, record, why, held.counts, held.facts)
        )
    return views


def _matching(entries: Sequence[dict[str, Any]], found: Originals) -> dict[int, ReadGame]:
    """Return the records that still are the games of the entries, by index of the game."""
    records: dict[int, ReadGame] = {}
    for entry in entries:
        place = place_of(entry)
        held = (found.games.get(place), *found.later.get(place, ()))
        same = [record for record in held if record is not None and _is_same(entry, record)]
        if same:
            records[entry["game"]] = same[0]
    return records


def _is_same(entry: dict[str, Any], record: ReadGame) -> bool:
    """Tell whether a record still is the game that was read; a folder may have changed."""
    first = record.moves[0][1] if record.moves else -1
    told = entry.get("move_list")
    if told is not None and told != [move for _, move in record.moves]:
        return False
    size = entry["rows"], entry["columns"]
    return (len(record.moves), first, tuple(record.size)) == (
        entry["moves"], entry["first_move"], size
    )  # fmt: skip


def _rows_of(
    manifest: Manifest, games: set[int], known: set[int], with_counts: bool
) -> dict[int, _Rows]:
    """Return the rows of ``games``; boards only of those whose moves are not ``known``."""
    found = {game: _Rows() for game in games}
    asked = [*(_HEAVY if games - known else _LIGHT), *(("facts",) if with_counts else ())]
    values = np.array(sorted(games), np.uint32)
    for split in SPLITS:
        for path in manifest.shard_paths(split):
            file = open_shard(manifest, path)
            for at in range(file.num_row_groups):
                held = file.least_and_most(at)
                if held is not None and not any(held[0] <= game <= held[1] for game in games):
                    continue
                group = file.read_row_group(at, asked)
                is_asked = np.isin(group.column("game").to_numpy(), values)
                for row in group.filter(pa.array(is_asked)).to_pylist():
                    rows = found[row["game"]]
                    bits = sum(1 << k for k, name in enumerate(FLAGS) if row[name])
                    rows.flags[row["move_number"]] = bits
                    if with_counts:
                        counts = {name: int(row[name]) for name in FLAGS}
                        rows.counts[row["move_number"]] = counts
                        if row["facts"] is not None:
                            rows.facts[row["move_number"]] = row["facts"]
                    if row["game"] not in known:
                        rows.boards.append(row)
    return found


def _steps_between(rows: list[dict[str, Any]]) -> list[Step]:
    """Return the steps from sample to sample; the last move is put down without captures."""
    if not rows:
        return [Step(EMPTY, -1, ())]
    boards = [unpack_board(row["board"], row["rows"] * row["columns"]) for row in rows]
    first = [(int(point), int(boards[0][point])) for point in np.flatnonzero(boards[0])]
    steps = [Step(EMPTY, -1, tuple(first))]
    last = boards[-1].copy()
    if rows[-1]["move"] < len(last):
        last[rows[-1]["move"]] = rows[-1]["to_move"]
    for row, before, after in zip(rows, boards, [*boards[1:], last], strict=True):
        changed = [(int(p), int(after[p])) for p in np.flatnonzero(before != after)]
        steps.append(Step(row["to_move"], row["move"], tuple(changed)))
    return steps

"""A search as a teacher: the position before each row's move is rebuilt, with its past."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mariago.board.points import Size
from mariago.errors import IllegalMoveError, PlayerError, RulesError, SgfError
from mariago.players import Limits
from mariago.records.labels import Labels
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.schema import unpack_board
from mariago.records.sgf_games import recorded
from mariago.records.stored import read_games
from mariago.rules import Position
from mariago.teaching.teachers import hash_of, stored_shares, told_net

if TYPE_CHECKING:
    from mariago.players.search_player import SearchPlayer

__all__ = ["SearchTeacher", "positions_of_table"]

ROWS_AT_ONCE = (16, 256)
EVALUATIONS_AT_ONCE = 1024
MOST_POINTS = 1000.0  # a lead that labels can hold
DEFAULT_RULES = "chinese"

Array = npt.NDArray[Any]


class SearchTeacher:
    """Tells shares of the visits, and mean value, lead and ownership over the tree.

    Each row is searched afresh by the same seed, so that no label hangs on the rows before it.
    """

    def __init__(self, player: SearchPlayer) -> None:
        options = player.options
        if options.seconds:
            raise PlayerError(
                "a teacher searches by visits, not by time",
                where=player.name,
                hint="leave seconds= away",
            )
        self.player = player
        least, most = ROWS_AT_ONCE
        self.rows_at_once = max(least, min(most, EVALUATIONS_AT_ONCE // options.visits))
        described = player.net.describe()
        sha256 = hash_of(described)
        self.name = f"search.{sha256[:8]}.v{options.visits}"
        said = options.model_dump(exclude_defaults=True) | {"visits": options.visits}
        keys = ", ".join(f"{key} {value}" for key, value in sorted(said.items()))
        self.about = f"search {told_net(described)}, sha256 {sha256}, {keys}"

    def label(self, manifest: Manifest, table: pa.Table, rows: npt.NDArray[np.uint32]) -> Labels:
        """Return labels of the stored rows ``table``; see ``Teacher``."""
        count = table.num_rows
        policies: list[Array] = []
        ownerships: list[Array] = []
        leads: list[float] = []
        value, visits = np.empty(count, np.float32), np.empty(count, np.uint32)
        for i, position in enumerate(positions_of_table(manifest, table)):
            self.player.new_game(0)
            found = self.player.analyse(position, Limits())
            policies.append(stored_shares(found.target))
            value[i], visits[i] = found.value, found.visits
            if found.score is not None:
                leads.append(found.score)
            if found.ownership is not None:
                ownerships.append(np.asarray(found.ownership).ravel())
        tells_lead, owns = len(leads) == count, len(ownerships) == count
        lead = np.clip(np.array(leads, np.float32), -MOST_POINTS, MOST_POINTS)
        return Labels(
            rows=rows,
            visits=visits,
            policy=np.concatenate([np.empty(0, np.float32), *policies]),
            value=np.clip(value, -1, 1),
            lead=lead if tells_lead else None,
            ownership=_owned(ownerships) if owns else None,
        )


def _owned(parts: list[Array]) -> npt.NDArray[np.float32]:
    flat = np.concatenate([np.empty(0), *parts])
    return np.clip(flat, -1, 1).astype(np.float32)


def positions_of_table(manifest: Manifest, table: pa.Table) -> list[Position]:
    """Return the position before the move of each stored row.

    The game is played through again from its moves in ``games.parquet``. Where these are not told,
    or lead to another board under the row's rules, the position is the row's board, without a past.
    """
    told = table.select(
        ["game", "move_number", "rows", "columns", "board", "to_move", "ko", "rules", "komi",
         "handicap"]
    ).to_pylist()  # fmt: skip
    place = str(manifest.folder), str(manifest.games_file.get("sha256"))
    found: list[Position] = []
    for row in told:
        line = _line_of(place, row["game"], row["rules"])
        at = int(row["move_number"]) - 1
        position = line[at].with_to_move(row["to_move"]) if at < len(line) else None
        stones = unpack_board(row["board"], row["rows"] * row["columns"])
        if position is None or not np.array_equal(position.stones.ravel(), stones):
            position = _alone(row, stones)
        found.append(position)
    return found


@lru_cache(maxsize=8)
def _line_of(place: tuple[str, str], game: int, rules: str | None) -> list[Position]:
    """Return the positions of a game from its start; none where they cannot be had.

    ``place``: the folder of the data set, and the hash of its games.
    """
    entry = _games_of(*place).slice(game, 1).to_pylist()[0]
    if entry.get("move_list") is None or entry.get("color_list") is None:
        return []
    try:
        played = recorded(entry).record.to_game(rules or DEFAULT_RULES)
    except (IllegalMoveError, RulesError, SgfError):
        return []
    return list(played.positions())


@lru_cache(maxsize=1)
def _games_of(folder: str, sha256: str) -> pa.Table:
    return read_games(read_manifest(folder))


def _alone(row: dict[str, Any], stones: npt.NDArray[np.uint8]) -> Position:
    """Return the board of a row as a position without a past."""
    given: dict[str, Any] = {
        "to_move": row["to_move"],
        "rules": row["rules"] or DEFAULT_RULES,
        "komi": row["komi"],
        "handicap": row["handicap"],
        "move_number": int(row["move_number"]) - 1,
        "without_breathless": True,
    }
    board = stones.reshape(Size(row["rows"], row["columns"]))
    try:
        return Position.from_stones(board, ko=None if row["ko"] < 0 else row["ko"], **given)
    except RulesError:  # what is stored as a ko need not look like one alone
        return Position.from_stones(board, **given)

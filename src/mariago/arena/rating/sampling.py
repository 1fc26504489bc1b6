"""Positions drawn from the test split of a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from mariago.arena.rating.positions import PositionSet, RatedGame, Spot, positions_of, thinned
from mariago.board.points import Size
from mariago.errors import BadInputError, MariagoError, RecordsError

__all__ = ["SPLIT", "positions_of_data"]

SPLIT = "test"


def positions_of_data(
    folder: str | Path, positions: int, per_game: int, seed: int, name: str = ""
) -> PositionSet:
    """Draw positions of the test split of a data set, ``per_game`` of a game at most.

    Games that cannot be played through by their rules are left out before anything is drawn from
    them a second time, so fewer positions than asked for may come back.

    Raises:
        RecordsError: no data set, no test split, or games without their moves (imported ones).
        BadInputError: nothing that could be asked about.
    """
    from mariago.records import read_manifest, read_table
    from mariago.records.stored import read_games

    manifest = read_manifest(folder)
    if not manifest.samples(SPLIT):
        raise RecordsError(
            "has no samples for test",
            where=folder,
            hint="players are rated on games that no net was trained on: "
            "build it with --test 0.1 or more",
        )
    table = read_table(folder, SPLIT, columns=["game", "move_number"])
    owners = table.column("game").to_numpy()
    drawn = thinned(owners.tolist(), positions, per_game, seed)
    plies = table.column("move_number").to_numpy()[drawn].astype(int) - 1
    wanted: dict[int, list[int]] = {}
    for owner, ply in zip(owners[drawn].tolist(), plies.tolist(), strict=True):
        wanted.setdefault(owner, []).append(ply)
    rows = read_games(manifest).take(pa.array(sorted(wanted))).to_pylist()
    games: list[RatedGame] = []
    spots: list[Spot] = []
    for row in rows:
        if row.get("move_list") is None:
            raise RecordsError(
                "holds samples but not the moves of their games",
                where=folder,
                hint="imported sets do not: build one from records of games",
            )
        game = _game(row, max(wanted[row["game"]]))
        fit = _askable(game, sorted(wanted[row["game"]]))
        if fit:
            spots += [Spot(len(games), ply) for ply in fit]
            games.append(game)
    if not spots:
        raise BadInputError("holds no position that a player could be asked about", where=folder)
    told = _about(manifest)
    return PositionSet(
        name or f"{Path(folder).name}, {SPLIT}", *told, tuple(games), tuple(spots), None,
        data_hash(manifest),
    )  # fmt: skip


def _game(row: dict[str, Any], last: int) -> RatedGame:
    flat = row["setup_list"] or []
    stones = [(flat[i], flat[i + 1], flat[i + 2]) for i in range(0, len(flat), 3)]
    moves = list(zip(row["color_list"], row["move_list"], strict=True))
    return RatedGame(
        row["game_id"],
        Size(int(row["rows"]), int(row["columns"])),
        row["rules"],
        row["komi"],
        int(row["handicap"]),
        tuple(stone for stone in stones if stone[0] <= last),
        tuple(moves[: last + 1]),
        (row["black_rank"], row["white_rank"]),
        f"{row['path']} #{row['index_in_file'] + 1}",
    )


def _askable(game: RatedGame, plies: list[int]) -> list[int]:
    """Return the plies at which the game goes on; none where it breaks its own rules."""
    try:
        line = positions_of(game)
    except MariagoError:
        return []
    return [ply for ply in plies if ply < len(line) and not line[ply].is_over]


def _about(manifest: Any) -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]
        "; ".join(dict.fromkeys(str(source[part]) for source in manifest.sources))
        for part in ("origin", "terms")
    )


def data_hash(manifest: Any) -> str:
    """Return what nets remember of a data set: ``nets.training.describe_data``, without torch."""
    import hashlib

    shards = "".join(shard["sha256"] for shard in manifest.shards)
    return hashlib.sha256(shards.encode("ascii")).hexdigest()

"""Games and positions of a data set as SGF files."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from mariago.board.files import write_whole
from mariago.errors import BadInputError, RecordsError
from mariago.records.katago_export import free_place, trail_of, write_note
from mariago.records.load import read_table
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.schema import TACTICAL_COLUMNS
from mariago.records.sgf_games import WANTED_COLUMNS, RebuiltGame, problem, rebuild, recorded
from mariago.records.spans import check_split
from mariago.records.stored import open_shard, read_games
from mariago.records.workplace import Workplace
from mariago.sgf.writer import write_numbers

__all__ = ["export_positions", "export_sgf"]

Tell = Callable[[int, int], None]
_FLAGS = (*TACTICAL_COLUMNS, "in_atari")


def export_sgf(
    folder: "str | Path",
    out: "str | Path",
    *,
    split: str = "train",
    games: int = 0,
    seed: int = 0,
    whole_only: bool = False,
    overwrite: bool = False,
    command: str = "",
    tell: "Tell | None" = None,
) -> dict[str, Any]:
    """Write games of a split as ``GAME_ID.sgf`` into ``out``; return what ``export.json`` says.

    Records come whole, from the moves in ``games.parquet``. Where it holds none, as in imported
    data sets, a game is put together from its samples (``sgf_games``): one with a hole is left
    out, and counted; one that begins late starts from a set-up board; its GC says so.

    Args:
        games: so many, drawn at random with ``seed``; 0 for all.
        whole_only: only games of which every move is there.

    Raises:
        RecordsError: no whole data set, no game could be put together, or ``out`` is in the way.
    """
    manifest = read_manifest(folder)
    check_split(manifest, split)
    place = free_place(out, overwrite)
    chosen = _chosen_games(manifest, split, games, seed)
    counts = {"games": 0, "whole": 0, "begin_late": 0, "end_early": 0, "holes": 0, "not_whole": 0}
    with Workplace(place) as workplace:
        workplace.clear()
        for game, rebuilt in _rebuilt(manifest, split, chosen):
            if tell is not None:
                tell(1, len(chosen))
            if rebuilt is None:
                counts["holes"] += 1
                continue
            if whole_only and not rebuilt.is_whole:
                counts["not_whole"] += 1
                continue
            counts["games"] += 1
            counts["whole"] += rebuilt.is_whole
            counts["begin_late"] += rebuilt.first > 1
            counts["end_early"] += rebuilt.last < rebuilt.moves
            data = write_numbers(rebuilt.record)
            write_whole(workplace.folder / f"{game['game_id']}.sgf", data)
        if not counts["games"]:
            raise RecordsError(
                "no game could be put together from its samples",
                where=manifest.folder,
                hint="samples were left out of every game: build without --max-per-game, or export "
                "positions with --format sgf-positions",
            )
        note = {
            "format": "sgf",
            "split": split,
            **counts,
            **trail_of(manifest, command or f"export_sgf(split={split!r})"),
        }
        write_note(workplace.folder, note)
        workplace.finish()
    return note


def export_positions(
    folder: "str | Path",
    out: "str | Path",
    *,
    split: str = "train",
    n: int = 100,
    seed: int = 0,
    tactical: bool = False,
    overwrite: bool = False,
    command: str = "",
) -> dict[str, Any]:
    """Write random samples as SGF problems: set-up stones, PL, and the move that was played.

    Args:
        n: so many; ``tactical``: only of moves that take, save, give atari or walk into it.

    Raises:
        RecordsError: no whole data set, no such sample, or ``out`` is in the way.
    """
    manifest = read_manifest(folder)
    check_split(manifest, split)
    if n < 1:
        raise BadInputError("at least one position is written", where="--n")
    place = free_place(out, overwrite)
    rng = np.random.default_rng(seed)
    flagged = read_table(folder, split, columns=list(TACTICAL_COLUMNS))
    wanted = np.arange(flagged.num_rows)
    if tactical:
        found = [flagged.column(name).to_numpy() > 0 for name in TACTICAL_COLUMNS]
        wanted = np.flatnonzero(np.any(found, axis=0))
    if not len(wanted):
        raise RecordsError(f"no tactical sample in split {split!r}", where=manifest.folder)
    drawn = np.sort(rng.choice(wanted, min(n, len(wanted)), replace=False))
    columns = [*WANTED_COLUMNS, *_FLAGS, "komi", "rules"]
    table = read_table(folder, split, columns=columns).take(pa.array(drawn))
    games = _games(manifest, np.unique(table.column("game").to_numpy()))
    with Workplace(place) as workplace:
        workplace.clear()
        for row in table.to_pylist():
            game = games[row["game"]]
            name = f"{game['game_id']}-{row['move_number']:03d}.sgf"
            write_whole(workplace.folder / name, problem(row, game, _FLAGS))
        note = {
            "format": "sgf-positions",
            "split": split,
            "positions": table.num_rows,
            **trail_of(manifest, command or f"export_positions(split={split!r})"),
        }
        write_note(workplace.folder, note)
        workplace.finish()
    return note


def _games(manifest: Manifest, wanted: "np.ndarray[Any, Any]") -> dict[int, dict[str, Any]]:
    table = read_games(manifest).take(pa.array(wanted))
    return {int(game["game"]): game for game in table.to_pylist()}


def _chosen_games(
    manifest: Manifest, split: str, games: int, seed: int
) -> dict[int, dict[str, Any]]:
    table = read_games(manifest, ["split", "samples"])
    there = np.array(table.column("split").to_pylist()) == split
    wanted = np.flatnonzero(there & (table.column("samples").to_numpy() > 0))
    if games and games < len(wanted):
        wanted = np.sort(np.random.default_rng(seed).choice(wanted, games, replace=False))
    return _games(manifest, wanted)


def _rebuilt(
    manifest: Manifest, split: str, chosen: dict[int, dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], RebuiltGame | None]]:
    lacking: dict[int, dict[str, Any]] = {}
    for place, game in chosen.items():
        if game.get("move_list") is None:
            lacking[place] = game
        else:
            yield game, recorded(game)
    if lacking:
        for game, rows in _rows_of_games(manifest, split, lacking):
            yield game, rebuild(rows, game)


def _rows_of_games(
    manifest: Manifest, split: str, chosen: dict[int, dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield the chosen games with their samples, in order, a row group in memory at a time."""
    wanted = np.array(sorted(chosen), np.int64)
    waiting: list[dict[str, Any]] = []
    for path in manifest.shard_paths(split):
        file = open_shard(manifest, path)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, WANTED_COLUMNS)
            here = np.flatnonzero(np.isin(table.column("game").to_numpy(), wanted))
            for row in table.take(pa.array(here)).to_pylist():
                if waiting and row["game"] != waiting[0]["game"]:
                    yield chosen[waiting[0]["game"]], waiting
                    waiting = []
                waiting.append(row)
    if waiting:
        yield chosen[waiting[0]["game"]], waiting

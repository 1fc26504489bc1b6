"""A copy of a data set without the games and rows that another set holds."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mariago.board.files import write_whole
from mariago.errors import RecordsError
from mariago.records.leaks import Lost
from mariago.records.manifest import MANIFEST, Manifest, games_entry, read_manifest
from mariago.records.names import plain
from mariago.records.removed import table_of_removed
from mariago.records.row_fact_bits import count_facts
from mariago.records.schema import REMOVED, SAMPLE_SCHEMA, SCHEMA_VERSION, SPLITS
from mariago.records.shards import FLAG_NAMES, PARQUET_SETTINGS, Shard
from mariago.records.source_places import moved_entry
from mariago.records.stored import open_games, open_shard, read_games
from mariago.records.workplace import Workplace
from mariago.reports.origin import provenance

__all__ = ["copy_without"]


def copy_without(
    folder: "str | Path",
    out: "str | Path",
    lost: Lost,
    *,
    other: str,
    command: str = "",
) -> Manifest:
    """Write the data set of ``folder`` without what ``lost`` names to ``out``.

    Games that go are lines of ``dropped.jsonl``; those that stay are numbered anew. Of these the
    rows that go count as ``leaks``.

    Args:
        other: the path of the set that holds them, as it is told.

    Raises:
        RecordsError: no whole data set, ``out`` is in the way, or nothing would be left.
    """
    manifest, place = read_manifest(folder), Path(out)
    if place.exists():
        raise RecordsError("is in the way", where=place, hint="choose another --out")
    with Workplace(place) as workplace:
        workplace.clear()
        copy = _Copy(manifest, workplace, lost)
        copy.write_samples()
        copy.write_games()
        copy.write_dropped(other)
        copy.write_manifest(command or f"copy_without(out={place.name!r})", other)
        workplace.finish()
    return read_manifest(place)


class _Copy:
    def __init__(self, manifest: Manifest, workplace: Workplace, lost: Lost) -> None:
        self.manifest = manifest
        self.folder = workplace.folder
        self.out = workplace.out
        self.lost = lost
        self.games = open_games(manifest).num_rows
        self.stays = np.ones(self.games, np.bool_)
        self.stays[lost.games] = False
        self.new_index = (np.cumsum(self.stays) - 1).astype(np.uint32)
        self.samples = np.zeros(self.games, np.int64)
        self.before = table_of_removed(manifest)
        self.shards: list[Shard] = []
        self.rows = 0

    def write_samples(self) -> None:
        """Copy the shards; those that lose every row are left out."""
        for split in SPLITS:
            for path in self.manifest.shard_paths(split):
                parts = list(self._parts(path))
                if parts:
                    self._write_shard(path.name, split, pa.concat_tables(parts))
        if not self.shards:
            raise RecordsError("nothing would be left", where=self.manifest.folder)

    def _parts(self, path: Path) -> Iterator[pa.Table]:
        file = open_shard(self.manifest, path)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            game = table.column("game").to_numpy()
            stays = self.stays[game] & ~self.lost.rows[self.rows : self.rows + len(game)]
            self.rows += len(game)
            if not stays.any():
                continue
            self.samples += np.bincount(game[stays], minlength=self.games)
            at = table.schema.get_field_index("game")
            field = table.schema.field(at)
            table = table.set_column(at, field, pa.array(self.new_index[game]))
            yield table.filter(pa.array(stays))

    def _write_shard(self, name: str, split: str, table: pa.Table) -> None:
        path = self.folder / name
        pq.write_table(table.cast(SAMPLE_SCHEMA), path, **PARQUET_SETTINGS)
        with path.open("rb+") as file:
            os.fsync(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        flagged = {
            flag: int(np.count_nonzero(table.column(flag).to_numpy())) for flag in FLAG_NAMES
        }
        facts = table.column("facts")
        if not facts.null_count:
            flagged |= count_facts(facts.combine_chunks().to_numpy(zero_copy_only=False))
        size = path.stat().st_size
        self.shards.append(Shard(name, split, table.num_rows, size, digest, flagged))

    def write_games(self) -> None:
        """Copy ``games.parquet``, row group by row group."""
        file = open_games(self.manifest)
        target, start = self.folder / "games.parquet", 0
        with pq.ParquetWriter(target, file.schema, compression="zstd") as writer:
            for group in range(file.num_row_groups):
                table = file.read_row_group(group)
                part = slice(start, start + len(table))
                own = {"game": self.new_index, "samples": self.samples, "leaks": self.leaks}
                for name, values in own.items():
                    at = table.schema.get_field_index(name)
                    if at < 0:  # a set of an earlier version
                        continue
                    field = table.schema.field(at)
                    table = table.set_column(at, field, pa.array(values[part], field.type))
                start = part.stop
                writer.write_table(table.filter(pa.array(self.stays[part])))

    @property
    def leaks(self) -> NDArray[np.int64]:
        """The rows (G,) that count as leaks: those that did before, and those that go now."""
        return self.before["leaks"] + self.before["samples"] - self.samples

    def write_dropped(self, other: str) -> None:
        """Tell of the games that went, behind those that could not be used."""
        rows = self._places()
        shutil.copyfile(self.manifest.folder / "dropped.jsonl", self.folder / "dropped.jsonl")
        with (self.folder / "dropped.jsonl").open("a", encoding="utf-8", newline="\n") as file:
            for row, same, text in zip(rows, self.lost.same_as, self.lost.texts, strict=True):
                place = {name: same[name] for name in ("source", "path", "index_in_file")}
                line = {
                    **row,
                    "reason": "duplicate_game",
                    "move_number": 0,
                    "text": text,
                    "same_as": {"set": other, **place},
                }
                file.write(json.dumps(plain(line), ensure_ascii=False) + "\n")

    def _places(self) -> list[dict[str, Any]]:
        columns = ["source", "path", "index_in_file"]
        table = read_games(self.manifest, columns)
        return table.take(self.lost.games).to_pylist()

    def write_manifest(self, command: str, other: str) -> None:
        counts = self._counts()
        origin: dict[str, Any] = dict(provenance(command, None).as_dict())
        origin["copied_from"] = self.manifest.folder.name
        origin["without"] = other
        origin["made_by"] = self.manifest.provenance["command"]
        origin["seed"] = self.manifest.provenance["seed"]
        copy = replace(
            self.manifest,
            sources=[
                moved_entry(self.manifest, source, self.out) for source in self.manifest.sources
            ],
            counts=counts,
            shards=[asdict(shard) for shard in self.shards],
            provenance=origin,
            games_file=games_entry(self.folder),
            schema_version=SCHEMA_VERSION,
        )
        write_whole(self.folder / MANIFEST, copy.to_json())

    def _counts(self) -> dict[str, Any]:
        counts = dict(self.manifest.counts)
        kept: dict[str, int] = dict.fromkeys(SPLITS, 0)
        for shard in self.shards:
            kept[shard.split] += shard.rows
        gone = self._games_by_split()
        removed = {name: int(self.before[name][self.stays].sum()) for name in REMOVED}
        removed["leaks"] = int(self.leaks[self.stays].sum())
        dropped = dict(counts["dropped"])
        dropped["duplicate_game"] = dropped.get("duplicate_game", 0) + len(self.lost.games)
        return counts | {
            "games_kept": counts["games_kept"] - len(self.lost.games),
            "dropped": dropped,
            "moves": sum(removed.values()) + sum(kept.values()),
            **removed,
            "samples": kept,
            "games": {split: counts["games"][split] - gone.get(split, 0) for split in SPLITS},
        }

    def _games_by_split(self) -> dict[str, int]:
        table = read_games(self.manifest, ["split"])
        names: list[str] = table.column("split").cast(pa.string()).take(self.lost.games).to_pylist()
        return {split: names.count(split) for split in SPLITS}

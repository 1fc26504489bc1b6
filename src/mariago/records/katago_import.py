"""KataGo's training files as a data set: rows judged, repeats and leaks removed, shards written.

Files are read twice, so that no more than the rows of one of them and one shard is in memory, and
about 30 bytes for every row.
"""

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mariago.board.files import write_whole
from mariago.errors import BadInputError, RecordsError
from mariago.records.imported import ImportedGame, games_of, samples_table
from mariago.records.katago_files import KatagoFile
from mariago.records.katago_rows_back import NO_POLICY, FoundRows, rows_of_parts
from mariago.records.manifest import MANIFEST, Manifest, games_entry, read_manifest
from mariago.records.options import BuildOptions
from mariago.records.papers import Paper, papers_of
from mariago.records.repeat_kernels import GONE, KEEP, LEAK, REPEAT
from mariago.records.repeats import LATE_AFTER
from mariago.records.replay_kernels import BAD_SETUP, KO_TAKEN, OCCUPIED, SUICIDE
from mariago.records.schema import REASONS, REMOVED, SAMPLE_SCHEMA, SPLITS, TACTICAL_COLUMNS
from mariago.records.shards import ROW_GROUP_ROWS
from mariago.records.source_places import path_from_set
from mariago.records.sources import shown
from mariago.records.splits import split_of
from mariago.records.workplace import Workplace
from mariago.reports.origin import provenance

__all__ = ["import_katago"]

_REASON_OF = {
    OCCUPIED: "illegal_occupied",
    SUICIDE: "illegal_suicide",
    KO_TAKEN: "illegal_ko",
    BAD_SETUP: "illegal_setup",
    NO_POLICY: "no_moves",
}


@dataclass
class _Kept:
    """What the first reading tells of all rows, (N,) each."""

    game: NDArray[np.int64]  # index in games
    split: NDArray[np.uint8]
    stays: NDArray[np.bool_]
    codes: NDArray[np.uint8]  # why a row is gone, as in repeat_kernels; GONE where it is not usable


def import_katago(
    files: "Sequence[str | Path]",
    out: "str | Path",
    *,
    origin: str,
    terms: str,
    options: BuildOptions | None = None,
    overwrite: bool = False,
    command: str = "",
    tell: "Callable[[str, int, int | None], None] | None" = None,
) -> Manifest:
    """Make a data set in the folder ``out`` of KataGo's training files and return its manifest.

    ``katago_rows_back`` says what the files do not tell. Rows without a policy target, or whose
    move is not legal, are dropped row by row and listed in ``dropped.jsonl``.

    Args:
        files: ``.npz`` files, or folders of them.
        options: only ``seed``, ``validation``, ``test`` and ``shard_rows`` count.

    Raises:
        BadInputError: no origin or terms, a file that is missing or not of this format.
        RecordsError: ``out`` is in the way, or no row could be used.
    """
    options = options or BuildOptions(size="any")
    paths = _npz_files(files)
    papers, _ = papers_of(list(paths), origin, terms)
    place = Path(out)
    if place.exists() and not (place.is_dir() and not any(place.iterdir())):
        if not (place / MANIFEST).is_file():
            raise RecordsError("is in the way", where=place, hint="choose another --out")
        if not overwrite:
            raise RecordsError("a data set stands there", where=place, hint="--overwrite it")
    told = tell or (lambda stage, done, total: None)
    with Workplace(place) as workplace:
        workplace.clear()
        made = _Import(workplace, paths, papers, options, told)
        made.run(command or f"import_katago(out={place.name!r})")
        workplace.finish()
    return read_manifest(place)


def _npz_files(given: "Sequence[str | Path]") -> list[Path]:
    found: list[Path] = []
    for path in map(Path, given):
        if path.is_dir():
            found += sorted(held for held in path.rglob("*.npz") if held.is_file())
        elif path.is_file():
            found.append(path)
        else:
            raise BadInputError("no such file", where=path)
    if not found:
        raise BadInputError("no .npz file is there", where=", ".join(map(str, given)))
    return found


class _Read(NamedTuple):
    """What the first reading of a file found: its checksum, and its size."""

    sha256: str
    size_bytes: int


def load_file(path: Path) -> tuple[FoundRows, _Read]:
    """Return the rows of one file, checked, and what the file was.

    Raises:
        BadInputError: it is no training file of KataGo's with V7 inputs; see ``KatagoFile``.
    """
    with KatagoFile(path) as file:
        return rows_of_parts(file.checked_parts()), _Read(file.sha256, file.size_bytes)


def load_again(path: Path, before: _Read) -> FoundRows:
    """Return the rows of a file that has been checked.

    Raises:
        RecordsError: it is not the one that was.
    """
    with KatagoFile(path) as file:
        if file.sha256 != before.sha256:
            raise RecordsError("changed while it was imported", where=path, hint="import it again")
        return rows_of_parts(file.parts())


class _Import:
    """One import: the first reading judges, the second writes."""

    def __init__(
        self,
        workplace: Workplace,
        paths: list[Path],
        papers: list[Paper],
        options: BuildOptions,
        tell: "Callable[[str, int, int | None], None]",
    ) -> None:
        self.folder = workplace.folder
        self.out = workplace.out
        self.paths = paths
        self.papers = papers
        self.options = options
        self.tell = tell
        self.read: list[_Read] = []
        self.dropped: Counter[str] = Counter()
        self.games: list[ImportedGame] = []
        self.counts: dict[str, Any] = {}

    def run(self, command: str) -> None:
        """Make every file of the data set, the manifest last."""
        started_s = time.monotonic()
        kept = self._judge()
        read_s = time.monotonic() - started_s
        if not kept.stays.any():
            raise RecordsError("no row could be used", hint=f"dropped: {dict(self.dropped)}")
        shards = self._write_samples(kept)
        table = games_of(self.games, self._rows_by_game(kept), self.papers)
        pq.write_table(table, self.folder / "games.parquet", compression="zstd")
        self.counts["seconds"] = {
            "read": round(read_s, 2),
            "write": round(time.monotonic() - started_s - read_s, 2),
        }
        manifest = Manifest(
            sources=[
                self._source(*held) for held in zip(self.paths, self.read, self.papers, strict=True)
            ],
            options={**self.options.as_dict(), "from": "katago"},
            counts=self.counts,
            shards=shards,
            provenance=provenance(command, self.options.seed).as_dict(),
            games_file=games_entry(self.folder),
        )
        write_whole(self.folder / MANIFEST, manifest.to_json())

    def _judge(self) -> _Kept:
        """Read all files once: which rows can be used, of which game they are, what repeats."""
        place_of: dict[int, int] = {}
        games: list[NDArray[np.int64]] = []
        hashes: list[NDArray[np.uint64]] = []
        late: list[NDArray[np.bool_]] = []
        usable: list[NDArray[np.bool_]] = []
        total = 0
        with (self.folder / "dropped.jsonl").open("w", encoding="utf-8", newline="\n") as log:
            for number, path in enumerate(self.paths):
                found, read = load_file(path)
                self.read.append(read)
                games.append(self._games(found, number, place_of))
                hashes.append(found.hashes)
                late.append(found.turn >= LATE_AFTER)
                usable.append(found.codes == 0)
                for at in np.flatnonzero(found.codes != 0).tolist():
                    reason = _REASON_OF[int(found.codes[at])]
                    self.dropped[reason] += 1
                    log.write(_dropped_line(number, path, at, reason, int(found.turn[at])))
                total += len(found)
                self.tell("read", 1, len(self.paths))
        game = np.concatenate(games)
        words = np.array([held.identity for held in self.games], np.uint64)
        splits = split_of(words, self.options)
        for held, split in zip(self.games, splits.tolist(), strict=True):
            held.split = split
        stays = np.concatenate(usable)
        kept = _Kept(game, splits[game], stays, np.where(stays, KEEP, GONE).astype(np.uint8))
        self._take_out_repeats(kept, np.concatenate(hashes), np.concatenate(late), total)
        return kept

    def _games(self, found: FoundRows, number: int, place_of: dict[int, int]) -> NDArray[np.int64]:
        """Enter the games of a file; return the place (B,) of each row's game."""
        words, first, back = np.unique(found.game, return_index=True, return_inverse=True)
        for at in np.argsort(first).tolist():
            word, row = int(words[at]), int(first[at])
            if word not in place_of:
                place_of[word] = len(self.games)
                self.games.append(ImportedGame.of_row(found, row, number, self.paths[number].name))
        places = np.array([place_of[int(word)] for word in words], np.int64)[back]
        order = np.argsort(places, kind="stable")
        starts = np.flatnonzero(np.diff(places[order], prepend=-1))
        last_turns = np.maximum.reduceat(found.turn[order], starts)
        for place, turn in zip(places[order][starts].tolist(), last_turns.tolist(), strict=True):
            self.games[place].moves = max(self.games[place].moves, turn + 1)
        for row in np.flatnonzero(found.turn == 0).tolist():
            self.games[int(places[row])].first_move = int(found.move[row])
        return places

    def _take_out_repeats(
        self,
        kept: _Kept,
        hashes: NDArray[np.uint64],
        late: NDArray[np.bool_],
        total: int,
    ) -> None:
        """Keep the first row of a position in each split; late rows leak into no later split."""
        usable = kept.stays.copy()
        kept.stays[:] = False
        for split in range(len(SPLITS)):
            rows = np.flatnonzero(usable & (kept.split == split))
            _, first = np.unique(hashes[rows], return_index=True)
            kept.stays[rows[first]] = True
        kept.codes[usable & ~kept.stays] = REPEAT
        for split in (0, 1):
            rows = np.flatnonzero(kept.stays & late & (kept.split == split))
            held = hashes[usable & (kept.split > split)]
            leaking = rows[np.isin(hashes[rows], held)]
            kept.stays[leaking] = False
            kept.codes[leaking] = LEAK
        self.counts = {
            "files": len(self.paths),
            "games_read": len(self.games),
            "games_kept": len(self.games),
            "dropped": {reason: self.dropped[reason] for reason in REASONS},
            "moves": total - sum(self.dropped.values()),
            "not_winner": 0,
            "repeats": int((kept.codes == REPEAT).sum()),
            "leaks": int((kept.codes == LEAK).sum()),
            "not_chosen": 0,
            "samples": {
                name: int((kept.stays & (kept.split == split)).sum())
                for split, name in enumerate(SPLITS)
            },
            "games": {
                name: sum(held.split == split for held in self.games)
                for split, name in enumerate(SPLITS)
            },
        }

    def _rows_by_game(self, kept: _Kept) -> dict[str, NDArray[np.int64]]:
        """Return what became of the rows of each game, (G,) each."""
        codes = {"samples": KEEP, "repeats": REPEAT, "leaks": LEAK}
        none = {name: np.zeros(len(self.games), np.int64) for name in REMOVED}
        return none | {
            name: np.bincount(kept.game[kept.codes == code], minlength=len(self.games))
            for name, code in codes.items()
        }

    def _write_samples(self, kept: _Kept) -> list[dict[str, Any]]:
        waiting: dict[int, list[pa.Table]] = {split: [] for split in range(len(SPLITS))}
        written: dict[int, list[dict[str, Any]]] = {split: [] for split in range(len(SPLITS))}
        for split, table in self._tables(kept):
            waiting[split].append(table)
            held = pa.concat_tables(waiting[split])
            while held.num_rows >= self.options.shard_rows:
                part = held.slice(0, self.options.shard_rows)
                written[split].append(self._write_shard(split, len(written[split]), part))
                held = held.slice(self.options.shard_rows)
            waiting[split] = [held]
        for split, tables in waiting.items():
            left = pa.concat_tables(tables) if tables else SAMPLE_SCHEMA.empty_table()
            if left.num_rows:
                written[split].append(self._write_shard(split, len(written[split]), left))
        return [shard for shards in written.values() for shard in shards]

    def _tables(self, kept: _Kept) -> Iterator[tuple[int, pa.Table]]:
        start = 0
        for path, read in zip(self.paths, self.read, strict=True):
            found = load_again(path, read)
            stop = start + len(found)
            for split in range(len(SPLITS)):
                stays = kept.stays[start:stop] & (kept.split[start:stop] == split)
                rows = np.flatnonzero(stays)
                if len(rows):
                    places = kept.game[start:stop][rows]
                    yield split, samples_table(found, rows, places, self.games, SPLITS[split])
            start = stop
            self.tell("write", 1, len(self.paths))

    def _write_shard(self, split: int, number: int, table: pa.Table) -> dict[str, Any]:
        path = self.folder / f"{SPLITS[split]}-{number:05d}.parquet"
        pq.write_table(
            table.unify_dictionaries(), path, compression="zstd", row_group_size=ROW_GROUP_ROWS
        )
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        names = (*TACTICAL_COLUMNS, "in_atari")
        return {
            "file": path.name,
            "split": SPLITS[split],
            "rows": table.num_rows,
            "size_bytes": path.stat().st_size,
            "sha256": digest,
            "flagged": {
                name: int(np.count_nonzero(table.column(name).to_numpy())) for name in names
            },
        }

    def _source(self, path: Path, read: _Read, paper: Paper) -> dict[str, Any]:
        return {
            "path": shown(os.fsencode(path)),
            **path_from_set(path, self.out),
            "kind": "katago",
            **read._asdict(),
            "files": 1,
            "skipped": {},
            **paper.as_dict(),
        }


def _dropped_line(source: int, path: Path, row: int, reason: str, turn: int) -> str:
    entry = {
        "source": source,
        "path": path.name,
        "index_in_file": row,
        "reason": reason,
        "move_number": turn + 1,
        "text": "",
    }
    return json.dumps(entry, ensure_ascii=False) + "\n"

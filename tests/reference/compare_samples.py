"""A data set beside the plain way to make it, row by row and column by column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.reference.plain_samples import TACTICAL, plain_games

from mariago.records import BuildOptions, build_records, read_table
from mariago.records.schema import unpack_board

EQUAL = (
    *("move_number", "to_move", "ko", "last_moves", "move", "position_hash"),
    *(*TACTICAL, "in_atari"),
)


def write_files(folder: Path, files: Sequence[bytes]) -> Path:
    """Write records as numbered files of a new folder, which is returned."""
    folder.mkdir()
    for number, data in enumerate(files):
        (folder / f"{number:05d}.sgf").write_bytes(data)
    return folder


def check_against_plain(files: Sequence[bytes], scratch: Path) -> tuple[int, int]:
    """Check the data set of ``files`` against the plain way; return (samples, dropped)."""
    source = write_files(scratch / "source", files)
    options = BuildOptions(size="any", validation=0, test=0)
    out = scratch / "set"
    build_records([source], origin="a test", terms="none", out=out, options=options)
    drops = [json.loads(line) for line in (out / "dropped.jsonl").read_text("utf-8").splitlines()]
    dropped = {(d["path"], d["index_in_file"]): (d["reason"], d["move_number"]) for d in drops}
    wanted: list[dict[str, Any]] = []
    seen: set[int] = set()
    for number, data in enumerate(files):
        for index, (reason, at, samples) in enumerate(plain_games(data)):
            key = (f"{number:05d}.sgf", index)
            held, held_at = dropped.pop(key, (None, 0))
            if held == "duplicate_game":
                assert reason is None
                continue
            assert held == reason, key
            assert at in (0, held_at), key
            for sample in samples:
                if sample["position_hash"] not in seen:
                    seen.add(sample["position_hash"])
                    wanted.append({"path": key[0], **sample})
    assert not dropped
    _check_rows(read_table(out, "train").to_pylist(), wanted)
    return len(wanted), len(drops)


def _check_rows(rows: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    assert len(rows) == len(wanted)
    for row, plain in zip(rows, wanted, strict=True):
        where = (plain["path"], plain["move_number"])
        shape = plain["stones"].shape
        assert (row["rows"], row["columns"]) == shape, where
        board = unpack_board(row["board"], shape[0] * shape[1]).reshape(shape)
        assert (board == plain["stones"]).all(), where
        for name in EQUAL:
            assert row[name] == plain[name], (where, name)
        assert sorted(row["taken_1"]) == plain["taken_1"], where
        assert sorted(row["taken_2"]) == plain["taken_2"], where

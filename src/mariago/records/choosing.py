"""Samples of a data set drawn at random among those that a filter wants."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.board.points import BLACK, WHITE, size_of
from mariago.errors import BadInputError, RecordsError
from mariago.records.game_names import find_game
from mariago.records.manifest import Manifest
from mariago.records.report_words import FLAGS_IN_WORDS, SPLITS_IN_WORDS
from mariago.records.schema import SPLITS, TACTICAL_COLUMNS
from mariago.records.stored import StoredFile, open_shard, read_games
from mariago.tactics.fact_names import FACT_NAMES, FACTS_IN_WORDS
from mariago.words import Texts

__all__ = ["ONLY", "SampleFilter", "draw_table"]

OPENING = 70 / 361  # of the points of the board in moves: 70 on 19x19
LEAST_ENDGAME = 0.5  # a game with fewer moves than half the points has no endgame
ENDGAME = 0.75  # its last quarter
_FLAGS_AND_MORE = ("tactical", *FLAGS_IN_WORDS, "pass", "opening", "endgame")
FACTS = tuple(name for name in FACT_NAMES if name not in FLAGS_IN_WORDS)
ONLY = (*_FLAGS_AND_MORE, *FACTS)
_RANGE = re.compile(r"([0-9]{0,9})(-?)([0-9]{0,9})")
_ONLY_IN_WORDS = (
    FACTS_IN_WORDS
    | FLAGS_IN_WORDS
    | {
        "tactical": "tactical moves",
        "pass": "passes",
        "opening": "openings",
        "endgame": "endgames",
    }
)


@dataclass(frozen=True)
class SampleFilter:
    """The wanted samples; an empty text asks for nothing.

    Attributes:
        only: names of ``ONLY``, separated by commas; a sample must be all of them. An ``opening``
            is the first 70 moves on 19x19, as many for their points on other boards; an ``endgame``
            the last quarter of a game with more moves than half the points of its board.
        split: ``train``, ``validation`` or ``test``.
        size: ``"19"``, ``"9x13"``.
        moves: move numbers, ``"50-100"``, ``"200-"``, ``"-10"``, ``"1"``.
        player: a part of the name of the player who moves.
        game: a game's name, see ``game_names.find_game``.

    Raises:
        BadInputError: a text that says nothing.
        CoordinateError: not a board size.
    """

    only: str = ""
    split: str = ""
    size: str = ""
    moves: str = ""
    player: str = ""
    game: str = ""

    def __post_init__(self) -> None:
        unknown = [name for name in self.kinds if name not in ONLY]
        if unknown:
            raise BadInputError(
                f"{unknown[0]!r} is not a kind of sample", where="--only", hint=", ".join(ONLY)
            )
        if self.split and self.split not in SPLITS:
            raise BadInputError(
                f"{self.split!r} is not a split", where="--split", hint=", ".join(SPLITS)
            )
        if self.size:
            size_of(self.size)
        first, last = self.span
        if first > last:
            raise BadInputError("ends before it begins", where=f"--moves {self.moves}")

    @property
    def kinds(self) -> list[str]:
        """The names in ``only``."""
        return [name.strip() for name in self.only.split(",") if name.strip()]

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last wanted move number."""
        match = _RANGE.fullmatch(self.moves.strip())
        if match is None or (self.moves.strip() and not match[1] and not match[3]):
            raise BadInputError(
                f"{self.moves!r} is no range of moves", where="--moves", hint="write 50-100 or 200-"
            )
        first = int(match[1]) if match[1] else 1
        if match[3]:
            return first, int(match[3])
        return first, first if match[1] and not match[2] else 10**6

    def in_words(self, _: Texts) -> str:
        """Return what is wanted in words, "" for everything."""
        parts = [_(_ONLY_IN_WORDS[name]) for name in self.kinds]
        if self.split:
            parts.append(_(SPLITS_IN_WORDS[self.split]))
        if self.size:
            parts.append(str(size_of(self.size)))
        if self.moves:
            parts.append(_("moves {range}", range=self.moves.strip()))
        if self.player:
            parts.append(_("player {name}", name=self.player))
        if self.game:
            parts.append(_("game {name}", name=self.game))
        return _(", ").join(parts)


class _Wanted:
    """The filter against one data set: which games, whose moves, which rows."""

    def __init__(self, wanted: SampleFilter, manifest: Manifest) -> None:
        self.wanted = wanted
        self.kinds = wanted.kinds
        names = [*("rows", "columns", "moves"), *(("black", "white") if wanted.player else ())]
        games = read_games(manifest, names)
        self.rows, self.columns, self.lengths = (
            games.column(name).to_numpy().astype(np.int64) for name in names[:3]
        )
        self.is_wanted = np.ones(len(self.rows), np.bool_)
        if wanted.size:
            size = size_of(wanted.size)
            self.is_wanted &= (self.rows == size.rows) & (self.columns == size.columns)
        self.span = wanted.span
        if wanted.game:
            found = find_game(manifest, wanted.game)
            self.is_wanted &= np.arange(len(self.rows)) == found.game
            if found.move_number is not None:
                self.span = found.move_number, found.move_number
        self.movers = np.full(len(self.rows), BLACK | WHITE, np.uint8)
        if wanted.player:
            part = wanted.player.casefold()
            black, white = (
                np.array([part in name.casefold() for name in games.column(side).to_pylist()])
                for side in ("black", "white")
            )
            self.movers = (black * BLACK | white * WHITE).astype(np.uint8)
            self.is_wanted &= self.movers > 0

    @property
    def columns_asked(self) -> list[str]:
        """The columns of rows that the choice needs; none where every row is wanted."""
        asked: list[str] = []
        if self.wanted.moves or self.span != self.wanted.span:
            asked.append("move_number")
        if self.wanted.player:
            asked.append("to_move")
        for kind in self.kinds:
            if kind == "tactical":
                asked += TACTICAL_COLUMNS
            elif kind == "pass":
                asked.append("move")
            elif kind in FACTS:
                asked.append("facts")
            else:
                asked.append(kind if kind in FLAGS_IN_WORDS else "move_number")
        if asked or not self.is_wanted.all():
            asked.append("game")
        return list(dict.fromkeys(asked))

    def mask(self, table: pa.Table) -> NDArray[np.bool_]:
        """Return which rows (B,) are wanted."""
        held = {name: _held(table, name, self.kinds) for name in table.column_names}
        game = held["game"]
        mask = self.is_wanted[game]
        cells = (self.rows * self.columns)[game]
        if "move_number" in held:
            first, last = self.span
            mask &= (held["move_number"] >= first) & (held["move_number"] <= last)
        if "to_move" in held:
            mask &= (self.movers[game] & held["to_move"]) > 0
        for kind in self.kinds:
            if kind == "tactical":
                mask &= np.any([held[name] > 0 for name in TACTICAL_COLUMNS], axis=0)
            elif kind == "pass":
                mask &= held["move"] == cells
            elif kind in FACTS:
                mask &= (held["facts"] >> np.uint64(FACT_NAMES.index(kind)) & np.uint64(1)) > 0
            elif kind == "opening":
                mask &= held["move_number"] <= np.round(OPENING * cells)
            elif kind == "endgame":
                lengths = self.lengths[game]
                mask &= (lengths > LEAST_ENDGAME * cells) & (
                    held["move_number"] > ENDGAME * lengths
                )
            else:
                mask &= held[kind] > 0
        return mask


def _held(table: pa.Table, name: str, kinds: list[str]) -> NDArray[Any]:
    column = table.column(name)
    if name != "facts":
        return column.to_numpy()
    if column.null_count:
        wanted = next(kind for kind in kinds if kind in FACTS)
        raise RecordsError(
            "this data set does not tell the facts of its moves", where=f"--only {wanted}",
            hint="build it with: mariago records build ... --facts",
        )  # fmt: skip
    return column.combine_chunks().to_numpy(zero_copy_only=False)


def draw_table(
    manifest: Manifest,
    n: int,
    rng: np.random.Generator,
    wanted: SampleFilter | None = None,
) -> tuple[pa.Table, int]:
    """Draw ``n`` of the wanted samples; return their rows in random order, and how many there are.

    Raises:
        RecordsError: no sample is wanted.
    """
    wanted = wanted or SampleFilter()
    judge = _Wanted(wanted, manifest)
    asked = judge.columns_asked
    best_keys, best_at = np.empty(0), np.empty((0, 3), np.int64)  # shard, row group, row
    total = 0
    files: list[StoredFile] = []
    for shard, file in enumerate(_files(manifest, wanted.split)):
        files.append(file)
        for group in range(file.num_row_groups):
            rows = np.arange(file.group_rows(group))
            if asked:
                rows = rows[judge.mask(file.read_row_group(group, asked))]
            total += len(rows)
            keys = rng.random(len(rows))
            at = np.stack([np.full_like(rows, shard), np.full_like(rows, group), rows], axis=1)
            keys, at = np.concatenate([best_keys, keys]), np.concatenate([best_at, at])
            order = np.argsort(keys, kind="stable")[:n]
            best_keys, best_at = keys[order], at[order]
    if not total:
        raise RecordsError("no sample is as wanted", where=manifest.folder, hint="ask for less")
    return _taken(files, best_at), total


def _files(manifest: Manifest, split: str) -> Iterator[StoredFile]:
    for name in (split,) if split else SPLITS:
        for path in manifest.shard_paths(name):
            yield open_shard(manifest, path)


def _taken(files: list[StoredFile], at: NDArray[np.int64]) -> pa.Table:
    """Return the rows at (shard, row group, row), in that order; each group is read once."""
    parts: list[pa.Table] = []
    places: list[NDArray[Any]] = []
    for shard, group in np.unique(at[:, :2], axis=0):
        here = np.flatnonzero((at[:, 0] == shard) & (at[:, 1] == group))
        parts.append(files[shard].read_row_group(group).take(at[here, 2]))
        places.append(here)
    order = np.argsort(np.concatenate(places))
    return pa.concat_tables(parts).take(order)

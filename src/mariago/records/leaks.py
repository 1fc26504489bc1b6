"""What two data sets have in common, so that a test set stays a test set."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mariago.errors import BadInputError
from mariago.records import duplicate_kernels, repeat_kernels, replay_kernels
from mariago.records.leak_games import GameLeaks, common_games
from mariago.records.leak_positions import Bands, PositionLeaks, common_positions
from mariago.records.leak_sides import Side, SideGames, open_side
from mariago.records.repeats import LATE_AFTER
from mariago.records.schema import SPLITS
from mariago.records.workplace import told_when_full

__all__ = ["Leaks", "Lost", "find_leaks"]

_VALIDATION, _TEST = SPLITS.index("validation"), SPLITS.index("test")


@dataclass(frozen=True)
class Lost:
    """What of one side the other side holds: games, and rows of late positions.

    ``same_as`` says of each of the games which game of the other side it is.
    """

    games: NDArray[np.int64]  # (n,)
    same_as: list[dict[str, Any]]  # n
    texts: list[str]  # n, such as ``183 of 183 stones, mirrored``
    rows: NDArray[np.bool_]  # (rows of the side,)


@dataclass(frozen=True)
class Leaks:
    """What A, which is trained on, and B, which is tested on, have in common.

    ``facts`` are plain values for JSON; ``docs/guides/leaks.md`` explains them. ``lost`` is there
    where it was asked for.
    """

    facts: dict[str, Any]
    lost: Lost | None

    @property
    def is_leak(self) -> bool:
        """Whether a game or a late position of what is tested stands in what is trained on."""
        return bool(self.facts["verdict"]["is_leak"])


def find_leaks(
    a: "str | Path",
    b: "str | Path | None" = None,
    *,
    trained: Sequence[str] = (),
    tested: Sequence[str] = (),
    after: int = LATE_AFTER,
    most: int = 20,
    lost_of: "Literal['A', 'B'] | None" = None,
    scratch: "str | Path | None" = None,
) -> Leaks:
    """Compare two data sets, or the splits of one; either may be records (SGF) as well.

    Args:
        a: what is trained on; ``b``: what is tested on, None for A's own splits.
        trained: splits of A that count, or ``all``; ``train``, or all of records.
        tested: splits of B that count, or ``all``; ``test`` where it holds a sample, else all; of
            one set ``validation`` and ``test``.
        after: positions in common count after this move; earlier ones are openings.
        most: games listed at most.
        lost_of: the side of which to find all that the other one holds.
        scratch: where hashes lie meanwhile, 16 bytes a row; the system's folder for such.

    Raises:
        BadInputError: no data set and no records, or no such split.
        RecordsError: a data set that is not whole, or whose schema is not known here.
    """
    if after < 0:
        raise BadInputError("cannot be negative", where="--after")
    for kernels in (replay_kernels, repeat_kernels, duplicate_kernels):
        kernels.warm()
    room = tempfile.TemporaryDirectory(prefix="mariago-leak-", dir=scratch)
    with room as held, told_when_full(held):
        folder = Path(held)
        side_a = open_side(a, folder / "a")
        side_b = side_a if b is None else open_side(b, folder / "b")
        comparison = _Comparison(side_a, side_b, after, b is None)
        comparison.choose_splits(trained, tested)
        comparison.compare(folder)
        lost = comparison.lost(lost_of, folder) if lost_of else None
        return Leaks(comparison.facts(most), lost)


class _Comparison:
    """Two sides, and what they have in common."""

    games: GameLeaks
    positions: PositionLeaks

    def __init__(self, a: Side, b: Side, after: int, is_one_set: bool) -> None:
        self.a, self.b = a, b
        self.after = after
        self.is_one_set = is_one_set
        self.bands = Bands.around(after)
        self.games_a: SideGames = a.games()
        self.games_b: SideGames = self.games_a if is_one_set else b.games()
        self.trained: tuple[int, ...] = ()
        self.tested: tuple[int, ...] = ()

    def choose_splits(self, trained: Sequence[str], tested: Sequence[str]) -> None:
        usual = (_VALIDATION, _TEST) if self.is_one_set else (_TEST,)
        if len(self.b.splits) == 1 or not any(self.b.samples[split] for split in usual):
            usual = tuple(range(len(self.b.splits)))
        self.trained = _splits(self.a, trained, "--train", (0,))
        self.tested = _splits(self.b, tested, "--test", usual)

    def compare(self, folder: Path) -> None:
        self.games = common_games(self.games_a, self.games_b, self.is_one_set)
        self.positions = common_positions(
            self.a, self.b, self.bands, self.trained, folder, self.is_one_set
        )

    def counting(self) -> NDArray[np.int64]:
        """Return which pairs of games are of a trained and a tested split."""
        a, b = self.games.pairs[:, 0], self.games.pairs[:, 1]
        held = np.isin(self.games_a.split[a], self.trained)
        return np.flatnonzero(held & np.isin(self.games_b.split[b], self.tested))

    def late(
        self, side: Side, splits: tuple[int, ...], first: NDArray[np.uint16]
    ) -> NDArray[np.bool_]:
        """Return which rows of a side are of such splits, and late by ``first`` (rows,)."""
        parts = [np.isin(batch.split, splits) for batch in side.positions()]
        return np.concatenate([np.empty(0, np.bool_), *parts]) & (first > self.after)

    def lost(self, side: str, folder: Path) -> Lost:
        chosen = self.counting()
        pairs = self.games.pairs[chosen]
        own, other = (0, 1) if side == "A" else (1, 0)
        _, first = np.unique(pairs[:, own], return_index=True)
        places = _by_game(self.a if other == 0 else self.b, pairs[first, other])
        texts = [self.games.in_words(i) for i in chosen[first].tolist()]
        if side == "A":
            found = common_positions(
                self.b, self.a, self.bands, self.tested, folder, self.is_one_set
            )
            rows = self.late(self.a, self.trained, found.first_number)
        else:
            rows = self.late(self.b, self.tested, self.positions.first_number)
        same_as = [places[game] for game in pairs[first, other].tolist()]
        return Lost(pairs[first, own], same_as, texts, rows)

    # -- as plain values -------------------------------------------------------------------

    def facts(self, most: int) -> dict[str, Any]:
        rows = self.late(self.b, self.tested, self.positions.first_number)
        counting = self.counting()
        held = self.positions.rows[np.ix_(self.tested, self.trained)]
        after = self.bands.ends.index(self.after) + 1 if self.after else 0
        tested = self.positions.totals[list(self.tested)]
        late_rows = int(rows.sum())
        return {
            "a": self._side(self.a, self.games_a),
            "b": None if self.is_one_set else self._side(self.b, self.games_b),
            "after": self.after,
            "games": self._games(),
            "positions": self._positions(),
            "verdict": {
                "trained": [self.a.splits[split] for split in self.trained],
                "tested": [self.b.splits[split] for split in self.tested],
                "games": len(counting),
                "tested_games": int(np.isin(self.games_b.split, self.tested).sum()),
                "rows": int(held.max(axis=1, initial=0).sum()),
                "tested_rows": int(tested.sum()),
                "late_rows": late_rows,
                "tested_late_rows": int(tested[:, after:].sum()),
                "is_leak": len(counting) > 0 or late_rows > 0,
            },
            "listed_games": self._listed(counting[:most]),
            "games_by_late_rows": self._by_late_rows(rows, most),
        }

    def _side(self, side: Side, games: SideGames) -> dict[str, Any]:
        per_split = np.bincount(games.split, minlength=len(side.splits)).tolist()
        return {
            "path": side.path,
            "kind": side.kind,
            "games": dict(zip(side.splits, per_split, strict=True)),
            "samples": dict(zip(side.splits, side.samples, strict=True)),
            "knows_moves": games.knows_moves,
        }

    def _games(self) -> dict[str, Any]:
        pairs, like = self.games.pairs, self.games.likeness
        shape = len(self.b.splits), len(self.a.splits)
        by_split = np.zeros(shape, np.int64)
        of_b, of_a = self.games_b.split[pairs[:, 1]], self.games_a.split[pairs[:, 0]]
        np.add.at(by_split, (of_b, of_a), 1)
        return {
            "in_common": len(pairs),
            "same_moves": int(self.games.is_exact.sum()),
            "alike": int((~self.games.is_exact).sum()),
            "turned_or_mirrored": int((like.symmetry > 0).sum()),
            "colors_swapped": int(like.is_swapped.sum()),
            "too_short_to_tell": self.games.too_short,
            "by_split": self._matrix(by_split.tolist()),
        }

    def _positions(self) -> dict[str, Any]:
        names, found = self.bands.names(), self.positions
        rows = [
            [dict(zip(names, cell, strict=True)) for cell in line] for line in found.rows.tolist()
        ]
        totals = [dict(zip(names, line, strict=True)) for line in found.totals.tolist()]
        return {
            "distinct": dict(zip(names, found.distinct.tolist(), strict=True)),
            "rows": self._matrix(rows),
            "totals": dict(zip(self.b.splits, totals, strict=True)),
        }

    def _matrix(self, cells: list[list[Any]]) -> dict[str, dict[str, Any]]:
        """Return cells by split of B, then split of A; of one set without a split with itself."""
        return {
            own: {
                other: cell
                for other, cell in zip(self.a.splits, line, strict=True)
                if not (self.is_one_set and own == other)
            }
            for own, line in zip(self.b.splits, cells, strict=True)
        }

    def _listed(self, chosen: NDArray[np.int64]) -> list[dict[str, Any]]:
        pairs = self.games.pairs[chosen]
        known_a, known_b = _by_game(self.a, pairs[:, 0]), _by_game(self.b, pairs[:, 1])
        return [
            {
                "how": "same moves" if self.games.is_exact[i] else "alike",
                "text": self.games.in_words(i),
                "a": self._told(self.a, self.games_a, g, known_a),
                "b": self._told(self.b, self.games_b, h, known_b),
            }
            for i, (g, h) in zip(chosen.tolist(), pairs.tolist(), strict=True)
        ]

    def _told(
        self, side: Side, games: SideGames, game: int, places: dict[int, dict[str, Any]]
    ) -> dict[str, Any]:
        split = side.splits[int(games.split[game])]
        return places[game] | {"split": split, "moves": int(games.moves[game])}

    def _by_late_rows(self, rows: NDArray[np.bool_], most: int) -> list[dict[str, Any]]:
        """Return the games of B with the most late rows that A holds, the most first."""
        counts = np.zeros(len(self.games_b), np.int64)
        start = 0
        for batch in self.b.positions():
            held = rows[start : start + len(batch.game)]
            counts += np.bincount(batch.game[held], minlength=len(counts))
            start += len(batch.game)
        order = np.argsort(-counts, kind="stable")[:most]
        order = order[counts[order] > 0]
        places = _by_game(self.b, order)
        return [
            self._told(self.b, self.games_b, game, places) | {"late_rows": int(counts[game])}
            for game in order.tolist()
        ]


def _by_game(side: Side, games: NDArray[np.int64]) -> dict[int, dict[str, Any]]:
    wanted = np.unique(games)
    return dict(zip(wanted.tolist(), side.places(wanted), strict=True))


def _splits(
    side: Side, names: Sequence[str], option: str, usual: tuple[int, ...]
) -> tuple[int, ...]:
    if not names:
        return usual
    if list(names) == ["all"]:
        return tuple(range(len(side.splits)))
    unknown = [name for name in names if name not in side.splits]
    if unknown:
        raise BadInputError(
            f"{side.path} has no {unknown[0]!r}",
            where=option,
            hint=", ".join([*side.splits, "all"]),
        )
    return tuple(sorted({side.splits.index(name) for name in names}))

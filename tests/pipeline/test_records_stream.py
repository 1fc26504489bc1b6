"""The stream of training batches: every row once, in the same order however it is prepared."""

from __future__ import annotations

import hashlib
import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game

from mariago.board.geometry import symmetric_size
from mariago.board.points import Size
from mariago.errors import BadInputError, RecordsError
from mariago.features import Rows, apply_symmetry, apply_symmetry_to_policy, planes_of_rows
from mariago.records import BuildOptions, build_records, load_rows
from mariago.records.plane_store import PLANES_FOLDER, PlaneStore, make_plane_store
from mariago.records.stream import PlaneBatch, SampleStream
from mariago.sgf import write_game

SHAPES = [9, "7x5", 13, "5x7", 9]
WAYS = [True, False]


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stream")
    games = [random_game(seed, SHAPES[seed % len(SHAPES)], 90) for seed in range(25)]
    source = write_files(folder / "source", list(map(write_game, games)))
    options = BuildOptions(size="any", validation=0, test=0, shard_rows=400)
    build_records([source], origin="o", terms="t", out=folder / "set", options=options)
    make_plane_store(folder / "set")
    return folder / "set"


def keys(batches: list[PlaneBatch]) -> list[tuple[int, int]]:
    return [
        key
        for batch in batches
        for key in zip(batch.game.tolist(), batch.move_number.tolist(), strict=True)
    ]


def stream(folder: Path, way: bool, **options: object) -> SampleStream:
    return SampleStream(folder, **{"batch_rows": 64, "use_store": way, "pool_rows": 500, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("way", WAYS)
def test_rows_in_order_are_the_samples(data_set: Path, way: bool) -> None:
    batches = list(stream(data_set, way, is_mixed=False, symmetries=False))
    rows, targets = load_rows(data_set)
    planes, globals_in = planes_of_rows(rows, 13)
    assert np.array_equal(np.concatenate([batch.planes for batch in batches]), planes)
    assert np.array_equal(np.concatenate([batch.globals for batch in batches]), globals_in)
    for name in ("winner", "score", "weight", "tactical", "game", "move_number"):
        mine = np.concatenate([getattr(batch, name) for batch in batches])
        assert np.array_equal(mine, getattr(targets, name), equal_nan=name in ("winner", "score"))
    moves = np.concatenate([batch.move for batch in batches])
    y, x = np.divmod(targets.move.astype(int), rows.columns)
    is_pass = targets.move == rows.rows.astype(int) * rows.columns
    assert np.array_equal(moves, np.where(is_pass, 169, y * 13 + x))


@pytest.mark.parametrize("way", WAYS)
def test_every_row_comes_once_an_epoch_and_epochs_differ(data_set: Path, way: bool) -> None:
    whole = sorted(keys(list(stream(data_set, way, is_mixed=False))))
    mixed = stream(data_set, way, seed=4)
    epochs = [keys(list(mixed)) for _ in range(2)]
    assert mixed.state()["epoch"] == 2
    assert sorted(epochs[0]) == sorted(epochs[1]) == whole
    assert epochs[0] != epochs[1] != whole
    assert keys(list(stream(data_set, way, seed=4))) == epochs[0]
    assert keys(list(stream(data_set, way, seed=5))) != epochs[0]
    near = sum(abs(a[0] - b[0]) <= 1 for a, b in itertools.pairwise(epochs[0]))
    assert near < len(whole) / 2


@pytest.mark.parametrize("way", WAYS)
def test_turned_rows_are_the_samples_turned(data_set: Path, way: bool) -> None:
    rows, targets = load_rows(data_set)
    place = {
        key: i
        for i, key in enumerate(
            zip(targets.game.tolist(), targets.move_number.tolist(), strict=True)
        )
    }
    planes, _ = planes_of_rows(rows, 13)
    seen: set[int] = set()
    for batch in itertools.islice(stream(data_set, way), 4):
        for i, key in enumerate(keys([batch])):
            at = place[key]
            symmetry = turned_by(batch.planes[i], planes[at], rows, at)
            seen.add(symmetry)
            size = Size(int(rows.rows[at]), int(rows.columns[at]))
            policy = np.zeros(size.cells + 1)
            policy[targets.move[at]] = 1
            move = int(apply_symmetry_to_policy(symmetry, policy, size).argmax())
            y, x = divmod(move, symmetric_size(size, symmetry).columns)
            assert batch.move[i] == (169 if move == size.cells else y * 13 + x)
    assert len(seen) == 8


def turned_by(found: np.ndarray, plain: np.ndarray, rows: Rows, at: int) -> int:
    """Return the symmetry that takes ``plain`` to ``found``; a test fails where none does."""
    size = Size(int(rows.rows[at]), int(rows.columns[at]))
    fits = [k for k in range(8) if np.array_equal(apply_symmetry(k, plain, size), found)]
    assert fits
    return fits[-1]


def test_both_ways_bring_equal_planes(data_set: Path) -> None:
    made = {}
    for way in WAYS:
        for batch in stream(data_set, way, symmetries=False):
            for key, planes in zip(keys([batch]), batch.planes, strict=True):
                made[(way, *key)] = planes
    for (way, *key), planes in made.items():
        assert np.array_equal(planes, made[(not way, *key)])


@pytest.mark.parametrize("way", WAYS)
def test_threads_change_nothing(data_set: Path, way: bool) -> None:
    plain, threaded = (list(stream(data_set, way, threads=threads)) for threads in (0, 3))
    for mine, theirs in zip(plain, threaded, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


@pytest.mark.parametrize("way", WAYS)
def test_a_stream_goes_on_with_the_very_next_batch(data_set: Path, way: bool) -> None:
    whole = stream(data_set, way, seed=1)
    expected = [keys([batch]) for _ in range(2) for batch in whole]
    for stop in (1, 7, len(expected) // 2, len(expected) - 1):
        first = stream(data_set, way, seed=1)
        batches = itertools.chain(first, first)  # one epoch, then the next
        taken = [keys([batch]) for batch in itertools.islice(batches, stop)]
        second = stream(data_set, way, seed=1, threads=2)
        second.resume(first.state())
        while second.epoch < 2:
            taken += [keys([batch]) for batch in second]
        assert taken == expected
    with pytest.raises(BadInputError, match="another seed"):
        stream(data_set, way, seed=2).resume(first.state())


def test_ranks_share_an_epoch_out(data_set: Path) -> None:
    alone = [keys([batch]) for batch in stream(data_set, True)]
    parts = [
        [keys([batch]) for batch in stream(data_set, True, rank=rank, world=3)] for rank in range(3)
    ]
    assert {len(part) for part in parts} == {len(alone) // 3}
    dealt = [batch for group in zip(*parts, strict=True) for batch in group]
    assert dealt == alone[: len(dealt)]
    with pytest.raises(BadInputError, match="rank 3 of 3"):
        stream(data_set, True, rank=3, world=3)


@pytest.mark.parametrize("workers", [0, 2])
def test_torch_loads_the_same_batches_whoever_prepares_them(data_set: Path, workers: int) -> None:
    torch = pytest.importorskip("torch")
    from mariago.nets.loader import SampleLoader

    expected = list(stream(data_set, True, seed=3))
    loader = SampleLoader(stream(data_set, True, seed=3), workers=workers)
    assert len(loader) == len(expected)
    found = []
    for batch in loader:
        found.append(batch)
        if len(found) == 5:
            break
    again = SampleLoader(stream(data_set, True, seed=3), workers=workers)
    again.load_state_dict(loader.state_dict())
    found += list(again)
    assert again.state_dict()["epoch"] == 1
    for batch, theirs in zip(found, expected, strict=True):
        assert all(isinstance(value, torch.Tensor) for value in batch.values())
        assert batch["planes"].dtype == torch.uint8
        assert np.array_equal(batch["planes"].numpy(), theirs.planes)
        assert np.array_equal(batch["move"].numpy(), theirs.move)


def test_stored_planes_of_another_data_set_are_not_taken(data_set: Path, tmp_path: Path) -> None:
    source = write_files(
        tmp_path / "source", [write_game(random_game(1)), write_game(random_game(2))]
    )
    options = BuildOptions(size="9", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=tmp_path / "set", options=options)
    with pytest.raises(RecordsError, match="no planes are stored"):
        SampleStream(tmp_path / "set", use_store=True).pad  # noqa: B018 - it opens the store
    assert SampleStream(tmp_path / "set").pad == 9
    (tmp_path / "set" / PLANES_FOLDER).symlink_to(data_set / PLANES_FOLDER)
    with pytest.raises(RecordsError, match="another data set"):
        PlaneStore(tmp_path / "set")
    with pytest.raises(RecordsError, match="another data set"):
        SampleStream(tmp_path / "set").pad  # noqa: B018 - never old planes in silence


@pytest.mark.parametrize("what", ["a byte", "the end", "all"])
def test_damaged_planes_are_named_and_not_read(data_set: Path, tmp_path: Path, what: str) -> None:
    copied = tmp_path / "set"
    shutil.copytree(data_set, copied)
    store = PlaneStore(copied)
    shard = store.shards("train")[0]
    file = store.place / f"{Path(shard).stem}.planes.npy"
    held = bytearray(file.read_bytes())
    if what == "a byte":
        held[len(held) // 2] ^= 1
        file.write_bytes(held)
    elif what == "the end":
        file.write_bytes(held[:-1])
    else:
        file.unlink()
    with pytest.raises(RecordsError, match="cannot be read"):
        PlaneStore(copied).arrays(shard)
    with pytest.raises(RecordsError, match="cannot be read"):
        make_plane_store(copied)  # one that stands there is kept only while it is whole
    make_plane_store(copied, overwrite=True)
    assert bytes(PlaneStore(copied).arrays(shard)[0]) == bytes(
        PlaneStore(data_set).arrays(shard)[0]
    )


def test_planes_of_the_same_rows_never_change_without_a_new_version() -> None:
    """When this fails, planes have changed: raise ``plane_store.CODE_VERSION`` and note the hash.

    The hash is of the planes of random games as they were when the store was made; it has no other
    source.
    """
    from mariago.features import planes_of_positions

    positions = [
        position
        for seed in range(4)
        for rules in ("chinese", "japanese", "tromp_taylor")
        for position in random_game(seed, SHAPES[seed], 60, rules=rules).positions()
    ]
    planes, globals_in = planes_of_positions(positions, 13)
    digest = hashlib.sha256(planes.tobytes() + globals_in.tobytes()).hexdigest()[:16]
    assert digest == "10440cdd967ffc58"

"""``mariago records build --lessons``: the rows of lessons weigh more, and no others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.random_records import random_game

from mariago.board.geometry import move_table
from mariago.board.points import Size
from mariago.cli.main import call
from mariago.errors import BadInputError
from mariago.records import BuildOptions, Manifest, build_records, load_rows
from mariago.records.lesson_weights import read_lessons
from mariago.records.manifest import GAMES
from mariago.records.report import summary_lines
from mariago.records.schema import SPLITS
from mariago.rules import Game, Position
from mariago.sgf import write_game

SIZE = 9
PLAYED = 24
Line = tuple[str, int, int, float]
"""File, move number, move, weight."""


def opened(seed: int, moves: int = 50) -> Game:
    """Return a random game; those of equal ``seed % 4`` share their first twenty moves."""
    opening = [move for _, move in random_game(seed % 4, SIZE, 20).moves]
    return random_game(100 + seed, SIZE, moves, opening)


def turned(game: Game, symmetry: int) -> Game:
    """Return the game under a symmetry of the board."""
    table = move_table(Size(SIZE, SIZE), symmetry)
    copy = Game(Position.empty(SIZE, "chinese", 7.5))
    for _, move in game.moves:
        copy.play(int(table[move]))
    return copy


def name(number: int) -> str:
    return f"game-{number:05d}.sgf"


def written(folder: Path, games: Sequence[Game], lessons: Sequence[Line]) -> Path:
    """Write games and lessons as ``lessons games`` does; return the file of lessons."""
    folder.mkdir()
    for number, game in enumerate(games):
        (folder / name(number)).write_bytes(write_game(game))
    keys = ("file", "move_number", "move", "weight")
    lines = (json.dumps(dict(zip(keys, lesson, strict=True))) + "\n" for lesson in lessons)
    (folder / "lessons.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder / "lessons.jsonl"


def built(lessons: Path, out: Path, factor: float = 1.0, **options: Any) -> Manifest:
    values = {"size": str(SIZE), "validation": 0.2, "test": 0.2, "shard_rows": 200, **options}
    given = BuildOptions(**values, lessons=read_lessons(lessons, factor))
    return build_records([lessons.parent], origin="o", terms="t", out=out, options=given)


def weights(manifest: Manifest) -> dict[tuple[str, int, str], float]:
    """Return the weight of each row by file, move number and split."""
    games = pq.read_table(manifest.folder / GAMES, columns=["path"]).column("path").to_pylist()
    found: dict[tuple[str, int, str], float] = {}
    for split in SPLITS:
        if not manifest.samples(split):
            continue
        _, targets = load_rows(manifest.folder, split)
        columns = targets.game.tolist(), targets.move_number.tolist(), targets.weight.tolist()
        for game, number, weight in zip(*columns, strict=True):
            found[games[game], number, split] = weight
    return found


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [opened(seed) for seed in range(PLAYED)]


@pytest.fixture(scope="module")
def taught(games: list[Game]) -> list[Line]:
    rng = np.random.default_rng(7)
    return [
        (name(number), at, game.moves[at - 1][1], float(rng.choice([1, 2, 5])))
        for number, game in enumerate(games)
        for at in sorted(rng.choice(np.arange(21, 50), 4, replace=False).tolist())
    ]


@pytest.mark.parametrize(
    "options",
    [{}, {"max_per_game": 20}, {"max_per_position": 4, "pick": "random", "max_per_game": 30}],
    ids=str,
)
def test_the_row_of_a_lesson_weighs_and_no_other(
    games: list[Game], taught: list[Line], tmp_path: Path, options: dict[str, Any]
) -> None:
    manifest = built(written(tmp_path / "taught", games, taught), tmp_path / "set", 3, **options)
    found = weights(manifest)
    wanted = {(path, at): 3 * weight for path, at, _, weight in taught}
    here = {(path, at) for path, at, _ in found}
    assert found == {(p, at, split): wanted.get((p, at), 1.0) for p, at, split in found}
    there = len(wanted.keys() & here)
    assert manifest.counts["lessons"] == {"moves": 4 * PLAYED, "found": there, "rows": there}
    assert there > (80 if not options else 20)
    assert f"lessons: {there} of {4 * PLAYED} found" in "\n".join(summary_lines(manifest))


def test_a_row_that_stays_for_others_is_their_lesson(games: list[Game], tmp_path: Path) -> None:
    """Twenty moves are those of an earlier game; the last game is a turned copy of the first."""
    copy = turned(games[0], 5)
    lines = [
        (name(number), at, game.moves[at - 1][1], 4.0)
        for number, game in enumerate([*games, copy])
        for at in (7, 30)
    ]
    lessons = written(tmp_path / "taught", [*games, copy], lines)
    manifest = built(lessons, tmp_path / "set")
    counts = manifest.counts["lessons"]
    found = weights(manifest)
    assert manifest.counts["dropped"]["duplicate_game"] == 1
    heavy = {(path, at) for (path, at, _), weight in found.items() if weight == 4}
    assert set(found.values()) == {1.0, 4.0}
    assert all(at in (7, 30) for _, at in heavy)
    # Each split keeps each of the four openings once, with the lessons of all its games.
    assert len({path for path, at in heavy if at == 7}) == counts["rows"] - PLAYED
    assert counts == {"moves": 2 * PLAYED + 2, "found": 2 * PLAYED + 2, "rows": len(heavy)}
    alone = written(tmp_path / "copy", [games[0], copy], [(name(1), 30, copy.moves[29][1], 2.0)])
    one = weights(built(alone, tmp_path / "alone", validation=0.0, test=0.0))
    assert {key for key, weight in one.items() if weight == 2} == {(name(0), 30, "train")}


def test_lessons_join_the_other_weights(games: list[Game], tmp_path: Path) -> None:
    lines = [(name(2), 30, games[2].moves[29][1], 2.0)]
    lessons = written(tmp_path / "taught", games, lines)
    plain = weights(built(lessons, tmp_path / "plain", winners="weighted"))
    heavy = weights(built(lessons, tmp_path / "heavy", 3, winners="weighted"))
    assert {k: heavy[k] / plain[k] for k in plain if heavy[k] != plain[k]} == {
        next(k for k in plain if k[:2] == (name(2), 30)): 3
    }


def test_another_file_of_lessons_is_another_data_set(
    games: list[Game], taught: list[Line], tmp_path: Path
) -> None:
    lessons = written(tmp_path / "taught", games, taught)
    first = built(lessons, tmp_path / "set")
    assert first.options["lessons"]["moves"] == 4 * PLAYED
    lessons.write_text(lessons.read_text("utf-8").split("\n")[0], "utf-8")
    arguments = [str(lessons.parent), "--origin", "o", "--terms", "t", "--size", "9"]
    arguments += ["--validation", "0.2", "--test", "0.2", "--lessons", str(lessons)]
    assert call(["records", "build", *arguments, "--out", str(tmp_path / "set"), "--resume"]) == 2
    assert call(["records", "build", *arguments, "--out", str(tmp_path / "new")]) == 0


def line(**changes: object) -> str:
    values = {"file": name(0), "move_number": 3, "move": 0, "weight": 1.0}
    return json.dumps({**values, **changes})


FAULTS = {
    "another move": (line(move=79), "line 1: move 3 of game-00000.sgf is"),
    "too far": (line(move_number=900), "move 900 of game-00000.sgf, which has 70 moves"),
    "no such game": (line(file="x.sgf"), "its game x.sgf is not among the records"),
    "no weight": (line(weight=0), "line 1: is no lesson: weight"),
    "text": ("lessons", "line 1: is no lesson"),
    "two moves": (f"{line()}\n\n{line(move=1)}", "line 3: tells another move 3 of game-00000.sgf"),
    "nothing": ("\n", "holds no lesson"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_lessons_of_other_records_are_refused(
    fault: str, games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, said = FAULTS[fault]
    lessons = written(tmp_path / "taught", games[:1], [])
    lessons.write_text(text, "utf-8")
    arguments = [str(lessons.parent), "--origin", "o", "--terms", "t", "--size", "9"]
    out = ["--lessons", str(lessons), "--out", str(tmp_path / "set")]
    assert call(["records", "build", *arguments, *out]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert said in told[-2]
    assert told[-1].startswith("hint: ")
    assert not (tmp_path / "set").exists()


def test_a_factor_needs_lessons_and_a_place_to_be(tmp_path: Path) -> None:
    arguments = ["records", "build", str(tmp_path), "--origin", "o", "--terms", "t"]
    assert call([*arguments, "--lesson-factor", "2", "--out", str(tmp_path / "set")]) == 2
    with pytest.raises(BadInputError, match="cannot be read"):
        read_lessons(tmp_path / "none.jsonl")
    written(tmp_path / "taught", [], [(name(0), 1, 1, 1.0)])
    with pytest.raises(BadInputError, match="lies above 0"):
        read_lessons(tmp_path / "taught" / "lessons.jsonl", 0)

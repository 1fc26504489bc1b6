"""Looking at a data set: report, sheets by filter, one game or sample, pages of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game, random_records

from mariago.board.points import BLACK
from mariago.cli.main import call
from mariago.errors import RecordsError
from mariago.records import BuildOptions, Manifest, build_records, describe, read_table
from mariago.records.choosing import SampleFilter
from mariago.records.schema import SPLITS, unpack_board
from mariago.records.sheet import Question, draw_samples, write_sheet
from mariago.sgf import write_game

OPENING = [move for _, move in random_game(1).moves[:12]]
BROKEN = [b"(;SZ[9];B[ee];W[ee])", b"(;SZ[9];B[ee];W[", b"(;SZ[9]KM[750]HA[1];B[ee];W[cc])"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = random_records(range(1, 25))
    files += [write_game(random_game(100 + seed, moves=40, opening=OPENING)) for seed in range(6)]
    files += [*random_records([1], "5x3", 8), *BROKEN, files[0]]
    return write_files(tmp_path_factory.mktemp("looking") / "source", files)


@pytest.fixture(scope="module")
def data_set(source: Path) -> Manifest:
    options = BuildOptions(size="any", validation=0.2, test=0.1)
    out = source.parent / "set"
    return build_records([source], origin="made", terms="CC0-1.0", out=out, options=options)


def rows_of(manifest: Manifest) -> list[dict[str, Any]]:
    return [row for split in SPLITS for row in read_table(manifest.folder, split).to_pylist()]


# -- report ------------------------------------------------------------------------------------


def test_openings_are_those_of_the_games_though_their_rows_are_gone(data_set: Manifest) -> None:
    counts = np.zeros(81)
    games = 0
    for seed in [*range(1, 25), *range(100, 106)]:
        game = random_game(
            seed, moves=60 if seed < 100 else 40, opening=OPENING[: 12 * (seed > 99)]
        )
        moves = [move for _, move in game.moves[:10]]
        games += 1
        counts[[move for move in set(moves) if move < 81]] += 1
    held = describe(data_set.folder)["openings"]["maps"]["10"]
    # Of these the game with HA[1] has but two moves: no row comes after its tenth.
    assert held["games"] == games
    assert np.allclose(np.array(held["shares"]).ravel(), counts / games, atol=1e-5)


def test_flags_by_move_number_add_up(data_set: Manifest) -> None:
    facts = describe(data_set.folder)
    rows = rows_of(data_set)
    assert sum(facts["flags_by_move"]["samples"]) == len(rows)
    for name, n in facts["flagged"].items():
        assert sum(facts["flags_by_move"][name]) == n == sum(row[name] > 0 for row in rows)


def test_report_tells_losses_repairs_and_endings(data_set: Manifest) -> None:
    facts = describe(data_set.folder)
    (occupied,) = facts["losses"]["illegal_occupied"]["examples"]
    assert (occupied["path"], occupied["move_number"]) == ("00031.sgf", 2)
    (same,) = facts["losses"]["duplicate_game"]["examples"]
    assert same["same_as"]["path"] == "00000.sgf"
    assert facts["repairs"]["komi_hundredths"] == facts["repairs"]["handicap_one"] == 1
    assert facts["results_by_ending"]["white"]["resign"] > 0
    assert facts["ranks"]["2k"] == facts["ranks"]["3k"] == 31
    assert facts["komi"]["7.5"] == 32


def test_folded_openings_are_symmetric(data_set: Manifest) -> None:
    for held in describe(data_set.folder, fold=True)["openings"]["maps"].values():
        heat = np.array(held["shares"])
        assert np.allclose(heat, heat.T, atol=1e-4)


def test_report_shows_the_board_where_a_game_went_wrong(
    data_set: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "r.html")
    assert call(["records", "report", str(data_set.folder), "--out", out, "--lang", "ko"]) == 0
    assert "접바둑" in capsys.readouterr().out
    assert "정답 E5" in Path(out).read_text("utf-8")  # Black stands there already


# -- sheets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        ({"only": "captures"}, lambda row: row["captures"] > 0),
        ({"only": "tactical,in_atari"}, lambda row: row["in_atari"] > 0
         and any(row[n] for n in ("captures", "saves", "gives_atari", "self_atari"))),
        ({"only": "opening", "size": "9"}, lambda row: row["rows"] == 9
         and row["move_number"] <= 16),
        ({"moves": "50-55"}, lambda row: 50 <= row["move_number"] <= 55),
        ({"split": "test", "only": "gives_atari"}, lambda row: row["split"] == "test"
         and row["gives_atari"] > 0),
        ({"size": "5x3"}, lambda row: row["columns"] == 5),
        ({"game": "3"}, lambda row: row["game"] == 3),
        ({"player": "BLACK 1"}, lambda row: row["to_move"] == BLACK),
    ],
)  # fmt: skip
def test_a_sheet_holds_what_is_asked_for_and_counts_it(
    data_set: Manifest, wanted: dict[str, str], holds: Any
) -> None:
    asked = SampleFilter(**wanted)
    rows = [row for row in rows_of(data_set) if holds(row)]
    drawn = draw_samples(data_set, 10_000, 1, asked)
    places = {(row["game"], row["move_number"]) for row in drawn}
    assert len(places) == len(drawn)
    if "player" not in wanted:
        assert places == {(row["game"], row["move_number"]) for row in rows}
    assert all(holds(row) for row in drawn)
    few = draw_samples(data_set, 3, 1, asked)
    assert [r["move_number"] for r in few] == [r["move_number"] for r in
                                              draw_samples(data_set, 3, 1, asked)]  # fmt: skip


def test_endgames_are_the_last_quarter_of_long_games(data_set: Manifest) -> None:
    lengths = pq.read_table(data_set.folder / "games.parquet").column("moves").to_pylist()
    drawn = draw_samples(data_set, 10_000, 1, SampleFilter("endgame"))
    assert drawn
    for row in drawn:
        assert row["move_number"] > 0.75 * lengths[row["game"]]
        assert lengths[row["game"]] > 0.5 * row["rows"] * row["columns"]


def test_nothing_that_is_as_wanted_is_an_error(data_set: Manifest) -> None:
    with pytest.raises(RecordsError, match="no sample is as wanted"):
        draw_samples(data_set, 3, 1, SampleFilter(player="nobody"))


def likes_low_points(rows: Any, legal: np.ndarray) -> np.ndarray:
    """A net that likes a legal point the less the later it comes."""
    weights = legal / np.arange(1, legal.shape[1] + 1) ** 2
    return weights / weights.sum(axis=1, keepdims=True)


def test_the_worst_samples_are_those_with_the_least_probability(
    data_set: Manifest, tmp_path: Path
) -> None:
    rows = [row for row in rows_of(data_set) if row["rows"] == 9]
    losses: list[float] = []
    for row in rows:
        legal = np.append(unpack_board(row["board"], 81) == 0, True)
        if row["ko"] >= 0:
            legal[row["ko"]] = False
        losses.append(-np.log(likes_low_points(None, legal[None])[0, row["move"]]))
    question = Question(likes_low_points, "a net", 100_000)
    wanted = SampleFilter(size="9")
    sheet = write_sheet(data_set.folder, 5, 1, tmp_path, wanted=wanted, question=question)
    assert np.allclose([judged.loss for judged in sheet.judged], sorted(losses)[:-6:-1])
    assert sheet.matching == len(rows)
    text = sheet.html.read_text("utf-8")
    assert "gets most wrong" in text
    assert f"loss {sheet.judged[0].loss:.2f}" in text
    for sample, judged in zip(sheet.samples, sheet.judged, strict=True):
        assert [p for _, p in judged.choices] == sorted((p for _, p in judged.choices))[::-1]
        assert all(m == 81 or sample["stones"].flat[m] == 0 for m, _ in judged.choices)


def test_worst_needs_a_net(data_set: Manifest, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["records", "sheet", str(data_set.folder), "--worst", "3"]) == 2
    assert "--worst and --net go together" in capsys.readouterr().err

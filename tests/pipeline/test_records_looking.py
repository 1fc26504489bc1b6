"""Looking at a data set: report, sheets by filter, one game or sample, pages of games."""

from __future__ import annotations

import json
import re
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
from mariago.records.browse import write_browser
from mariago.records.choosing import SampleFilter
from mariago.records.report_words import REASONS_IN_WORDS, width_of
from mariago.records.row_facts import FLAGS
from mariago.records.schema import SPLITS, unpack_board
from mariago.records.sheet import Question, draw_samples, write_sheet
from mariago.records.show import find_shown
from mariago.sgf import write_game
from mariago.words import texts

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


# -- what a header says, and what it does not ---------------------------------------------------


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    """Games on boards of five sizes, of three servers, with damaged names, without komi."""
    files: list[bytes] = []
    for seed, board in enumerate(("19", "9", "13", "11", "7", "9")):
        record = write_game(random_game(40 + seed, board, 40))
        place = (b"PC[OGS]", b"PC[OGS]", b"PC[KGS]", b"PC[Tygem]", b"PC[OGS]", b"PC[KGS]")[seed]
        files.append(record.replace(b"(;", b"(;" + place, 1))
    files.append(write_game(random_game(46, "9", 80)))
    name = b"CA[UTF-8]PB[\xe7\x8e\x8b\xe5\x85\x83\xe5\x3f\x87]"  # its last character is not whole
    files[1] = re.sub(rb"PB\[[^]]*\]", name, files[1])
    files[2] = re.sub(rb"KM\[[^]]*\]", b"", files[2])
    room = tmp_path_factory.mktemp("odd")
    source = write_files(room / "source", files)
    options = BuildOptions(size="any", validation=0, test=0)
    return build_records([source], origin="o", terms="t", out=room / "set", options=options)


def test_boards_of_a_report_stand_in_order_of_size(odd: Manifest) -> None:
    assert list(describe(odd.folder)["sizes"].items()) == [
        ("7x7", 1), ("9x9", 3), ("11x11", 1), ("13x13", 1), ("19x19", 1),
    ]  # fmt: skip


def test_servers_are_listed_by_their_games_and_not_as_a_range(
    odd: Manifest, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["records", "report", str(odd.folder), "--out", str(odd.folder / "r.html")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^servers +ogs 3, kgs 2, tygem 1$", out, re.M)


def test_damaged_names_are_counted_and_told(
    odd: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert describe(odd.folder)["damaged_texts"] == 1
    page = tmp_path / "r.html"
    assert call(["records", "report", str(odd.folder), "--out", str(page)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^games with damaged characters in a text +1$", out, re.M)
    assert "texts hold damaged characters (\ufffd): 1." in page.read_text("utf-8")
    browsed = write_browser(odd.folder, tmp_path / "b.html").page.read_text("utf-8")
    assert "texts hold damaged characters (\ufffd): 1." in browsed
    assert browsed.count('"damaged characters (\ufffd)"') == 1  # beside the game itself


def test_a_set_without_damage_says_nothing_of_it(
    data_set: Manifest, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["records", "report", str(data_set.folder)]) == 0
    assert "damaged" not in capsys.readouterr().out
    assert "damaged characters" not in (data_set.folder / "report.html").read_text("utf-8")


def test_an_unknown_komi_is_said_to_be_unknown(
    odd: Manifest, capsys: pytest.CaptureFixture[str]
) -> None:
    for game, words in (("2", "unknown"), ("3", "7.5")):
        assert call(["records", "show", str(odd.folder), game]) == 0
        assert re.search(rf"^Komi +{words}$", capsys.readouterr().out, re.M)


def test_show_tells_how_many_stones_a_flag_is_of(
    data_set: Manifest, capsys: pytest.CaptureFixture[str]
) -> None:
    row = max(rows_of(data_set), key=lambda row: (row["captures"] > 0, row["captures"]))
    name = f"{row['game']}:{row['move_number']}"
    assert call(["records", "show", str(data_set.folder), name]) == 0
    assert re.search(rf"^Flags +takes {row['captures']}\b", capsys.readouterr().out, re.M)
    assert call(["records", "show", str(data_set.folder), name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["flag_counts"] == {flag: row[flag] for flag in FLAGS}


def test_the_viewer_of_a_sample_opens_at_its_move(data_set: Manifest, tmp_path: Path) -> None:
    for name, at in (("3:20", 20), ("3", 0)):
        page = find_shown(data_set.folder, name).write_page(tmp_path / "s.html").read_text("utf-8")
        assert f'"at":{at}}}' in page


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_source_and_origin_are_two_words(lang: str) -> None:
    _ = texts(lang)
    assert len({_("Source"), _("Origin"), _("Terms"), _("Server"), _("File")}) == 5


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_charts_of_shares_say_where_they_end(odd: Manifest, tmp_path: Path, lang: str) -> None:
    facts = describe(odd.folder)["flags_by_move"]
    least = max(facts["samples"]) // 4
    shown = [at for at, n in zip(facts["from"], facts["samples"], strict=True) if n >= least]
    assert len(shown) < len(facts["from"])
    assert call(["records", "report", str(odd.folder), "--out", str(tmp_path / "r.html"),
                 "--lang", lang]) == 0  # fmt: skip
    page = (tmp_path / "r.html").read_text("utf-8")
    words = texts(lang)(
        "Up to move {move}; of ten moves after it there are fewer than {n} samples.",
        move=shown[-1] + 9,
        n=least,
    )
    assert page.count(words) == 2


def test_the_words_for_ko_fit_a_ko_that_is_filled_too() -> None:
    assert REASONS_IN_WORDS["illegal_ko"] == "a move at a point that ko forbids"


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_the_values_that_show_prints_stand_in_one_column(data_set: Manifest, lang: str) -> None:
    shown = find_shown(data_set.folder, "3:20")
    facts, lines = shown.facts(texts(lang)), shown.lines(lang)
    starts = {width_of(line) - width_of(value) for line, (_, value) in
              zip(lines[-len(facts):], facts, strict=True)}  # fmt: skip
    assert len(starts) == 1

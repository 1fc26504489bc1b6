"""``mariago rate`` from data sets, with engines and nets, to its files and its page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.pipeline.page_texts import left_in_english
from tests.reference.random_records import random_records
from tests.reference.rated_positions import prepare, small_set

from mariago.arena.rating import figure_players, rate_players, write_page_of
from mariago.arena.rating.log import FILE_NAME, AnswerLog
from mariago.arena.rating.sampling import positions_of_data
from mariago.arena.rating.seen import seen_by
from mariago.cli.main import call
from mariago.errors import BadInputError, RecordsError
from mariago.records.build import build_records
from mariago.records.options import BuildOptions
from mariago.reports import provenance

FAKE = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve random games, some 5x5 and some 7x7 with half of them for test."""
    place = tmp_path_factory.mktemp("data")
    source = place / "games"
    source.mkdir()
    for i, record in enumerate(random_records(range(12), 5, 20) + random_records(range(12), "7x6")):
        (source / f"{i}.sgf").write_bytes(record)
    options = BuildOptions(size="any", test=0.5, validation=0.0)
    build_records([source], origin="made", terms="CC0", out=place / "set", options=options)
    return place / "set"


def test_positions_of_a_data_set_are_the_samples_of_its_test_split(data: Path) -> None:
    from mariago.records.load import read_table
    from mariago.records.schema import unpack_board

    columns = ["game_id", "move_number", "board", "to_move", "ko", "move"]
    rows = {
        f"{row['game_id']}:{row['move_number']}": row
        for row in read_table(data, "test", columns=columns).to_pylist()
    }
    drawn = positions_of_data(data, 30, 4, seed=2)
    assert len(drawn) == 30
    assert drawn.sha256 == positions_of_data(data, 30, 4, seed=2).sha256
    assert drawn.sha256 != positions_of_data(data, 30, 4, seed=3).sha256
    assert max(sum(spot.game == g for spot in drawn.spots) for g in range(len(drawn.games))) <= 4
    assert {str(drawn.game_of(n).size) for n in range(30)} == {"5x5", "7x6"}
    for n in range(30):
        row, position = rows[drawn.key(n)], drawn.position(n)
        board = unpack_board(row["board"], position.size.cells)
        assert position.stones.ravel().tolist() == board.tolist()
        assert position.to_move == row["to_move"]
        assert (-1 if position.ko is None else position.ko) == row["ko"]
        assert drawn.move_of_record(n) == row["move"]
        assert drawn.rank_of_mover(n) in ("3k", "2k")


def test_the_command_leaves_its_files_and_goes_on(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["rate", "random", "--set", str(data), "--positions", "12", "--out", str(out)]
    assert call([*command, "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "12 positions of" in told
    assert "move of the record" in told
    assert "teacher: none" in told
    assert call([*command, "--jobs", "1"]) == 2
    assert "--resume" in capsys.readouterr().err
    further = ["rate", "random", "heuristic:v1", *command[2:], "--resume", "--jobs", "1", "--json"]
    assert call(further) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["players"]] == ["random", "heuristic:v1"]
    assert found["positions"]["count"] == 12
    files = {"report.html", "rating.json", "figures.csv", "answers.csv", "answers.jsonl"}
    assert {path.name for path in out.iterdir()} == files


def test_two_runs_do_not_ask_into_one_folder(tmp_path: Path) -> None:
    positions = small_set(2)
    log = AnswerLog.begin(tmp_path, positions, 0)
    with pytest.raises(BadInputError, match="another run is asking"):
        rate_players(["random"], positions, tmp_path, resume=True)
    assert len((tmp_path / FILE_NAME).read_text("utf-8").splitlines()) == 1
    log.close()
    rating = rate_players(["random"], positions, tmp_path, resume=True)
    again = rate_players(["random"], positions, tmp_path, resume=True)
    assert again.players[0].answers == rating.players[0].answers


def test_a_resumed_rating_says_in_words_what_differs(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["rate", "random", "--set", str(data), "--out", str(tmp_path / "o"), "--jobs", "1"]
    assert call([*command, "--positions", "8"]) == 0
    capsys.readouterr()
    assert call([*command, "--positions", "7", "--resume"]) == 2
    told = capsys.readouterr().err
    assert "8 positions then, 7 now" in told
    assert "--per-game" in told
    assert call([*command, "--positions", "8", "--seed", "1", "--resume"]) == 2
    told = capsys.readouterr().err
    assert "other positions; seed: 0 then, 1 now" in " ".join(told.split())


def test_folders_of_other_things_and_slips_in_names_are_refused_first(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mariago.cli import rate

    def never(*_: object) -> None:
        raise AssertionError("the positions were read")

    monkeypatch.setattr(rate, "_chosen", never)
    before = {path.name for path in data.iterdir()}
    assert call(["rate", "random", "--out", str(data)]) == 2
    assert "holds other things than a rating" in capsys.readouterr().err
    assert {path.name for path in data.iterdir()} == before
    assert call(["rate", "random", "nobody:x:y", "--out", str(tmp_path / "new")]) == 2
    assert "nobody" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("given", [["--set", "nowhere"], ["--set", "."], ["--positions", "0"]])
def test_sets_that_are_none_are_refused(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(["rate", "random", *given]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_data_set_without_a_test_split_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(random_records([1], 5, 10)[0])
    options = BuildOptions(size="any", test=0.0, validation=0.0)
    out = tmp_path / "set"
    build_records([tmp_path / "game.sgf"], origin="o", terms="t", out=out, options=options)
    with pytest.raises(RecordsError, match="no samples for test"):
        positions_of_data(out, 10, 4, seed=0)


def test_an_engine_that_ends_is_started_again_for_the_next_position(tmp_path: Path) -> None:
    engine = f'gtp:"{sys.executable} {FAKE} crash",timeout_s=20'
    rating = rate_players([engine], small_set(2), tmp_path)
    answers = rating.players[0].answers
    assert [answer.outcome for answer in answers] == ["fault"] * 4
    assert all("segmentation fault" in answer.detail for answer in answers)
    assert answers[0].cpu_s is None


def test_an_engine_is_set_up_for_every_position(tmp_path: Path) -> None:
    engine = f'gtp:"{sys.executable} {FAKE} none B3,A2,B3,B2"'
    rating = rate_players([engine], small_set(2), tmp_path)
    assert [answer.outcome for answer in rating.players[0].answers] == [*["move"] * 3, "illegal"]
    assert rating.players[0].columns.record.tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_page_is_whole_in_every_language(tmp_path: Path, lang: str) -> None:
    prepare()
    players = ["told", "told,does=pass", "told,does=illegal"]
    rating = rate_players(players, small_set(12), tmp_path)
    figures, origin = figure_players(rating), provenance("mariago rate", 0)
    english = write_page_of(rating, figures, origin).read_text("utf-8")
    other = write_page_of(rating, figures, origin, lang).read_text("utf-8")
    assert "B2: occupied" in english
    assert "Where answers cost most" in english
    left = left_in_english(english, other)
    known = {value for _, value in origin.lines()} | {"by hand", "made by hand"}
    known |= {f"SHA-256 {rating.positions.sha256}"}
    assert not {text for text in left - known if " " in text and "told" not in text}


def _net(data: dict[str, str], imported: dict[str, str] | None = None, sha256: str = "w") -> object:
    info = SimpleNamespace(training={"data": data} if data else {}, imported=imported or {})
    net = SimpleNamespace(info=info, describe=lambda: {"sha256": sha256})
    return SimpleNamespace(net=net)


def test_a_net_that_may_have_seen_the_positions_is_named() -> None:
    from dataclasses import replace

    positions = replace(small_set(1), data_sha256="d")
    teacher = {"name": "t", "sha256": "t"}
    origin = {"origin": "else; made by hand"}
    assert seen_by(_net({**origin, "sha256": "d"}), positions, teacher) == "held_out"
    assert seen_by(_net({**origin, "sha256": "other"}), positions, teacher) == "maybe"
    assert seen_by(_net({"origin": "elsewhere", "sha256": "x"}), positions, teacher) == ""
    assert seen_by(_net({}, {"file_sha256": "t"}), positions, teacher) == "teacher"
    assert seen_by(_net({}, sha256="t"), positions, teacher) == "teacher"
    assert seen_by(SimpleNamespace(), positions, teacher) == ""

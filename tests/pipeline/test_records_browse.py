"""Games of a data set: named, shown, and browsed as pages."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.pipeline.page_texts import left_in_english
from tests.reference.compare_samples import write_files
from tests.reference.random_records import random_game, random_records

from mariago.board.points import Size
from mariago.cli.main import call
from mariago.errors import BadInputError, RecordsError
from mariago.records import BuildOptions, Manifest, build_records, read_table
from mariago.records import browse as browsing
from mariago.records.browse import GameChoice, write_browser
from mariago.records.game_names import find_game
from mariago.records.game_view import view_games
from mariago.records.hashing import position_hash
from mariago.records.kin import board_before
from mariago.records.schema import SPLITS, unpack_board
from mariago.records.show import find_shown
from mariago.sgf import write_game

OPENING = [move for _, move in random_game(1).moves[:12]]


def built(folder: Path, max_per_game: int = 0) -> Manifest:
    files = random_records(range(1, 15))
    files += [write_game(random_game(100 + seed, moves=40, opening=OPENING)) for seed in range(6)]
    files += [*random_records([1], "5x3", 8), files[0]]
    source = write_files(folder / "source", files)
    options = BuildOptions(size="any", validation=0.2, test=0.1, max_per_game=max_per_game)
    out = folder / "set"
    return build_records([source], origin="made", terms="CC0-1.0", out=out, options=options)


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    return built(tmp_path_factory.mktemp("browse"))


def listed(html: Path) -> list[list]:
    text = html.read_text("utf-8")
    (held,) = re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    return json.loads(held)["games"]


@pytest.mark.parametrize("name", ["9" * 5000, "1:" + "9" * 5000, ":5", "", " : "])
def test_names_that_cannot_be_any_games_are_one_line(data_set: Manifest, name: str) -> None:
    with pytest.raises(BadInputError, match=r"names no game|no game is named"):
        find_game(data_set, name)


def test_games_are_named_by_number_id_or_file(data_set: Manifest) -> None:
    ids = pq.read_table(data_set.folder / "games.parquet").column("game_id").to_pylist()
    assert find_game(data_set, "3") == (3, None)
    assert find_game(data_set, f"{ids[5]}:17") == (5, 17)
    letters = next(i for i, text in enumerate(ids) if re.search("[a-f]", text[:8]))
    assert find_game(data_set, ids[letters][:8].upper()) == (letters, None)
    assert find_game(data_set, "00002.sgf:4") == (2, 4)
    with pytest.raises(BadInputError, match="no game is named 'nothing'"):
        find_game(data_set, "nothing")
    with pytest.raises(BadInputError, match="games are named"):
        find_game(data_set, ".sgf")


def test_the_board_of_every_sample_is_that_of_its_record(data_set: Manifest) -> None:
    rows = [row for s in SPLITS for row in read_table(data_set.folder, s).to_pylist()]
    views = view_games(data_set, range(sum(data_set.counts["games"].values())))
    for row in rows:
        view = views[row["game"]]
        before = board_before(view, row["move_number"])
        size = Size(row["rows"], row["columns"])
        assert (before.stones == unpack_board(row["board"], size.cells).reshape(size)).all()
        assert (before.ko, before.to_move, before.last) == (
            row["ko"], row["to_move"], row["last_moves"][0] if row["move_number"] > 1 else -1
        )  # fmt: skip
        assert before.hash == row["position_hash"]
        assert view.steps[row["move_number"]].move == row["move"]


def test_a_repeated_position_names_the_sample_that_stands_for_it(data_set: Manifest) -> None:
    names = pq.read_table(data_set.folder / "games.parquet").to_pylist()
    game = next(g for g in names if g["path"] == "00016.sgf")  # begins like others
    told = find_shown(data_set.folder, f"{game['game']}:8").as_dict()
    assert not told["is_sample"]
    same = [row for row in told["same_position"] if row["split"] == game["split"]]
    assert [row["move_number"] for row in same] == [8]


def test_show_prints_board_answer_and_papers(
    data_set: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "game.html"
    order = ["records", "show", str(data_set.folder), "00000.sgf:20"]
    assert call([*order, "--html", str(page)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"\[[XO]\]", out)
    assert re.search(r"^Origin +made$", out, re.M)
    assert "00021.sgf (60 of 60 stones)" in out  # the same game once more
    assert "<svg" in page.read_text("utf-8")
    assert call([*order, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["move_number"] == 20
    assert told["repeated_by"][0]["path"] == "00021.sgf"
    assert len(told["board"]) == 10
    assert int(told["position_hash"], 16) > 0


def test_show_without_a_folder_looks_into_the_current_one(
    data_set: Manifest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(data_set.folder)
    assert call(["records", "show", "0"]) == 0
    assert "Samples" in capsys.readouterr().out
    assert call(["records", "show", "0:9999"]) == 2
    assert "has no move 9999" in capsys.readouterr().err


def test_without_its_records_a_set_still_shows_its_samples(tmp_path: Path) -> None:
    manifest = built(tmp_path, max_per_game=7)
    shutil.rmtree(tmp_path / "source")
    (view,) = view_games(manifest, [2])
    assert view.record is None
    assert len(view.steps) == 1 + manifest_rows(manifest, 2)
    row = read_first(manifest, 2)
    before = board_before(view, 1)
    assert (before.stones.ravel() == unpack_board(row["board"], 81)).all()
    assert position_hash(before.stones, row["to_move"], None) > 0
    made = write_browser(manifest.folder, tmp_path / "b.html")
    assert made.without_record == made.games == 21
    assert "could not be read again" in made.page.read_text("utf-8")


def manifest_rows(manifest: Manifest, game: int) -> int:
    return pq.read_table(manifest.folder / "games.parquet").column("samples")[game].as_py()


def read_first(manifest: Manifest, game: int) -> dict:
    rows = [row for s in SPLITS for row in read_table(manifest.folder, s).to_pylist()]
    return min((row for row in rows if row["game"] == game), key=lambda row: row["move_number"])


def test_a_record_that_has_changed_is_not_taken_for_the_game(tmp_path: Path) -> None:
    manifest = built(tmp_path)
    (tmp_path / "source" / "00000.sgf").write_bytes(b"(;SZ[9];B[ee])")
    (view,) = view_games(manifest, [0])
    assert view.record is None
    assert view.why_no_record == "its file is gone or has changed"


def test_one_page_holds_all_games_with_their_moves(data_set: Manifest, tmp_path: Path) -> None:
    made = write_browser(data_set.folder, tmp_path / "games.html", command="c")
    games = listed(made.page)
    assert (made.games, made.without_record) == (len(games), 0)
    entries = pq.read_table(data_set.folder / "games.parquet").to_pylist()
    for entry, (key, values, _details, played, _link) in zip(entries, games, strict=True):
        assert key == entry["game"]
        assert len(played["m"]) == 2 * entry["moves"] == 2 * len(played["f"])
        assert sum(mark != "." for mark in played["f"]) == entry["samples"]
        assert values[2] == entry["black"]


def test_a_folder_holds_parts_and_a_list_that_leads_to_them(
    data_set: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "ONE_FILE", 8)
    made = write_browser(data_set.folder, tmp_path / "pages")
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == [
        *(f"games-000{part}.html" for part in (1, 2, 3)), "index.html",
    ]  # fmt: skip
    links = [game[4] for game in listed(made.page)]
    assert links[0] == "games-0001.html#0"
    assert links[20] == "games-0003.html#20"
    assert len(listed(tmp_path / "pages" / "games-0003.html")) == 5


def test_too_many_games_for_a_page_are_drawn_or_refused(
    data_set: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "ONE_FILE", 8)
    monkeypatch.setattr(browsing, "ONE_FILE_MOST", 10)
    made = write_browser(data_set.folder, tmp_path / "a.html", seed=3)
    assert (made.games, made.matching) == (8, 21)
    again = write_browser(data_set.folder, tmp_path / "b.html", seed=3)
    assert [game[0] for game in listed(made.page)] == [game[0] for game in listed(again.page)]
    with pytest.raises(RecordsError, match="12 games are too many for a page"):
        write_browser(data_set.folder, tmp_path / "c.html", GameChoice(games=12))
    one = write_browser(data_set.folder, tmp_path / "d.html", GameChoice(player="BLACK 105"))
    assert one.games == 1
    with pytest.raises(RecordsError, match="no game is as wanted"):
        write_browser(data_set.folder, tmp_path / "e.html", GameChoice(size="13"))


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_browser_is_wholly_in_its_language(
    data_set: Manifest, tmp_path: Path, lang: str
) -> None:
    texts = [
        write_browser(data_set.folder, tmp_path / f"{shown}.html", lang=shown, command="c")
        .page.read_text("utf-8")
        for shown in ("en", lang)
    ]  # fmt: skip
    told = re.compile(r"\.sgf|black|white|\d")  # files, players, dates, versions
    left = {text for text in left_in_english(*texts) if not told.search(text)}
    assert left <= {"train", "validation", "test", "source"}


def test_browse_and_its_outcome_from_the_command_line(
    data_set: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games.html"
    order = ["records", "browse", str(data_set.folder), "--out", str(out), "--split", "test"]
    assert call([*order, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == told["matching"] == data_set.counts["games"]["test"] > 0

"""Labels by a teacher: what they say, and that a run that ends early goes on to the same files."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.random_nets import random_weights
from tests.reference.random_records import random_game, random_records

from mariago.board.points import BLACK, WHITE
from mariago.cli.main import call
from mariago.errors import RecordsError
from mariago.features import rows_of_positions
from mariago.nets import NetConfig, NetInfo, load_net, write_net
from mariago.players import Limits, make_player
from mariago.players.search_player import SearchPlayer
from mariago.records import BuildOptions, build_records, read_labels, read_manifest, read_table
from mariago.records.labels import Labels, teachers_of
from mariago.records.pool import Workers
from mariago.rules import RULE_SETS, Position
from mariago.sgf import write_game
from mariago.teaching import LabelSettings, label_data_set, labelling, net_teacher
from mariago.teaching.teachers import LEAST_SHARE
from mariago.teaching.work import WorkFolder

TRAIN = "train-00000.parquet"
TINY = NetConfig(
    blocks=("ordinary", "gpool"),
    channels=8,
    mid_channels=8,
    regular_channels=4,
    gpool_channels=4,
    policy_channels=4,
    value_channels=4,
    value_hidden=8,
)
SHARE_ERROR = 1e-3  # what rounding shares, and leaving the least of them out, may change


@pytest.fixture(scope="module")
def games() -> list[Any]:
    """Games on boards of five sizes, one of them under rules that allow suicide."""
    some = [random_game(seed, 9, 50) for seed in range(3)]
    some += [random_game(4, "7x5", 30), random_game(5, "5x7", 30), random_game(6, 6, 40)]
    return [*some, random_game(7, 8, 30, rules="new_zealand")]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, games: list[Any]) -> Path:
    """A folder with a data set of the games and a tiny net."""
    place = tmp_path_factory.mktemp("teaching")
    source = write_files(place / "source", [write_game(game) for game in games])
    options = BuildOptions(size="any", validation=0, test=0)
    build_records([source], origin="o", terms="t", out=place / "set", options=options)
    write_net(place / "net", NetInfo(config=TINY), random_weights(TINY), card="# A net\n")
    return place


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_teacher, "ROWS_AT_ONCE", 16)


def copied(whole: Path, place: Path) -> Path:
    """Return a data set of its own for a test that writes labels."""
    import shutil

    return Path(shutil.copytree(whole / "set", place / "set"))


def label(folder: Path, whole: Path, jobs: int = 1, **others: Any) -> Any:
    given = {name: others.pop(name) for name in ("resume", "overwrite", "tell") if name in others}
    settings = LabelSettings(**{"teacher": f"net:{whole / 'net'}", **others})
    return label_data_set(folder, settings, jobs=jobs, **given)


def digest(folder: Path, name: str) -> str:
    return hashlib.sha256((folder / f"labels-{name}-{TRAIN}").read_bytes()).hexdigest()


def live_positions(folder: Path, games: list[Any]) -> list[Position]:
    """Return the position before the move of each row, from the games themselves."""
    table = read_table(folder, "train", ["game", "move_number", "to_move"]).to_pylist()
    paths = {g["game"]: int(Path(g["path"]).stem) for g in _games_table(folder)}
    lines = [list(game.positions()) for game in games]
    found = [lines[paths[row["game"]]][row["move_number"] - 1] for row in table]
    assert [position.to_move for position in found] == [row["to_move"] for row in table]
    return found


def _games_table(folder: Path) -> list[dict[str, Any]]:
    from mariago.records.stored import read_games

    return read_games(read_manifest(folder), ["game", "path"]).to_pylist()


def by_row(labels: Labels, positions: list[Position]) -> list[tuple[Any, Any]]:
    """Return policy and ownership of each row; every row has a label."""
    assert labels.rows.tolist() == list(range(len(positions)))
    assert labels.policy is not None
    assert labels.ownership is not None
    cells = np.array([position.size.cells for position in positions])
    policies = np.split(labels.policy, np.cumsum(cells + 1)[:-1])
    return list(zip(policies, np.split(labels.ownership, np.cumsum(cells)[:-1]), strict=True))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_legal_moves_of_rows_are_those_of_the_live_position(rules: str) -> None:
    games = [random_game(seed, "5x4", 70, rules=rules) for seed in range(8)]
    positions = [position for game in games for position in game.positions()]
    live = np.stack([position.legal_mask() for position in positions])
    assert np.array_equal(net_teacher.legal_moves(rows_of_positions(positions)), live)
    assert any(position.ko is not None or position.superko_banned() for position in positions)


def test_labels_of_all_sizes_and_sides_are_what_the_net_says_live(
    whole: Path, games: list[Any], tmp_path: Path
) -> None:
    folder = copied(whole, tmp_path)
    done = label(folder, whole, name="t")
    positions = live_positions(folder, games)
    labels = read_labels(folder, TRAIN, "t")
    said = load_net(whole / "net").evaluate_positions(positions)
    assert {p.to_move for p in positions} == {BLACK, WHITE}
    assert len({p.size for p in positions}) == 5
    assert labels.value is not None
    assert labels.lead is not None
    np.testing.assert_allclose(labels.value, [s.value for s in said], atol=1e-5)
    np.testing.assert_allclose(labels.lead, [s.score for s in said], rtol=1e-4, atol=1e-3)
    for (policy, ownership), live, position in zip(
        by_row(labels, positions), said, positions, strict=True
    ):
        np.testing.assert_allclose(ownership, live.ownership.ravel(), atol=0.5 / 127 + 1e-5)
        if position.superko_banned():  # a stored row does not tell these
            continue
        np.testing.assert_allclose(policy, live.policy, atol=SHARE_ERROR)
        assert not policy[~position.legal_mask()].any()
        assert not ((policy > 0) & (policy < LEAST_SHARE / 2)).any()
    assert (labels.visits == 0).all()
    assert done.rows == done.made == len(positions)


@pytest.mark.parametrize(("symmetries", "turns"), [(2, (0, 3)), (8, range(8))])
def test_a_mean_over_symmetries_is_that_of_the_turned_positions(
    whole: Path, games: list[Any], tmp_path: Path, symmetries: int, turns: Any
) -> None:
    from mariago.board.geometry import inverse, move_table

    folder = copied(whole, tmp_path)
    label(folder, whole, name="t", symmetries=symmetries)
    positions = live_positions(folder, games)
    labels = read_labels(folder, TRAIN, "t")
    assert labels.value is not None
    shown = by_row(labels, positions)
    net = load_net(whole / "net")
    for at in range(0, len(positions), 9):
        position = positions[at]
        square = position.size.rows == position.size.columns
        used = [turn for turn in turns if square or turn < 4]
        said = [net.evaluate_positions([position.symmetry(turn)])[0] for turn in used]
        assert labels.value[at] == pytest.approx(np.mean([s.value for s in said]), abs=1e-5)
        policy = np.zeros(position.size.cells + 1)
        owned = np.zeros(position.size.cells)
        for turn, s in zip(used, said, strict=True):
            table = move_table(position.size, turn)
            policy += s.policy[table] / len(used)
            owned += s.ownership.ravel()[table[:-1]] / len(used)
            assert inverse(inverse(turn)) == turn
        np.testing.assert_allclose(shown[at][0], policy, atol=SHARE_ERROR)
        np.testing.assert_allclose(shown[at][1], owned, atol=0.5 / 127 + 1e-5)


def test_a_search_teaches_what_the_player_finds_in_the_live_game(
    whole: Path, games: list[Any], tmp_path: Path
) -> None:
    folder = copied(whole, tmp_path)
    name = f"search:{whole / 'net'},visits=6"
    label(folder, whole, teacher=name, name="s", every=3)
    labels = read_labels(folder, TRAIN, "s")
    positions = [live_positions(folder, games)[row] for row in labels.rows]
    player = make_player(name)
    assert isinstance(player, SearchPlayer)
    assert labels.policy is not None
    assert labels.value is not None
    assert labels.ownership is not None
    start = 0
    for i, position in enumerate(positions):
        player.new_game(0)
        found = player.analyse(position, Limits())
        shares = labels.policy[start : start + len(found.target)]
        start += len(found.target)
        np.testing.assert_allclose(shares, found.target, atol=SHARE_ERROR)
        assert labels.value[i] == pytest.approx(found.value, abs=1e-5)
        assert labels.visits[i] == found.visits == 6


class Killed(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    expected = digest(folder, "t")
    (folder / f"labels-t-{TRAIN}").unlink()
    told: list[tuple[int, int, int]] = []

    def stop(made: int, before: int, total: int) -> None:
        told.append((made, before, total))
        if made >= 64:
            raise Killed

    with pytest.raises(Killed):
        label(folder, whole, name="t", tell=stop)
    assert teachers_of(folder) == {}
    with pytest.raises(RecordsError, match=r"are begun there$"):
        label(folder, whole, name="t")
    with pytest.raises(RecordsError, match="another choice of rows"):
        label(folder, whole, name="t", every=2, resume=True)
    label(folder, whole, name="t", resume=True, tell=lambda *now: told.append(now))
    assert digest(folder, "t") == expected
    assert told[-1][1] == 64, "only what was missing is labelled"
    assert sum(told[-1][:2]) == told[-1][2]
    assert not list(folder.glob(".labels*"))
    again = label(folder, whole, name="t", resume=True)
    assert (again.made, again.rows) == (0, told[-1][2])


KILLED = """
import os, sys
from mariago.cli.main import call
from mariago.teaching import labelling, net_teacher, work

net_teacher.ROWS_AT_ONCE = 16
write, left = labelling.write_part, [5]

def dying(part, table):
    left[0] -= 1
    if not left[0]:  # half of a file stands there, and the process is gone
        part.path.with_name(f".{part.path.name}.x.part").write_bytes(b"PAR1 half")
        os._exit(9)
    write(part, table)

labelling.write_part = dying
call(sys.argv[1:])
"""


def test_a_run_that_is_killed_loses_no_more_than_a_part(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    expected = digest(folder, "t")
    command = ["records", "label", str(folder), "--teacher", f"net:{whole / 'net'}"]
    command += ["--name", "t", "--jobs", "1", "--overwrite"]
    done = subprocess.run([sys.executable, "-c", KILLED, *command], check=False, timeout=300)
    assert done.returncode == 9
    assert len(list((folder / ".labels-t.partial").glob("train-*.parquet"))) == 4
    assert digest(folder, "t") == expected, "what stood there stays until it is replaced whole"
    told: list[int] = []
    label(folder, whole, name="t", resume=True, tell=lambda made, before, total: told.append(made))
    assert digest(folder, "t") == expected
    assert not list(folder.glob(".labels*"))


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t", jobs=1)
    alone = digest(folder, "t")
    label(folder, whole, name="t", jobs=2, overwrite=True)
    assert digest(folder, "t") == alone


def test_workers_are_handed_whole_parts_in_order(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What two workers would do, without the seconds that starting them takes."""
    folder = copied(whole, tmp_path)
    label(folder, whole, name="t")
    expected = digest(folder, "t")

    def backwards(self: Workers, function: Any, items: Any) -> Any:
        held = list(items)
        results = {id(item): function(item) for item in reversed(held)}
        return iter([results[id(item)] for item in held])

    monkeypatch.setattr(Workers, "in_order", backwards)
    label(folder, whole, name="t", overwrite=True)
    assert digest(folder, "t") == expected


def test_labels_of_other_teachers_stay(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="one")
    before = digest(folder, "one")
    done = label(folder, whole)
    sha256 = load_net(whole / "net").describe()["sha256"]
    assert done.teacher == f"net.{sha256[:8]}"
    assert sha256 in done.about
    assert str(tmp_path) not in done.about
    assert set(teachers_of(folder)) == {"one", done.teacher}
    assert digest(folder, "one") == before
    with pytest.raises(RecordsError, match="labels by one stand there"):
        label(folder, whole, name="one")
    with pytest.raises(RecordsError, match="of other settings"):
        label(folder, whole, name="one", symmetries=8, resume=True)
    label(folder, whole, name="one", symmetries=8, overwrite=True)
    assert digest(folder, "one") != before


def test_rows_are_thinned_within_games_and_for_both_sides(whole: Path) -> None:
    manifest = read_manifest(whole / "set")
    table = read_table(whole / "set", "train", ["game", "to_move", "move_number"])
    games, sides = table["game"].to_numpy(), table["to_move"].to_numpy()
    every = labelling.chosen_rows(manifest, TRAIN, every=4)
    assert len(games) / 5 < len(every) < len(games) / 3
    assert set(sides[every]) == {BLACK, WHITE}
    few = labelling.chosen_rows(manifest, TRAIN, most=3)
    assert (np.diff(few.astype(int)) > 0).all()
    _, counts = np.unique(games[few], return_counts=True)
    assert counts.tolist() == [3] * len(set(games))
    both = labelling.chosen_rows(manifest, TRAIN, every=4, most=2)
    assert set(both) <= set(every)
    assert len(both) == 2 * len(set(games))


def test_one_run_at_a_time(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path)
    with (
        WorkFolder(read_manifest(folder), "t", "", [TRAIN], {}),
        pytest.raises(RecordsError, match="another run is making labels by t"),
    ):
        label(folder, whole, name="t")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--teacher", "random"], "a random player cannot teach"),
        (["--teacher", "heuristic"], "a heuristic player cannot teach"),
        (["--teacher", "net:nowhere"], "no such folder"),
        (["--teacher", "katago:nowhere.bin.gz"], "cannot be read"),
        (["--teacher", "nobody"], "unknown player"),
        (["--teacher", "search:{net},seconds=2"], "by visits, not by time"),
        (["--teacher", "search:{net}", "--symmetries", "8"], "stand in its name"),
        (["--teacher", "net:{net}", "--symmetries", "3"], "1, 2 or 8"),
        (["--teacher", "net:{net}", "--split", "best"], "train, validation, test"),
        (["--teacher", "net:{net}", "--split", "test"], "no samples in split"),
        (["--teacher", "net:{net}", "--name", "a/b"], "no name for a teacher"),
        (["--teacher", "net:{net}", "--every", "0"], "every"),
        (["--teacher", "net:{net}", "--every", "5000"], "no row is chosen"),
        (["--teacher", "net:{net}", "--resume", "--overwrite"], "--overwrite begins again"),
    ],
)
def test_what_cannot_teach_gets_one_line(
    whole: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    filled = [option.replace("{net}", str(whole / "net")) for option in options]
    assert call(["records", "label", str(whole / "set"), "--jobs", "1", *filled]) == 2
    said = capsys.readouterr().err.splitlines()
    assert words in said[0]
    assert len(said) <= 2
    assert not list((whole / "set").glob("*labels*"))


def test_a_damaged_net_gets_one_line(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    net = Path(shutil.copytree(whole / "net", tmp_path / "net"))
    (net / "model.onnx").write_bytes(b"nothing")
    command = ["records", "label", str(whole / "set"), "--teacher", f"net:{net}", "--jobs", "1"]
    assert call(command) == 2
    assert "is not the file" in capsys.readouterr().err
    assert not list((whole / "set").glob("*labels*"))


def test_the_command_tells_what_it_did(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    command = ["records", "label", str(folder), "--teacher", f"net:{whole / 'net'}", "--jobs", "1"]
    assert call([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == told["made"] == read_manifest(folder).samples("train")
    assert told["files"] == [f"labels-{told['teacher']}-{TRAIN}"]
    assert told["bytes_a_row"] > 0
    assert call([*command, "--overwrite", "--every", "2"]) == 0
    out = capsys.readouterr()
    assert "rows labelled by net." in out.out
    assert "every 2. move of a game" in out.out


def test_ctrl_c_says_how_to_go_on(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    write, left = labelling.write_part, [3]

    def interrupted(*given: Any) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        write(*given)

    monkeypatch.setattr(labelling, "write_part", interrupted)
    command = ["records", "label", str(folder), "--teacher", f"net:{whole / 'net'}", "--jobs", "1"]
    assert call(command) == 130
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "interrupted: the labels made so far are kept; the same command with --resume goes on"
    ]
    monkeypatch.undo()
    assert call([*command, "--resume"]) == 2, "the parts of this version have another size"
    monkeypatch.setattr(net_teacher, "ROWS_AT_ONCE", 16)
    assert call([*command, "--resume"]) == 0
    assert "rows are labelled already" in capsys.readouterr().err


def test_records_without_their_moves_are_searched_from_their_boards(
    tmp_path: Path, whole: Path
) -> None:
    from mariago.teaching.search_teacher import positions_of_table

    source = write_files(tmp_path / "source", random_records([1], 5, 20))
    out = tmp_path / "set"
    build_records(
        [source], origin="o", terms="t", out=out,
        options=BuildOptions(size="any", validation=0, test=0),
    )  # fmt: skip
    table = read_table(out, "train")
    manifest = read_manifest(out)
    known = positions_of_table(manifest, table)
    other = table.set_column(
        table.schema.get_field_index("move_number"),
        table.schema.field("move_number"),
        [np.full(table.num_rows, 900, np.int16)],
    )
    alone = positions_of_table(manifest, other)
    assert all(len(position.moves) == 0 for position in alone)
    for one, two in zip(known, alone, strict=True):
        assert np.array_equal(one.stones, two.stones)
        assert (one.to_move, one.ko, one.komi) == (two.to_move, two.ko, two.komi)


def test_report_and_show_tell_what_teachers_say_for_black(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="one")
    label(folder, whole, name="two", every=2)
    labels = read_labels(folder, TRAIN, "one")
    assert labels.value is not None
    assert labels.lead is not None
    rows = read_table(folder, "train", ["game", "move_number", "to_move"]).to_pylist()
    white = next(i for i, row in enumerate(rows) if row["to_move"] == WHITE and i > 20)
    for at, sign in ((white, -1), (white - 1, 1)):
        name = f"{rows[at]['game']}:{rows[at]['move_number']}"
        assert call(["records", "show", str(folder), name, "--json"]) == 0
        first, *_ = told = json.loads(capsys.readouterr().out)["labels"]
        assert first["win_rate"] == pytest.approx((1 + sign * labels.value[at]) / 2, abs=1e-6)
        assert first["lead"] == pytest.approx(sign * labels.lead[at], rel=1e-5)
        shares = [move["share"] for move in first["moves"]]
        assert len(shares) == 3
        assert shares == sorted(shares, reverse=True)
        assert call(["records", "show", str(folder), name]) == 0
        assert capsys.readouterr().out.count("Teacher") == len(told)
    assert (
        call(["records", "report", str(folder), "--json", "--out", str(tmp_path / "r.html")]) == 0
    )
    counts = json.loads(capsys.readouterr().out)["labelled"]
    assert counts["one"] == len(rows)
    assert 0 < counts["two"] < len(rows)

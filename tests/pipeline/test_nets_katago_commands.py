"""``mariago net import``, ``export`` and ``info``, and the player of a KataGo network file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.reference.plain_katago_net import random_file
from tests.reference.random_nets import random_weights

from mariago.cli.main import call
from mariago.errors import NetError
from mariago.nets import NetConfig, NetInfo, load_katago_net, load_net, write_katago, write_net
from mariago.players import Limits, make_player
from mariago.rules import Position

CONFIG = NetConfig.of_size(2, 8)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "one.bin.gz"
    write_katago(path, CONFIG, random_weights(CONFIG), name="one")
    return path


def test_a_file_goes_through_a_folder_and_comes_out_the_same(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["--origin", "random numbers", "--terms", "anything"]
    assert call(["net", "import", str(file), "--out", str(tmp_path / "one"), *words]) == 0
    said = capsys.readouterr()
    assert "random numbers (terms: anything)" in said.out
    assert said.err.startswith(f"net: {tmp_path / 'one'}; a match with it: mariago match ")
    assert call(["net", "info", str(tmp_path / "one"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["imported"]["terms"] == "anything"
    assert told["imported"]["file"] == "one.bin.gz"
    out = tmp_path / "new" / "folder" / "b.bin.gz"
    assert call(["net", "export", str(tmp_path / "one"), "--out", str(out)]) == 0
    assert out.read_bytes() == file.read_bytes()


def test_a_folder_without_import_is_exported_too(tmp_path: Path):
    info = NetInfo(config=CONFIG, origin="random numbers")
    write_net(tmp_path / "net", info, random_weights(CONFIG), card="# A net\n")
    assert call(["net", "export", str(tmp_path / "net"), "--out", str(tmp_path / "n.txt.gz")]) == 0
    one, two = load_net(tmp_path / "net"), load_katago_net(tmp_path / "n.txt.gz")
    positions = [Position.empty(5).play(12), Position.empty((3, 7), "japanese").play_pass()]
    for mine, theirs in zip(
        one.evaluate_positions(positions), two.evaluate_positions(positions), strict=True
    ):
        assert mine.policy == pytest.approx(theirs.policy, abs=1e-6)
        assert mine.score == pytest.approx(theirs.score, abs=1e-4)


def test_info_tells_of_a_file_of_any_version(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert call(["net", "info", str(file)]) == 0
    assert "KataGo, version 8" in capsys.readouterr().out
    path = tmp_path / "new.bin"
    path.write_bytes(random_file(17, ["nested", "attention"], "MISH", 2, 1))
    assert call(["net", "info", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format_version"] == 17
    assert told["blocks"]["attention"] == 2
    out = ["--out", str(tmp_path / "new"), "--origin", "o", "--terms", "t"]
    assert call(["net", "import", str(path), *out]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "which a net folder cannot hold" in lines[0]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "words", [["info"], ["quantise"], ["import", "--origin", "o", "--terms", "t", "--out", "n"]]
)
def test_a_file_that_is_not_there_is_no_folder_to_train(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    missing = str(tmp_path / "missing.bin.gz")
    assert call(["net", words[0], missing, *words[1:]]) == 2
    error, hint = capsys.readouterr().err.splitlines()[-2:]
    assert missing in error
    assert "folder" not in error
    assert "a network file of KataGo" in hint


def test_a_file_in_place_of_the_folder_of_an_export_is_one_line(
    file: Path, capsys: pytest.CaptureFixture[str]
):
    assert call(["net", "export", "packaged", "--out", str(file / "x.bin.gz")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize("version", [8, 17])
def test_the_player_takes_the_keys_of_net(file: Path, tmp_path: Path, version: int):
    path = tmp_path / "played.bin"
    path.write_bytes(random_file(version, ["gpool"], "RELU", 0, 2))
    player = make_player(f"katago:{path},temperature=1,until_move=4,symmetries=8")
    player.new_game(5)
    position = Position.empty((4, 5))
    for _ in range(10):
        position = position.play(player.choose(position, Limits()).move)
    told = player.describe()
    assert told["kind"] == "katago"
    assert told["net"]["format_version"] == version
    assert len(told["net"]["sha256"]) == 64


def test_a_player_without_its_file_is_told_in_one_line(tmp_path: Path):
    with pytest.raises(NetError, match="cannot be read: No such file"):
        make_player(f"katago:{tmp_path / 'nothing.bin.gz'}")
    with pytest.raises(NetError, match="cannot be read: Is a directory"):
        make_player(f"katago:{tmp_path}")

"""``mariago teach --tune``: nets that learn in their weights, killed and gone on with."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from mariago.arena.settings import settings_of
from mariago.board.points import Size
from mariago.cli.main import call
from mariago.errors import BadInputError, NetError
from mariago.lessons import Book
from mariago.nets import NetConfig, NetInfo, read_info, read_weights, write_net
from mariago.nets.architecture import GoNet
from mariago.teaching.cross_settings import TeachSettings, checked
from mariago.teaching.rounds import book_path, planned_games, teach
from mariago.teaching.rounds_outputs import rounds_csv, rounds_text
from mariago.teaching.rounds_page import write_rounds_page
from mariago.teaching.tune_settings import TuneSettings, tune_of, why_not_tuned
from mariago.teaching.tuned_side import tune_side

STEPS = 30
TUNE = f"steps={STEPS},rate=0.01"


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(3)
    config = NetConfig.of_size(2, 8)
    weights = {name: array.numpy() for name, array in GoNet(config).state_dict().items()}
    out = tmp_path_factory.mktemp("nets") / "net"
    write_net(out, NetInfo(config=config, origin="random", sizes=("7x7",)), weights, card="")
    return out


def settings(net: Path, number: int = 2, tune: str = TUNE, **others: object) -> TeachSettings:
    values = {"player_a": "heuristic:v3", "player_b": f"net:{net}", "games": 8, "size": 7}
    terms = settings_of(**{**values, "move_limit": 40, "seed": 5, **others})  # pyright: ignore
    return checked(
        TeachSettings, terms, ["random"], rounds=number, third_games=2, looked_at=2,
        tune=tune_of(tune),
    )  # fmt: skip


@pytest.fixture(scope="module")
def before(net: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in net.iterdir()}


@pytest.fixture(scope="module")
def whole(net: Path, before: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Any:
    assert before
    folder = tmp_path_factory.mktemp("teach") / "whole"
    return folder, teach(settings(net), folder)


def tuned_nets(folder: Path) -> dict[str, dict[str, np.ndarray]]:
    return {path.parent.name: read_weights(path)[1] for path in sorted(folder.glob("tuned/*/net"))}


def assert_same_nets(one: Path, other: Path) -> None:
    nets, others = tuned_nets(one), tuned_nets(other)
    assert list(nets) == list(others) == ["b-01", "b-02"]
    for name, arrays in nets.items():
        assert all(np.array_equal(array, others[name][key]) for key, array in arrays.items())


def test_a_net_is_tuned_on_its_lessons_and_plays_on(whole: Any, net: Path) -> None:
    folder, figures = whole
    own = read_weights(net)[1]
    for number in (1, 2):
        side = figures.as_dict()["rounds"][number]["sides"]["b"]
        told = side["tuned"]
        assert told["kept_step"] > 0
        assert 0 < told["found"] <= told["lessons"]
        weights = read_weights(folder / told["net"])[1]
        moved = {name for name, array in own.items() if not np.array_equal(array, weights[name])}
        assert moved
        assert all(name.startswith("policy.") for name in moved), "the heads alone"
        plan = read_info(folder / told["net"]).training["tuning"]["plan"]
        assert (plan["steps"], plan["what"], plan["rate"]) == (STEPS, "head", 0.01)
        assert side["elo_of_old_weights"][0] is not None
        assert "tuned" not in figures.as_dict()["rounds"][number]["sides"]["a"]
    with Book.open(book_path(folder, "b", 2)) as book:
        assert {one.receiver for one in book.lessons()} == {f"net:{net}"}, "one name in all rounds"
        assert book.game_count() == 16
    assert planned_games(settings(net)) == (16, (2 * (2 + 2 * 3),))


def test_the_next_round_is_played_by_the_tuned_net(whole: Any, net: Path) -> None:
    folder, figures = whole
    second = figures.rounds[2]
    assert str(folder / "tuned" / "b-02" / "net") in second.third["b"][0].settings.player_a
    assert f"lesson_for=net:{net}" in second.third["b"][0].settings.player_a
    assert second.plain["b"][0].settings.player_a.startswith(f"net:{net},book=")
    assert second.used["b"].differing == 0


def test_the_folder_of_the_net_stays_as_it_is(
    whole: Any, net: Path, before: dict[str, bytes]
) -> None:
    assert whole
    assert {path.name: path.read_bytes() for path in net.iterdir()} == before


def test_the_lost_weights_of_a_tuned_net_are_noticed(whole: Any, net: Path, tmp_path: Path) -> None:
    tuned = Path(shutil.copytree(whole[0] / "tuned" / "b-01", tmp_path / "b-01"))
    given = f"net:{net}", book_path(whole[0], "b", 1), tuned, TuneSettings(), Size(9, 9), 0
    assert tune_side(*given) is not None
    (tuned / "net" / "weights.safetensors").unlink()
    with pytest.raises(NetError, match=r"has no weights\.safetensors"):
        tune_side(*given)


def test_games_left_out_stay_left_out(whole: Any) -> None:
    folder, _ = whole
    splits: list[dict[str, str]] = []
    for number in ("b-01", "b-02"):
        manifest = json.loads((folder / "tuned" / number / "samples" / "manifest.json").read_text())
        splits.append({"seed": manifest["options"]["seed"], **manifest["counts"]["games"]})
        assert all(manifest["counts"]["samples"].values())
    assert splits[0]["seed"] == splits[1]["seed"]


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_pages_and_tables_tell_of_it(whole: Any, tmp_path: Path, lang: str, net: Path) -> None:
    from mariago.reports import provenance

    _, figures = whole
    page = write_rounds_page(figures, tmp_path, provenance("c", 1), lang).read_text("utf-8")
    said = {"en": "old weights", "zh": "原权重", "ja": "元の重み", "ko": "원래 가중치"}
    assert page.count(said[lang]) >= 2
    text = rounds_text(figures)
    assert "B after round 2: step" in text
    assert f"moves of net:{net}." in text, "whose good moves are in whose book"
    lines = rounds_csv(figures).splitlines()
    assert lines[0].endswith("elo_old_weights_high")
    assert len({line.count(",") for line in lines}) == 1


@pytest.mark.slow
def test_a_run_killed_while_it_tunes_ends_with_the_same_nets(
    whole: Any, net: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-c", "import sys; from mariago.cli.main import run; run()"]
    words = ["teach", "heuristic:v3", f"net:{net}", "--rounds", "2", "--games", "8", "--size", "7"]
    words += ["--third", "random", "--third-games", "2", "--looked-at", "2", "--move-limit", "40"]
    words += ["--seed", "5", "--jobs", "1", "--tune", TUNE, "--out", str(folder)]
    process = subprocess.Popen([*command, *words], stderr=subprocess.DEVNULL)
    checkpoint = folder / "tuned" / "b-01" / "net.training" / "checkpoint.pt"
    try:
        until = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < until and not checkpoint.exists():
            time.sleep(0.002)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not (folder / "tuned" / "b-02").exists(), "killed in time"
    part = folder / "tuned" / "b-02" / ".games.part"
    part.mkdir(parents=True)
    (part / "game-00001.sgf").write_text("half")
    heard: list[str] = []
    figures = teach(settings(net), folder, resume=True, on_learning=heard.append)
    assert any(f"of {STEPS}" in text for text in heard)
    assert figures.as_dict() == whole[1].as_dict()
    assert_same_nets(folder, whole[0])


FAULTS = {
    "steps=0": "steps",
    "pace=3": "unknown key 'pace'",
    "steps": "'steps' is no key=value",
    "steps=3,steps=4": "steps is told twice",
    "what=everything": "what",
    "rate=nan": "rate",
    "": "'' is no key=value",
}


@pytest.mark.parametrize("text", FAULTS)
def test_keys_are_strict(text: str) -> None:
    with pytest.raises(BadInputError) as caught:
        tune_of(text)
    assert FAULTS[text] in str(caught.value)
    assert str(caught.value).startswith("--tune: ")
    assert caught.value.hint


def test_default_is_small() -> None:
    assert tune_of("default") == TuneSettings() == tune_of("what=head,steps=100")
    assert tune_of("what=all, rate=1e-4,every=2").rate == 1e-4


PLAYERS = {
    "net": "",
    "search,visits=8": "",
    "random": "is no net",
    "heuristic:v3": "is no net",
    "katago:a.bin.gz": "plays a network file",
    "net,precision=int8": "has numbers of int8",
}


@pytest.mark.parametrize("name", PLAYERS)
def test_only_a_net_folder_is_tuned(name: str) -> None:
    assert why_not_tuned(name).startswith(PLAYERS[name])
    assert bool(why_not_tuned(name)) == bool(PLAYERS[name])


def test_a_side_without_a_net_is_refused(
    net: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInputError, match="side=a: heuristic:v3: is no net"):
        settings(net, tune="side=a")
    with pytest.raises(BadInputError, match="8 or more are needed"):
        settings(net, games=4)
    assert settings(net, games=4, tune="every=2").tuned == ("b",)
    words = ["heuristic:v3", "random", "--size", "7", "--tune", "default"]
    assert call(["teach", *words, "--out", str(tmp_path / "run")]) == 2
    assert "heuristic:v3 is no net" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_settings_without_tuning_are_as_they_ever_were(net: Path) -> None:
    terms = settings_of(player_a="heuristic:v3", player_b=f"net:{net}", games=2, size=7)
    plain = checked(TeachSettings, terms, ["random"], rounds=1, third_games=2)
    assert "tune" not in plain.as_dict()
    assert settings(net).as_dict()["tune"] == TuneSettings(steps=STEPS, rate=0.01).model_dump()

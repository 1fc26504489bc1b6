"""``tools/katago_engine.py`` and ``tools/killed_match.py``, small."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from mariago.arena import MatchResult, play_match
from mariago.arena.outputs import write_results
from mariago.arena.settings import settings_of
from mariago.errors import BadInputError
from mariago.players import Limits, make_player
from mariago.reports import provenance
from mariago.rules import RULE_SETS, Position

TOOLS = Path(__file__).resolve().parents[2] / "tools"
FAKE = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a program that takes KataGo's words and passes."""
    path = tmp_path / "a katago"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$FAKE_HOW"\n')
    path.chmod(0o755)
    return path


def prepare(program: Path, out: Path, how: str = "") -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(TOOLS / "katago_engine.py"), str(program), "--net", str(FAKE)]
    return subprocess.run(
        [*words, "--size", "9", "--visits", "3", "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FAKE_HOW": how},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script is the program")
def test_the_name_that_is_printed_is_a_player_and_the_files_say_what_was_asked(
    program: Path, tmp_path: Path
) -> None:
    out = tmp_path / 'an "odd" place'
    done = prepare(program, out)
    assert done.returncode == 0, done.stderr
    assert "s a move on 9x9" in done.stderr
    settings = dict(
        line.split(" = ", 1)
        for line in (out / "katago.cfg").read_text().splitlines()
        if "=" in line
    )
    assert settings["maxVisits"] == "3"
    assert settings["defaultBoardSize"] == "9"
    assert settings["openclTunerFile"] == str(out / "tuning.txt")
    assert (out / "tuning.txt").read_text() == tool("katago_engine").plain_tuning()
    player = make_player(done.stdout.strip())
    assert player.choose(Position.empty(9), Limits()).move == 81
    player.close()
    failed = prepare(program, tmp_path / "failed", "no_start")
    assert failed.returncode == 2
    assert failed.stderr.splitlines()[1:] == [
        "error: the engine ended with exit code 4 at 'name'",
        "its last words: no licence found",
    ]


def test_what_a_wheel_lacks_is_said(tmp_path: Path) -> None:
    module = tool("katago_engine")
    wheel = tmp_path / "katrain.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("katrain/models/small.bin.gz", b"a net")
    with pytest.raises(BadInputError, match="holds no katrain/KataGo/katago"):
        module.program_of(wheel, tmp_path)
    assert module.net_of(None, wheel, tmp_path).read_bytes() == b"a net"
    with pytest.raises(BadInputError, match="no such file"):
        module.program_of(tmp_path / "none", tmp_path)


@pytest.mark.slow
def test_katago_itself_takes_every_rule_set_and_plays_by_its_own_net(
    peer_data: Path, tmp_path: Path
) -> None:
    katago = os.environ.get("MARIAGO_KATAGO")
    if not katago:
        pytest.skip("MARIAGO_KATAGO names no KataGo")
    net = next((peer_data / "nets").glob("*.bin.gz"))
    words = [sys.executable, str(TOOLS / "katago_engine.py"), katago, "--net", str(net)]
    done = subprocess.run(
        [*words, "--size", "9", "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    player = make_player(done.stdout.strip())
    engine = player._running()  # type: ignore[attr-defined]
    for name, rules in RULE_SETS.items():
        player.choose(Position.empty(9, name, 6.5), Limits())
        told = json.loads(engine.ask("kata-get-rules"))
        assert (told["ko"].lower(), told["scoring"].lower()) == (rules.ko, rules.scoring)
        assert told["suicide"] == rules.suicide
        assert told["friendlyPassOk"] is False
        assert float(engine.ask("get_komi")) == 6.5
    player.close()


def written(folder: Path, **others: object) -> MatchResult:
    values: dict[str, object] = {"games": 4, "size": 5, "move_limit": 9, **others}
    settings = settings_of(player_a="random", player_b="random,seed=2", **values)  # pyright: ignore
    result = play_match(settings, folder)
    write_results(result, provenance(f"a match in {folder}", 0))
    return result


def test_two_matches_are_held_against_each_other_but_for_the_clock(tmp_path: Path) -> None:
    module = tool("killed_match")
    one, same, other = (tmp_path / name for name in ("one", "same", "other"))
    result = written(one)
    written(same)
    written(other, seed=1)
    assert module.differences(one, same) == []
    found = module.differences(one, other)
    assert found == ["moves", "games", "SGF files", "results.json", "results.csv", "figures.csv"]
    # One figure that moved is seen, seconds that moved are not.
    slower = replace(result.summary.a, seconds_a_move=9.0)
    late = replace(result, summary=replace(result.summary, a=slower))
    write_results(late, provenance("", 0))
    assert module.differences(one, same) == []
    better = replace(result, summary=replace(result.summary, draws=3))
    write_results(better, provenance("", 0))
    assert module.differences(one, same) == ["results.json", "figures.csv"]


@pytest.mark.slow  # starts the command five times
def test_a_match_killed_at_random_moments_comes_out_the_same(tmp_path: Path) -> None:
    words = [
        "--games",
        "12",
        "--kills",
        "2",
        "--a",
        "random",
        "--b",
        "random,seed=2",
        "--size",
        "9",
    ]
    done = subprocess.run(
        [sys.executable, str(TOOLS / "killed_match.py"), *words, "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the same") == 3
    assert done.stdout.count("no process") == 2

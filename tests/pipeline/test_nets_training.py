"""Training end to end on the packaged games: learning, resuming, being killed, saying no."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from mariago.cli.main import call
from mariago.errors import NetError
from mariago.nets import (
    Settings,
    load_net,
    read_info,
    read_metrics,
    read_weights,
    train_net,
)
from mariago.nets.checkpoint import Run
from mariago.nets.recipe import Recipe, recipe_of
from mariago.records import BuildOptions, build_records, load_rows
from mariago.records.bundled import (
    BUNDLED_ORIGIN,
    BUNDLED_TERMS,
    bundled_records,
)
from mariago.rules import Position

STEPS = 30
RECIPE = f"""
[net]
blocks = 2
channels = 16
[training]
steps = {STEPS}
batch = 64
learning_rate = 0.01
warmup_steps = 5
validate_every = 15
validation_samples = 64
checkpoint_every = 5
precision = "float32"
"""
ONE_THREAD = Settings(threads=1, device="cpu", tensorboard=False)


def recipe(**changes: object) -> Recipe:
    import tomllib

    return recipe_of(tomllib.loads(RECIPE)).with_training(**changes)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records") / "nine"
    build_records(
        [bundled_records()],
        origin=BUNDLED_ORIGIN,
        terms=BUNDLED_TERMS,
        out=folder,
        options=BuildOptions(size="9", max_per_game=12),
    )
    return folder


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("nets") / "whole"
    result = train_net(data, recipe(), out, ONE_THREAD)
    assert result.finished
    return out


def curves(folder: Path) -> list[dict[str, object]]:
    """The logged rows without their times."""
    return [{k: v for k, v in row.items() if k != "seconds"} for row in read_metrics(folder)]


def assert_same_net(found: Path, wanted: Path) -> None:
    for name, array in read_weights(wanted)[1].items():
        np.testing.assert_array_equal(read_weights(found)[1][name], array, err_msg=name)
    assert curves(found) == curves(wanted)


def test_training_lowers_the_loss_on_games_it_has_not_seen(trained: Path):
    losses = [row["policy_loss"] for row in read_metrics(trained) if row["kind"] == "validation"]
    assert len(losses) == 3  # before, at half time, at the end
    assert losses[-1] < losses[0] - 0.1


def test_the_folder_says_what_the_net_was_made_of(trained: Path, data: Path):
    info = read_info(trained)
    assert info.sizes == ("9x9",)
    assert info.origin == BUNDLED_ORIGIN
    assert info.training["steps"] == info.training["steps_planned"] == STEPS
    assert info.training["samples_known"] == len(load_rows(data, "train").targets)
    assert info.training["recipe"]["training"]["batch"] == 64
    assert "torch" in info.versions
    card = (trained / "card.md").read_text("utf-8")
    assert "9x9" in card
    assert BUNDLED_ORIGIN in card


def test_a_trained_net_answers_positions_of_any_size(trained: Path):
    net = load_net(trained)
    positions = [Position.empty(size, "chinese") for size in (9, 19, (5, 7), 9)]
    positions[3] = positions[3].play(40)
    found = net.evaluate_positions(positions)
    for position, evaluation in zip(positions, found, strict=True):
        assert evaluation.policy.shape == (position.size.cells + 1,)
        assert evaluation.policy.sum() == pytest.approx(1, abs=1e-5)
        assert evaluation.ownership.shape == tuple(position.size)
        assert -1 <= evaluation.value <= 1
    assert found[3].policy[40] == 0
    alone = net.evaluate_positions([positions[3]])[0]
    np.testing.assert_allclose(alone.policy, found[3].policy, atol=1e-6)


def test_the_same_seed_gives_the_same_net(trained: Path, data: Path, tmp_path: Path):
    train_net(data, recipe(), tmp_path / "again", ONE_THREAD)
    assert_same_net(tmp_path / "again", trained)


@pytest.mark.parametrize("stop", [5, 17])
def test_a_resumed_run_ends_as_an_uninterrupted_one(
    trained: Path, data: Path, tmp_path: Path, stop: int
):
    out = tmp_path / "net"
    halted = Settings(threads=1, device="cpu", tensorboard=False, stop_at=stop)
    assert not train_net(data, recipe(), out, halted).finished
    assert not out.exists()
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    assert train_net(data, recipe(), out, resumed).finished
    assert_same_net(out, trained)


def kill_at(checkpoint: Path, process: subprocess.Popen[bytes]) -> None:
    """Kill ``process`` with no warning once it has written a checkpoint."""
    checkpoint.unlink(missing_ok=True)
    deadline = time.monotonic() + 120
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    process.wait()


def test_a_killed_run_leaves_no_net_and_resumes_to_the_same_one(
    trained: Path, data: Path, tmp_path: Path
):
    out = tmp_path / "net"
    (tmp_path / "recipe.toml").write_text(RECIPE)
    command = [sys.executable, "-m", "mariago", "net", "train", str(data), "--jobs", "1"]
    command += ["--recipe", str(tmp_path / "recipe.toml"), "--out", str(out), "--device", "cpu"]
    checkpoint = tmp_path / "net.training" / "checkpoint.pt"
    for _ in range(5):  # a busy machine may let the run end before it is killed
        kill_at(
            checkpoint,
            subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
        )
        if not out.exists():
            break
        shutil.rmtree(out)
    assert checkpoint.exists()
    assert not out.exists()
    done = subprocess.run([*command, "--resume", "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["training"]["steps"] == STEPS
    assert_same_net(out, trained)
    assert any((tmp_path / "net.training" / "tensorboard").iterdir())


def test_ctrl_c_leaves_an_exact_checkpoint(trained: Path, data: Path, tmp_path: Path):
    class PressesCtrlC:
        done = 0

        def advance(self, n: int = 1, text: str | None = None) -> None:
            self.done += n
            if n and self.done == 7:  # between two checkpoints
                signal.raise_signal(signal.SIGINT)

    out = tmp_path / "net"
    with pytest.raises(KeyboardInterrupt):
        train_net(data, recipe(), out, ONE_THREAD, PressesCtrlC())
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    assert train_net(data, recipe(), out, resumed).finished
    assert_same_net(out, trained)


def test_a_finished_run_is_not_trained_again(trained: Path, data: Path):
    before = (trained / "net.json").stat().st_mtime_ns
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    assert train_net(data, recipe(), trained, resumed).finished
    assert (trained / "net.json").stat().st_mtime_ns == before
    with pytest.raises(NetError, match="is there already"):
        train_net(data, recipe(), trained, ONE_THREAD)


@pytest.mark.parametrize("part", ["weights.safetensors", "model.onnx"])
@pytest.mark.parametrize("left", [None, b"", b"no part"])
def test_a_finished_net_that_lost_a_part_is_not_handed_out(
    part: str, left: bytes | None, trained: Path, data: Path, tmp_path: Path
):
    out = Path(shutil.copytree(trained, tmp_path / "net"))
    (out / part).unlink()
    if left is not None:
        (out / part).write_bytes(left)
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    with pytest.raises(NetError, match=part):
        train_net(data, recipe(), out, resumed)


def test_a_finished_net_is_not_handed_out_for_another_data_set_or_recipe(
    trained: Path, data: Path, tmp_path: Path
):
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    other = tmp_path / "other"
    options = BuildOptions(size="9", max_per_game=11)
    source = [bundled_records()]
    build_records(source, origin=BUNDLED_ORIGIN, terms=BUNDLED_TERMS, out=other, options=options)
    with pytest.raises(NetError, match="trained with another data: sha256 was"):
        train_net(other, recipe(), trained, resumed)
    with pytest.raises(NetError, match="another recipe: training: batch was 64, is 32"):
        train_net(data, recipe(batch=32), trained, resumed)


def test_resuming_with_another_recipe_is_refused(data: Path, tmp_path: Path):
    out = tmp_path / "net"
    halted = Settings(threads=1, device="cpu", tensorboard=False, stop_at=5)
    train_net(data, recipe(), out, halted)
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    with pytest.raises(NetError, match="another recipe: training: batch was 64") as caught:
        train_net(data, recipe(batch=32), out, resumed)
    assert caught.value.hint


def test_an_interrupted_run_is_not_begun_over_unasked(data: Path, tmp_path: Path):
    out = tmp_path / "net"
    halted = Settings(threads=1, device="cpu", tensorboard=False, stop_at=5)
    train_net(data, recipe(), out, halted)
    before = (tmp_path / "net.training" / "checkpoint.pt").read_bytes()
    with pytest.raises(NetError, match="checkpoint of an earlier training"):
        train_net(data, recipe(), out, ONE_THREAD)
    assert (tmp_path / "net.training" / "checkpoint.pt").read_bytes() == before


def test_two_trainings_into_one_folder_are_refused(data: Path, tmp_path: Path):
    class TrainsToo:
        refused = ""

        def advance(self, n: int = 1, text: str | None = None) -> None:
            if n and not self.refused:
                with pytest.raises(NetError) as caught:
                    train_net(data, recipe(), tmp_path / "net", ONE_THREAD)
                self.refused = str(caught.value)

    second = TrainsToo()
    assert train_net(data, recipe(), tmp_path / "net", ONE_THREAD, second).finished
    assert "another training is at work" in second.refused


def test_a_checkpoint_that_does_not_fit_the_net_is_damaged(data: Path, tmp_path: Path):
    out = tmp_path / "net"
    train_net(data, recipe(), out, Settings(threads=1, device="cpu", tensorboard=False, stop_at=5))
    run = Run(out, {})
    state = run._read()
    run.identity, run.rows = state["identity"], state["rows"]
    run.save({**state, "net": {"conv1.weight": state["net"]["conv1.weight"]}})
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    with pytest.raises(NetError, match="the checkpoint is damaged"):
        train_net(data, recipe(), out, resumed)


def test_a_time_limit_keeps_the_net_and_says_so(data: Path, tmp_path: Path):
    out = tmp_path / "net"
    hurried = Settings(threads=1, device="cpu", tensorboard=False, max_minutes=0.0)
    assert not train_net(data, recipe(), out, hurried).finished
    assert read_info(out).training["steps"] == 1
    assert "Stopped early" in (out / "card.md").read_text("utf-8")
    resumed = Settings(threads=1, device="cpu", tensorboard=False, resume=True)
    checkpoint = Run(out, {}).checkpoint
    aside = checkpoint.rename(tmp_path / "aside")
    with pytest.raises(NetError, match="an unfinished net without a checkpoint"):
        train_net(data, recipe(), out, resumed)
    aside.rename(checkpoint)
    assert train_net(data, recipe(), out, resumed).finished
    assert read_info(out).training["steps"] == STEPS


def test_sizes_that_the_data_set_lacks_are_named(data: Path, tmp_path: Path):
    with pytest.raises(NetError, match=r"no samples of 13x13 \(it holds: 9x9\)"):
        train_net(data, recipe(sizes=("13",)), tmp_path / "net", ONE_THREAD)
    assert not any(tmp_path.iterdir())


def test_the_command_line_says_what_is_wrong(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = ["--out", str(tmp_path / "net")]
    assert call(["net", "train", str(tmp_path), "--recipe", "demo", *out]) == 2
    assert "data set" in capsys.readouterr().err
    assert call(["net", "train", str(data), "--recipe", "nothing", *out]) == 2
    assert "no such recipe" in capsys.readouterr().err
    assert call(["net", "info", str(tmp_path / "nowhere")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_info_tells_size_origin_and_figures(trained: Path, capsys: pytest.CaptureFixture[str]):
    assert call(["net", "info", str(trained)]) == 0
    text = capsys.readouterr().out
    assert "2 blocks x 16 channels" in text
    assert BUNDLED_ORIGIN in text
    assert "of the moves right" in text
    assert call(["net", "info", str(trained), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["config"]["channels"] == 16


def test_without_torch_training_names_the_extra(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in [name for name in sys.modules if name.startswith("mariago.nets.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    code = call(["net", "train", str(data), "--recipe", "demo", "--out", str(tmp_path / "net")])
    assert code == 2
    assert "'train' extra" in capsys.readouterr().err


def test_playing_loads_no_torch(trained: Path):
    script = (
        "import sys; from mariago.nets import load_net; from mariago.rules import Position;"
        f"net = load_net({str(trained)!r}); net.evaluate_positions([Position.empty(9, 'chinese')]);"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_training_that_blows_up_says_so_and_leaves_no_net(data: Path, tmp_path: Path):
    with pytest.raises(NetError, match="the loss is no number any more") as caught:
        train_net(data, recipe(learning_rate=1e30), tmp_path / "net", ONE_THREAD)
    assert "learning_rate" in (caught.value.hint or "")
    assert not (tmp_path / "net").exists()

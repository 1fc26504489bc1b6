"""``mariago net tune`` end to end, on a person whose next move is the first empty point."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from tests.reference.person_records import PERSON, person_data

from mariago.errors import NetError
from mariago.nets import (
    NetConfig,
    NetInfo,
    load_net,
    read_info,
    read_katago,
    read_metrics,
    read_weights,
    write_katago,
    write_net,
)
from mariago.nets.architecture import GoNet
from mariago.nets.base_net import read_base
from mariago.nets.tuner import net_of_base
from mariago.nets.tuning import TuningSettings, tune_net
from mariago.nets.tuning_plan import TuningPlan, plan_of
from mariago.rules import Position

CONFIG = NetConfig.of_size(2, 8)
ONE_THREAD = TuningSettings(threads=1, device="cpu")
STEPS = 40


def plan(**changes: Any) -> TuningPlan:
    settings = {"player": PERSON, "steps": STEPS, "batch": 32, "rate": 0.01, "validate_every": 10}
    return plan_of(**(settings | {"checkpoint_every": 5, "warmup_steps": 5} | changes))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return person_data(tmp_path_factory.mktemp("person"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A net whose norms hold statistics that no batch has, as imported ones may."""
    torch.manual_seed(3)
    weights = {name: array.numpy() for name, array in GoNet(CONFIG).state_dict().items()}
    for name, array in weights.items():
        if name.endswith(".mean"):
            array += 0.1
    out = tmp_path_factory.mktemp("nets") / "base"
    info = NetInfo(config=CONFIG, origin="random numbers", sizes=("5x5",))
    write_net(out, info, weights, card="# base\n")
    return out


@pytest.fixture(scope="module")
def tuned(data: Path, base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("nets") / "all"
    assert tune_net(base, data, out, plan(), ONE_THREAD).finished
    return out


def changed(one: Path, two: Path) -> set[str]:
    """The names of the arrays in which two nets differ."""
    before, after = read_weights(one)[1], read_weights(two)[1]
    return {name for name, array in before.items() if not np.array_equal(array, after[name])}


def losses(folder: Path) -> list[float]:
    return [row["policy_loss"] for row in read_metrics(folder) if row["kind"] == "validation"]


def test_tuning_answers_the_persons_moves_of_other_games_better(tuned: Path):
    found = read_info(tuned).training["tuning"]["held_out"]
    assert found["own"]["games"] >= 10
    assert found["own"]["policy_loss"]["change"][2] < -0.3
    assert found["own"]["top1"]["change"][1] > 0
    assert losses(tuned)[-1] < losses(tuned)[0] - 0.3
    # He is another than those he plays with, who move by chance.
    assert found["others"]["policy_loss"]["change"][0] > found["own"]["policy_loss"]["change"][0]


def test_a_head_alone_learns_and_leaves_its_trunk_as_it_was(
    data: Path, base: Path, tuned: Path, tmp_path: Path
):
    info, knowing = read_weights(tuned)
    ignorant = read_weights(base)[1]
    mixed = {n: ignorant[n] if n.startswith("policy.") else a for n, a in knowing.items()}
    write_net(tmp_path / "mixed", info, mixed, card="# mixed\n")
    tune_net(tmp_path / "mixed", data, tmp_path / "net", plan(what="head"), ONE_THREAD)
    found = read_info(tmp_path / "net").training["tuning"]["held_out"]["own"]
    assert found["policy_loss"]["change"][2] < -0.2
    moved = changed(tmp_path / "mixed", tmp_path / "net")
    assert moved
    assert all(name.startswith("policy.") for name in moved)


def test_adapters_learn_and_end_as_ordinary_convolutions(data: Path, base: Path, tmp_path: Path):
    tune_net(base, data, tmp_path / "net", plan(what="low-rank", rate=0.02), ONE_THREAD)
    found = read_info(tmp_path / "net").training["tuning"]["held_out"]["own"]
    assert found["policy_loss"]["change"][2] < 0
    moved = changed(base, tmp_path / "net")
    assert moved <= {name for name, array in read_weights(base)[1].items() if array.ndim == 4}
    assert "blocks.0.w1.weight" in moved


def test_a_value_head_that_learns_results_leaves_the_trunk_too(
    data: Path, base: Path, tmp_path: Path
):
    wanted = plan(what="head", value="results")
    tune_net(base, data, tmp_path / "net", wanted, ONE_THREAD)
    moved = changed(base, tmp_path / "net")
    assert any(name.startswith("value.") for name in moved)
    assert all(name.startswith(("policy.", "value.")) for name in moved)


def test_the_norms_statistics_stay(data: Path, base: Path, tuned: Path, tmp_path: Path):
    assert not [n for n in changed(base, tuned) if n.endswith((".mean", ".variance"))]
    assert "blocks.0.norm1.scale" in changed(base, tuned)
    tune_net(base, data, tmp_path / "net", plan(norms="running"), ONE_THREAD)
    assert [n for n in changed(base, tmp_path / "net") if n.endswith(".mean")]


def test_a_frozen_norm_learns_in_the_function_that_plays(base: Path):
    """In training a norm takes the batch's statistics: of a merged one that is another function."""
    net = net_of_base(read_base(base))
    planes = torch.zeros(4, 22, 5, 5)
    planes[:, 0] = 1
    planes[:, 1, :, 2] = torch.rand(4, 5).round()
    inputs = planes, torch.zeros(4, 19)
    with torch.no_grad():
        played = net.eval()(*inputs).policy
        assert torch.equal(net.train()(*inputs).policy, played)
        net.moving = [""]
        assert (net.train()(*inputs).policy - played).abs().max() > 0.1


def test_a_person_who_always_wins_does_not_teach_that_the_mover_wins(
    data: Path, base: Path, tmp_path: Path
):
    tune_net(base, data, tmp_path / "kept", plan(), ONE_THREAD)
    tune_net(base, data, tmp_path / "results", plan(value="results"), ONE_THREAD)
    empty = [Position.empty(5).play(k) for k in range(12)]
    before, kept, learnt = (
        np.array([found.value for found in load_net(net).evaluate_positions(empty)])
        for net in (base, tmp_path / "kept", tmp_path / "results")
    )
    assert np.abs(kept - before).mean() < 0.25
    assert (learnt - before).mean() > 0.4


def test_no_steps_leave_the_net_as_it_is(data: Path, base: Path, tmp_path: Path):
    for what in ("all", "head", "low-rank"):
        out = tmp_path / what
        tune_net(base, data, out, plan(what=what, steps=0), ONE_THREAD)
        assert changed(base, out) == set()
        tuning = read_info(out).training["tuning"]
        assert tuning["held_out"]["own"]["top1"]["change"] == [0, 0, 0]
        assert tuning["verdict"].startswith("no step answered")


def test_the_best_net_is_kept_and_a_tuning_that_only_harms_stops(
    data: Path, base: Path, tmp_path: Path
):
    out = tmp_path / "net"
    wanted = plan(rate=1.0, steps=400, patience=2, validate_every=2, what="head")
    tune_net(base, data, out, wanted, ONE_THREAD)
    info, found = read_info(out), losses(out)
    assert info.training["steps"] < 400
    assert info.training["validation"]["policy_loss"] == min(found)
    kept = info.training["tuning"]["kept_step"]
    assert found[kept // 2] == min(found)
    assert info.training["steps"] == kept + 2 * 2


def test_a_tuned_net_goes_to_katago_and_back(tuned: Path, tmp_path: Path):
    info, weights = read_weights(tuned)
    write_katago(tmp_path / "tuned.bin.gz", info.config, weights, name="tuned")
    config, back = read_katago(tmp_path / "tuned.bin.gz")
    assert config == info.config
    for name, array in weights.items():
        np.testing.assert_array_equal(back[name], array, err_msg=name)


def test_a_network_file_is_imported_on_the_way(data: Path, base: Path, tmp_path: Path):
    info, weights = read_weights(base)
    write_katago(tmp_path / "n.bin.gz", info.config, weights, name="the-net")
    told = TuningSettings(threads=1, device="cpu", origin="a run", terms="CC0")
    tune_net(tmp_path / "n.bin.gz", data, tmp_path / "net", plan(steps=5), told)
    found = read_info(tmp_path / "net")
    papers = found.training["tuning"]["base"]
    assert (papers["name"], papers["file"], papers["terms"]) == ("the-net", "n.bin.gz", "CC0")
    assert len(papers["sha256"]) == 64
    assert found.origin == f"a run; tuned on the moves of {PERSON} in made for a test"
    assert found.training["tuning"]["terms"] == "base net: CC0; records: none needed"
    card = (tmp_path / "net" / "card.md").read_text("utf-8")
    assert papers["sha256"] in card
    assert "| moves right |" in card


def test_a_tuned_net_is_a_base_in_turn(data: Path, base: Path, tuned: Path, tmp_path: Path):
    tune_net(tuned, data, tmp_path / "again", plan(steps=1), ONE_THREAD)
    papers = read_info(tmp_path / "again").training["tuning"]["base"]
    assert papers["name"] == "all"
    assert papers["base"]["sha256"] == read_info(base).files["weights.safetensors"]


# -- stopped and resumed -------------------------------------------------------------------------


def assert_same(found: Path, wanted: Path) -> None:
    assert changed(found, wanted) == set()
    rows = [
        [{k: v for k, v in row.items() if k != "seconds"} for row in read_metrics(net)]
        for net in (found, wanted)
    ]
    assert rows[0] == rows[1]
    told = [read_info(net).training["tuning"] for net in (found, wanted)]
    assert told[0] == told[1]


@pytest.mark.parametrize("stop", [5, 13])
def test_a_resumed_tuning_ends_as_an_uninterrupted_one(
    stop: int, data: Path, base: Path, tuned: Path, tmp_path: Path
):
    out = tmp_path / "net"
    halted = TuningSettings(threads=1, device="cpu", stop_at=stop)
    assert not tune_net(base, data, out, plan(), halted).finished
    assert not out.exists()
    resumed = TuningSettings(threads=1, device="cpu", resume=True)
    assert tune_net(base, data, out, plan(), resumed).finished
    assert_same(out, tuned)
    assert tune_net(base, data, out, plan(), resumed).stood_there
    (out / "weights.safetensors").unlink()
    with pytest.raises(NetError, match=r"weights\.safetensors"):
        tune_net(base, data, out, plan(), resumed)


def test_adapters_are_resumed_too(data: Path, base: Path, tmp_path: Path):
    wanted = plan(what="low-rank", steps=12)
    tune_net(base, data, tmp_path / "whole", wanted, ONE_THREAD)
    halted = TuningSettings(threads=1, device="cpu", stop_at=7)
    tune_net(base, data, tmp_path / "net", wanted, halted)
    resumed = TuningSettings(threads=1, device="cpu", resume=True)
    tune_net(base, data, tmp_path / "net", wanted, resumed)
    assert_same(tmp_path / "net", tmp_path / "whole")


def test_ctrl_c_leaves_an_exact_checkpoint(data: Path, base: Path, tuned: Path, tmp_path: Path):
    class PressesCtrlC:
        done = 0

        def advance(self, n: int = 1, text: str | None = None) -> None:
            self.done += n
            if n and self.done == 17:
                signal.raise_signal(signal.SIGINT)

    out = tmp_path / "net"
    with pytest.raises(KeyboardInterrupt):
        tune_net(base, data, out, plan(), ONE_THREAD, PressesCtrlC())
    resumed = TuningSettings(threads=1, device="cpu", resume=True)
    assert tune_net(base, data, out, plan(), resumed).finished
    assert_same(out, tuned)


def test_ctrl_c_while_it_measures_loses_no_step(
    data: Path, base: Path, tuned: Path, tmp_path: Path
):
    class PressesCtrlC:
        def advance(self, n: int = 1, text: str | None = None) -> None:
            if text is not None and text.startswith("measuring"):
                raise KeyboardInterrupt

    out = tmp_path / "net"
    with pytest.raises(KeyboardInterrupt):
        tune_net(base, data, out, plan(), ONE_THREAD, PressesCtrlC())
    resumed = TuningSettings(threads=1, device="cpu", resume=True)
    assert tune_net(base, data, out, plan(), resumed).finished
    assert_same(out, tuned)

"""Nets in eight-bit integers: checked before kept, right on small boards, refused when damaged."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Generator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from mariago.cli.main import call
from mariago.errors import NetError
from mariago.nets import (
    NetConfig,
    NetInfo,
    load_net,
    packaged_net,
    parameter_shapes,
    write_katago,
    write_net,
)
from mariago.nets.int8 import Agreement, Bounds
from mariago.nets.quantising import (
    _write_copy,  # pyright: ignore
    quantise_net,
    steps_of,
)
from mariago.nets.sessions import new_session, providers_of
from mariago.players import Limits, make_player
from mariago.rules import Position

CONFIG = NetConfig.of_size(2, 8)
CHECKED = 48
INT8 = "model.int8.onnx"


def weights(seed: int = 0) -> dict[str, np.ndarray]:
    """Weights as even as those of a trained net, with a lively policy."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, shape in parameter_shapes(CONFIG).items():
        around = 1.0 if name.endswith((".scale", ".variance")) else 0.0
        spread = 0.1 if len(shape) == 1 else 1.4 * np.prod(shape[1:]) ** -0.5
        found[name] = (around + rng.normal(0, spread, shape)).astype(np.float32)
    found["policy.p2.weight"] *= 6
    return found


def wrecked() -> dict[str, np.ndarray]:
    """Weights of a block one number of which drowns all others in eight bits."""
    found = weights()
    found["blocks.0.norm1.bias"][0] = 1e6
    found["blocks.0.w1.weight"][:, 0] = 0
    return found


@pytest.fixture(scope="module")
def made(few_positions: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("int8") / "net"
    write_net(folder, NetInfo(config=CONFIG, sizes=("9x9",)), weights(), card="")
    quantise_net(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def few_positions() -> Generator[None]:
    """The peers' test takes as many as people's command does."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("mariago.nets.quantising.RANGE_POSITIONS", 32)
        patched.setattr("mariago.nets.quantising.CHECK_POSITIONS", CHECKED)
        yield


@pytest.fixture
def without_the_work(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quantising in which only the measuring is left out: the graph is the one made before."""
    graph = (made / INT8).read_bytes()
    agreement = Agreement(positions=1, top1=1, policy_kl=0.01, value=0.01, lead=0.1)
    where = "mariago.nets.quantising."
    monkeypatch.setattr(
        f"{where}_packaged_inputs", lambda sides: ({}, {side: [] for side in sides})
    )
    monkeypatch.setattr(f"{where}_quantised", lambda *_: graph)
    monkeypatch.setattr(f"{where}_compared", lambda *_: agreement)


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "net"))


def middle_position(size: int = 9, moves: int = 24) -> Position:
    rng = np.random.default_rng(5)
    position = Position.empty(size, "chinese")
    for _ in range(moves):
        position = position.play(int(rng.choice(position.legal_moves()[:-1])))
    return position


def test_the_report_holds_the_agreement_on_the_sizes_of_the_net(made: Path):
    report = json.loads((made / "int8.json").read_text())
    assert list(report["checked"]) == ["9x9"]
    for found in report["checked"].values():
        assert found["positions"] == CHECKED
        assert found["top1"] >= report["bounds"]["least_top1"]
        assert 0 < found["policy_kl"] <= report["bounds"]["most_policy_kl"]
    assert sorted(p.name for p in made.iterdir() if p.name.startswith(".")) == []


def test_int8_answers_nearly_as_float32_does_and_is_another_graph(made: Path):
    positions = [middle_position(size, moves) for size in (9, 13) for moves in (8, 30)]
    exact = load_net(made).evaluate_positions(positions)
    rough = load_net(made, precision="int8").evaluate_positions(positions)
    assert load_net(made, precision="int8").describe()["precision"] == "int8"
    for a, b, position in zip(exact, rough, positions, strict=True):
        assert not np.array_equal(a.policy, b.policy)
        np.testing.assert_allclose(b.policy, a.policy, atol=0.05)
        assert b.value == pytest.approx(a.value, abs=0.05)
        assert (b.policy[~position.legal_mask()] == 0).all()


def test_a_small_board_in_a_large_field_is_that_board(made: Path):
    """Beside the board int8 keeps exact zeros, so averages, maxima and borders are the board's."""
    from mariago.features import inputs_of_positions

    net = load_net(made, precision="int8")
    positions = [middle_position(9, moves) for moves in (6, 20, 40)]
    planes, values, _ = inputs_of_positions(positions)
    field, _, _ = inputs_of_positions(positions, 19)
    small, large = net.evaluate(planes, values), net.evaluate(field, values)
    board = large.policy[:, :-1].reshape(-1, 19, 19)
    np.testing.assert_allclose(
        board[:, :9, :9].reshape(len(positions), -1), small.policy[:, :-1], atol=1e-3
    )
    np.testing.assert_allclose(large.value, small.value, atol=1e-3)
    np.testing.assert_allclose(large.score, small.score, atol=0.02)
    np.testing.assert_allclose(large.ownership[:, :9, :9], small.ownership, atol=1e-2)
    outside = np.ones((19, 19), bool)
    outside[:9, :9] = False
    assert (board[:, outside] == 0).all()
    assert (large.ownership[:, outside] == 0).all()


def test_players_play_legal_moves_in_int8(made: Path):
    for name in (f"net:{made},precision=int8", f"search:{made},visits=4,precision=int8"):
        player = make_player(name)
        position = Position.empty(9, "tromp_taylor")
        for _ in range(12):
            position = position.play(player.choose(position, Limits()).move)
        assert player.describe()["net"]["precision"] == "int8"


def test_the_same_net_is_quantised_to_the_same_bytes(made: Path, folder: Path):
    quantise_net(folder)
    assert (folder / INT8).read_bytes() == (made / INT8).read_bytes()


def test_progress_counts_each_batch_of_the_ranges_and_of_the_check(folder: Path):
    told: list[int] = []
    quantise_net(folder, advance=lambda: told.append(1))
    assert len(told) == steps_of(folder) == (32 + CHECKED) // 8
    assert (folder / INT8).is_file()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.usefixtures("without_the_work")
def test_a_copy_gets_the_graph_and_the_net_stays_as_it_was(made: Path, tmp_path: Path, capsys):
    net, out = tmp_path / "net", tmp_path / "below" / "copy"
    shutil.copytree(made, net, ignore=shutil.ignore_patterns("*int8*"))
    before = contents(net)
    assert call(["net", "quantise", str(net), "--out", str(out)]) == 0
    assert str(out / INT8) in capsys.readouterr().out
    assert contents(net) == before
    assert contents(out).items() >= before.items()
    assert load_net(out, precision="int8").describe()["precision"] == "int8"
    assert [path.name for path in out.parent.iterdir()] == ["copy"]

    assert call(["net", "quantise", str(net), "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert call(["net", "info", str(net)]) == 0
    assert "int8" not in capsys.readouterr().out
    assert call(["net", "info", str(out)]) == 0
    assert re.search(r"\nint8 .*% on 9x9", capsys.readouterr().out)
    assert call(["net", "quantise", str(net), "--out", str(net / "below")]) == 2
    assert "lies in the net itself" in capsys.readouterr().err
    assert contents(net) == before


@pytest.mark.usefixtures("without_the_work")
def test_the_packaged_net_is_not_written_to_and_a_copy_of_it_can_be(tmp_path: Path, capsys):
    before = contents(packaged_net())
    for named in ("packaged", str(packaged_net())):
        assert call(["net", "quantise", named]) == 2
        told = capsys.readouterr().err
        assert "comes with the package and stays as it is" in told
        assert "--out DIR" in told
    with pytest.raises(NetError) as caught:
        load_net(packaged_net(), precision="int8")
    assert "packaged --out DIR" in (caught.value.hint or "")
    assert call(["net", "quantise", "packaged", "--out", str(tmp_path / "mine")]) == 0
    assert contents(packaged_net()) == before
    assert contents(tmp_path / "mine").keys() == before.keys() | {INT8, "int8.json"}


def test_a_network_file_has_its_graph_beside_it_and_no_copy(tmp_path: Path):
    file = tmp_path / "some.bin.gz"
    write_katago(file, CONFIG, weights())
    with pytest.raises(NetError, match="--out is for net folders"):
        quantise_net(file, out=tmp_path / "copy")


def test_a_net_that_int8_spoils_is_refused_and_stays_as_it_was(tmp_path: Path, capsys):
    net = tmp_path / "net"
    write_net(net, NetInfo(config=CONFIG, sizes=("9x9",)), wrecked(), card="")
    before = {path.name: path.read_bytes() for path in net.iterdir()}
    assert call(["net", "quantise", str(net)]) == 2
    told = capsys.readouterr().err
    assert "int8 answers too differently on 9x9" in told
    assert "nothing was written" in told
    assert {path.name: path.read_bytes() for path in net.iterdir()} == before


@pytest.mark.usefixtures("without_the_work")
def test_stricter_bounds_refuse_and_keep_the_graph_that_was_there(folder: Path):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(NetError, match=r"leads by .* points on average, 1e-09 are allowed"):
        quantise_net(folder, Bounds(most_lead=1e-9))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def other_graph(folder: Path, seed: int = 3) -> None:
    """Make the net in ``folder`` another one, of which there is no int8 graph yet."""
    kept = {name: (folder / name).read_bytes() for name in (INT8, "int8.json")}
    shutil.rmtree(folder)
    write_net(folder, NetInfo(config=CONFIG, sizes=("9x9",)), weights(seed), card="")
    for name, data in kept.items():
        (folder / name).write_bytes(data)


@pytest.mark.usefixtures("without_the_work")
@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_disk_that_fails_while_it_is_written_leaves_the_old_pair(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
):
    from mariago.board.files import write_whole

    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    calls = []

    def full(path: Path, data: bytes | str) -> None:
        calls.append(path)
        if len(calls) == fails_at:
            raise OSError(28, "No space left on device", str(path))
        write_whole(path, data)

    monkeypatch.setattr("mariago.nets.quantising.write_whole", full)
    with pytest.raises(OSError, match="No space left"):
        quantise_net(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.usefixtures("without_the_work")
@pytest.mark.parametrize("stops_at", ["model.int8.onnx", "int8.json"])
def test_stopped_between_the_two_files_it_is_refused_and_can_be_made_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stops_at: str
):
    other_graph(folder)
    replace = Path.replace

    def stopped(path: Path, target: Path) -> Path:
        if target.name == stops_at:
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stopped)
        with pytest.raises(KeyboardInterrupt):
            quantise_net(folder)
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]
    with pytest.raises(NetError) as caught:
        load_net(folder, precision="int8")
    assert "mariago net quantise" in (caught.value.hint or "")
    quantise_net(folder)
    load_net(folder, precision="int8")


@pytest.mark.parametrize("name", [INT8, "int8.json"])
def test_a_folder_in_the_place_of_a_file_is_refused_before_the_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, capsys
):
    def works(*_: object) -> None:
        raise AssertionError("the place was not looked at first")

    monkeypatch.setattr("mariago.nets.quantising._packaged_inputs", works)
    (folder / name).unlink()
    (folder / name).mkdir()
    assert call(["net", "quantise", str(folder)]) == 2
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error:")]
    assert len(told) == 1
    assert f"{name}: is a folder" in told[0]


def test_no_number_is_within_no_bound():
    nan = float("nan")
    assert Agreement(positions=1, top1=1, policy_kl=nan, value=0, lead=0).fault(Bounds())
    assert not Agreement(positions=1, top1=1, policy_kl=0, value=0, lead=0).fault(Bounds())


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (INT8, b"junk", "is not the file that int8.json tells of"),
        (INT8, None, "has no int8 graph"),
        ("int8.json", None, "has no int8 graph"),
        ("int8.json", b"{}", "is no report of an int8 graph"),
    ],
)
def test_a_damaged_int8_graph_ends_in_one_line(folder: Path, name, content, said, capsys):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    load_net(folder)  # float32 is as it was
    arguments = ["match", f"net:{folder},precision=int8", "random", "--games", "2"]
    assert call([*arguments, "--size", "9", "--out", str(folder.parent / "out")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if line.startswith("error:") and said in line]
    assert any("mariago net quantise" in line for line in told if line.startswith("hint:"))


def test_the_int8_graph_of_other_weights_is_refused(folder: Path):
    write_net(folder.with_name("other"), NetInfo(config=CONFIG), weights(1), card="")
    for name in (INT8, "int8.json"):
        shutil.copy(folder / name, folder.with_name("other") / name)
    with pytest.raises(NetError, match="was made of another net"):
        load_net(folder.with_name("other"), precision="int8")


def test_an_unknown_precision_or_device_names_those_there_are(made: Path):
    with pytest.raises(NetError, match="unknown precision 'int4'"):
        load_net(made, precision="int4")
    with pytest.raises(NetError, match="unknown device 'tpu'"):
        load_net(made, device="tpu")


def test_cuda_is_taken_where_it_is_offered_and_refused_where_not(monkeypatch, made: Path):
    """Which names are asked for; whether CUDA computes rightly only a machine with a card tells."""
    monkeypatch.delenv("MARIAGO_DEVICE", raising=False)
    offers = ["CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: offers)
    assert providers_of() == ["CPUExecutionProvider"]
    with pytest.raises(NetError, match="does not offer it"):
        load_net(made, device="cuda")
    offers.insert(0, "CUDAExecutionProvider")
    assert providers_of() == ["CUDAExecutionProvider", "CPUExecutionProvider"]
    assert providers_of("cpu") == ["CPUExecutionProvider"]
    monkeypatch.setenv("MARIAGO_DEVICE", "cpu")
    assert providers_of("auto") == ["CPUExecutionProvider"]


def test_a_session_has_one_thread_that_does_not_spin(made: Path):
    for precision in ("float32", "int8"):
        options = load_net(made, precision=precision).session.get_session_options()
        assert options.intra_op_num_threads == 1
        assert options.inter_op_num_threads == 1
        for kind in ("intra_op", "inter_op"):
            assert options.get_session_config_entry(f"session.{kind}.allow_spinning") == "0"
    assert new_session((made / "model.onnx").read_bytes(), threads=2) is not None


def test_a_copy_for_which_there_is_no_room_is_one_line_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object, **__: object) -> None:
        raise shutil.Error([("a", "b", "[Errno 28] No space left on device: 'a' -> 'b'")])

    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.raises(NetError, match=r"cannot be copied: .*No space left on device"):
        _write_copy(packaged_net(), tmp_path / "copy", b"", "")
    assert not list(tmp_path.iterdir())

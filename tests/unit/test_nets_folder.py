"""Net folders: whole or not at all, and errors that say what to do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mariago.cli.main import call
from mariago.errors import NetError
from mariago.nets import (
    NetConfig,
    NetInfo,
    crop_policy,
    load_net,
    parameter_shapes,
    read_info,
    read_weights,
    write_net,
)

CONFIG = NetConfig.of_size(2, 8)


def random_weights(seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        name: (
            rng.random(shape) + 0.1 if name.endswith("variance") else rng.normal(0, 0.2, shape)
        ).astype(np.float32)
        for name, shape in parameter_shapes(CONFIG).items()
    }


def empty_boards(batch: int, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    planes = np.zeros((batch, 22, rows, columns), np.uint8)
    planes[:, 0] = 1
    return planes, np.zeros((batch, 19), np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    info = NetInfo(config=CONFIG, sizes=("9x9",), origin="random numbers")
    write_net(tmp_path / "net", info, random_weights(), card="# A net\n")
    return tmp_path / "net"


def test_a_written_net_is_read_back(folder: Path):
    info, weights = read_weights(folder)
    assert info.config == CONFIG
    assert info.sizes == ("9x9",)
    for name, array in random_weights().items():
        np.testing.assert_array_equal(weights[name], array)
    assert sorted(p.name for p in folder.parent.iterdir()) == ["net"]


def test_the_same_net_written_twice_has_the_same_bytes(folder: Path):
    write_net(folder.with_name("twin"), read_info(folder), random_weights(), card="# A net\n")
    for path in folder.iterdir():
        assert path.read_bytes() == (folder.with_name("twin") / path.name).read_bytes()


def test_a_net_is_not_overwritten_unasked(folder: Path):
    with pytest.raises(NetError, match="is there already"):
        write_net(folder, read_info(folder), random_weights(1), card="")
    write_net(folder, read_info(folder), random_weights(1), card="", replace=True)
    np.testing.assert_array_equal(
        read_weights(folder)[1]["ginput.weight"], random_weights(1)["ginput.weight"]
    )
    assert sorted(p.name for p in folder.parent.iterdir()) == ["net"]


def test_policy_sums_to_one_and_value_is_win_less_loss(folder: Path):
    found = load_net(folder).evaluate(*empty_boards(3, 9, 9))
    np.testing.assert_allclose(found.policy.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(found.outcome.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(found.value, found.outcome[:, 0] - found.outcome[:, 1])
    assert found.policy.shape == (3, 82)
    assert found.ownership.shape == (3, 9, 9)


@pytest.mark.parametrize("batch", [0, 1, 3, 128, 131])
def test_any_number_of_positions_is_answered_in_order(folder: Path, batch: int):
    net = load_net(folder)
    planes, values = empty_boards(batch, 5, 5)
    values[:, 5] = np.arange(batch) % 7
    found = net.evaluate(planes, values)
    assert found.policy.shape == (batch, 26)
    for i in range(0, batch, 10):
        alone = net.evaluate(planes[i : i + 1], values[i : i + 1])
        np.testing.assert_allclose(found.policy[i], alone.policy[0], atol=1e-6)


def test_illegal_moves_are_taken_away_where_a_mask_is_given(folder: Path):
    legal = np.ones((2, 26), bool)
    legal[0, :10] = False
    legal[1] = False
    found = load_net(folder).evaluate(*empty_boards(2, 5, 5), legal)
    assert (found.policy[0, :10] == 0).all()
    np.testing.assert_allclose(found.policy.sum(axis=1), 1, atol=1e-6)
    assert found.policy[1, -1] == 1  # nothing legal: pass


def test_the_same_question_gets_the_same_bits(folder: Path):
    net = load_net(folder)
    first, second = (net.evaluate(*empty_boards(5, 9, 9)) for _ in range(2))
    np.testing.assert_array_equal(first.policy, second.policy)


def test_a_padded_policy_is_cropped_to_the_board():
    policy = np.arange(2 * 17, dtype=np.float32).reshape(2, 17)
    cropped = crop_policy(policy, (4, 4), (2, 3))
    np.testing.assert_array_equal(cropped[0], [0, 1, 2, 4, 5, 6, 16])
    np.testing.assert_array_equal(cropped[1] - 17, cropped[0])


def test_planes_of_another_shape_are_refused(folder: Path):
    planes, values = empty_boards(2, 9, 9)
    with pytest.raises(NetError, match=r"planes have shape \(2, 18, 9, 9\)"):
        load_net(folder).evaluate(planes[:, :18], values)
    with pytest.raises(NetError, match="globals have shape"):
        load_net(folder).evaluate(planes, values[:1])


def test_an_unknown_key_of_the_architecture_is_an_error(folder: Path):
    found = json.loads((folder / "net.json").read_text())
    found["config"]["attention"] = 3
    (folder / "net.json").write_text(json.dumps(found))
    with pytest.raises(NetError, match=r"config\.attention: unknown key"):
        read_info(folder)


def test_errors_name_what_is_missing_and_what_to_do(folder: Path, tmp_path: Path):
    with pytest.raises(NetError, match="no such folder") as caught:
        load_net(tmp_path / "nowhere")
    assert "mariago net import" in (caught.value.hint or "")
    assert "net train" in (caught.value.hint or "")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NetError, match=r"not a net folder: it has no net\.json"):
        load_net(tmp_path / "empty")
    (folder / "model.onnx").unlink()
    with pytest.raises(NetError, match=r"has no model\.onnx") as caught:
        load_net(folder)
    assert caught.value.hint


def test_a_damaged_file_is_noticed(folder: Path):
    data = bytearray((folder / "weights.safetensors").read_bytes())
    data[-3] ^= 1
    (folder / "weights.safetensors").write_bytes(bytes(data))
    with pytest.raises(NetError, match="not the file that"):
        read_weights(folder)


@pytest.mark.parametrize("name", ["weights.safetensors", "model.onnx"])
def test_info_shows_a_net_and_tells_that_a_file_of_it_is_damaged(folder: Path, name: str, capsys):
    assert call(["net", "info", str(folder)]) == 0
    capsys.readouterr()
    with (folder / name).open("ab") as file:
        file.write(b"more")
    assert call(["net", "info", str(folder)]) == 2
    shown = capsys.readouterr()
    assert shown.out.startswith("size")
    assert f"{name}: is not the file that net.json was written with" in shown.err
    (folder / "card.md").write_text("a note of its owner")
    (folder / name).unlink()
    assert call(["net", "info", str(folder)]) == 2
    assert f"has no {name}" in capsys.readouterr().err


def test_a_net_of_another_format_names_it(folder: Path):
    found = json.loads((folder / "net.json").read_text())
    found["format"] = 99
    (folder / "net.json").write_text(json.dumps(found))
    with pytest.raises(NetError, match="format 99"):
        load_net(folder)


def test_weights_that_do_not_fit_are_refused(tmp_path: Path):
    weights = random_weights()
    del weights["conv1.weight"]
    with pytest.raises(NetError, match=r"lack conv1\.weight"):
        write_net(tmp_path / "net", NetInfo(config=CONFIG), weights, card="")
    assert not any(tmp_path.iterdir())

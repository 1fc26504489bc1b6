"""Checkpoints, models and net folders that are not what was written: one line says so."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

torch = pytest.importorskip("torch")

from mariago.cli.main import call  # noqa: E402
from mariago.errors import BadInputError, NetError  # noqa: E402
from mariago.nets import (  # noqa: E402  # noqa: E402
    NetConfig,
    NetInfo,
    load_net,
    parameter_shapes,
    read_info,
    read_metrics,
    write_net,
)
from mariago.nets.checkpoint import Run  # noqa: E402
from mariago.nets.trainer import find_device  # noqa: E402
from mariago.rules import Position  # noqa: E402

CONFIG = NetConfig.of_size(1, 4)
STATE: dict[str, Any] = {
    "step": 5,
    "net": {"a": torch.zeros(3)},
    "optimizer": {"state": {}},
    "sums": torch.zeros(4),
    "steps_summed": 0,
    "seconds": 1.5,
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made = Run(tmp_path / "net", {"recipe": "r"})
    made.begin()
    made.log({"kind": "train", "step": 5})
    made.save(STATE)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    weights = {n: rng.random(s).astype(np.float32) for n, s in parameter_shapes(CONFIG).items()}
    write_net(tmp_path / "net", NetInfo(config=CONFIG), weights, card="# A net\n")
    return tmp_path / "net"


def sealed(content: object) -> bytes:
    """A checkpoint with the right hash around the wrong content."""
    buffer = io.BytesIO()
    torch.save(content, buffer)
    data = buffer.getvalue()
    return f"mariago checkpoint 2 {hashlib.sha256(data).hexdigest()}\n".encode() + data


def empty_zip(_: bytes) -> bytes:
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    return buffer.getvalue()


def flipped(data: bytes) -> bytes:
    return data[:400] + bytes([data[400] ^ 1]) + data[401:]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "random bytes": lambda _: np.random.default_rng(0).bytes(5000),
    "text": lambda _: b"hello\nworld\n",
    "pickle": lambda _: pickle.dumps({"step": 1}),
    "empty zip": empty_zip,
    "cut in half": lambda data: data[: len(data) // 2],
    "flipped bit": flipped,
    "without its first line": lambda data: data.partition(b"\n")[2],
    "first line alone": lambda data: data.partition(b"\n")[0],
    "a list": lambda _: sealed([1, 2]),
    "no keys": lambda _: sealed({}),
    "a missing key": lambda _: sealed({**STATE, "identity": {"recipe": "r"}}),
    "rows of text": lambda _: sealed({**STATE, "identity": {"recipe": "r"}, "rows": ["x"]}),
    "an object": lambda _: sealed({**STATE, "net": Path("x")}),
}


def test_a_checkpoint_comes_back_as_it_was_saved(run: Run):
    again = Run(run.folder.with_name("net"), {"recipe": "r"})
    state = again.resume()
    assert state["step"] == 5
    assert again.rows == [{"kind": "train", "step": 5}]


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_checkpoint_is_noticed(run: Run, kind: str):
    run.checkpoint.write_bytes(DAMAGE[kind](run.checkpoint.read_bytes()))
    with pytest.raises(NetError, match="the checkpoint is damaged") as caught:
        run.resume()
    assert "delete" in (caught.value.hint or "")


def test_a_checkpoint_of_another_format_says_which(run: Run):
    data = run.checkpoint.read_bytes()
    run.checkpoint.write_bytes(data.replace(b"checkpoint 2", b"checkpoint 7", 1))
    with pytest.raises(NetError, match="is of format 7"):
        run.resume()


def test_a_checkpoint_is_not_begun_over(run: Run):
    before = run.checkpoint.read_bytes()
    with pytest.raises(NetError, match="checkpoint of an earlier training") as caught:
        Run(run.folder.with_name("net"), {}).begin()
    assert "--resume goes on with it" in (caught.value.hint or "")
    assert run.checkpoint.read_bytes() == before


def test_one_process_at_a_time_holds_a_run(tmp_path: Path):
    first, second = (Run(tmp_path / "net", {}) for _ in range(2))
    with first.held(), pytest.raises(NetError, match="another training"), second.held():
        pass
    with second.held():
        pass


def with_model(folder: Path, model: bytes) -> None:
    """Put a model into a net folder, and its hash into net.json."""
    (folder / "model.onnx").write_bytes(model)
    found = json.loads((folder / "net.json").read_text())
    found["files"]["model.onnx"] = hashlib.sha256(model).hexdigest()
    (folder / "net.json").write_text(json.dumps(found))


def foreign_graph(*names: str) -> bytes:
    tensors = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", "n"])
        for name in (*names, "out")
    ]
    nodes = [helper.make_node("Identity", [names[0]], ["out"])]
    graph = helper.make_graph(nodes, "g", tensors[:-1], tensors[-1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def test_a_model_that_is_no_graph_is_refused(folder: Path):
    (folder / "model.onnx").write_bytes(b"junk")
    with pytest.raises(NetError, match="is not the file"):
        load_net(folder)
    with_model(folder, b"junk")
    with pytest.raises(NetError, match="ONNX Runtime") as caught:
        load_net(folder)
    assert "\n" not in str(caught.value)


def test_a_graph_that_breaks_when_asked_is_one_error_and_no_line_of_anothers(folder: Path, capfd):
    graph = onnx.load(folder / "model.onnx")
    first = next(node for node in graph.graph.node if node.op_type == "Conv")
    kernels = [w.name for w in graph.graph.initializer if len(w.dims) == 4]
    first.input[1] = next(name for name in kernels if name != first.input[1])
    with_model(folder, graph.SerializeToString())
    net = load_net(folder, device="cpu")
    with pytest.raises(NetError, match="gives no answer"):
        net.evaluate_positions([Position.empty(9)])
    assert capfd.readouterr().err == ""


def test_the_graph_of_something_else_is_refused(folder: Path):
    whole = onnx.load(folder / "model.onnx")
    with_model(folder, foreign_graph("image"))
    with pytest.raises(NetError, match="its planes is not there"):
        load_net(folder)
    del whole.graph.output[-1]
    with_model(folder, whole.SerializeToString())
    with pytest.raises(NetError, match="graph of something else"):
        load_net(folder)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[]",
        '{"format": ' + "1" * 10_000 + "}",
        '{"format": 1, "config": 3}',
        '{"format": ' + "9" * 4000 + "}",
    ],
)
def test_a_net_json_that_says_nothing_is_refused(folder: Path, text: str):
    (folder / "net.json").write_text(text)
    with pytest.raises(NetError) as caught:
        read_info(folder)
    assert caught.value.hint
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("extra", ["[" * 600 + "]" * 600, '"\\ud800"'])
def test_what_cannot_be_written_again_is_refused(folder: Path, extra: str):
    text = (folder / "net.json").read_text()
    (folder / "net.json").write_text(
        text.replace('"training": {}', f'"training": {{"a": {extra}}}')
    )
    with pytest.raises(NetError, match="does not describe a net"):
        load_net(folder)


@pytest.mark.parametrize(
    "training",
    [
        {"author": "me"},
        {"steps": "many", "validation": 3},
        {"steps": 5, "steps_planned": None, "validation": {"samples": 4, "bands": {"1-30": []}}},
    ],
)
def test_figures_that_a_net_lacks_are_shown_as_unknown(
    folder: Path, training: dict[str, Any], capsys: pytest.CaptureFixture[str]
):
    found = json.loads((folder / "net.json").read_text())
    (folder / "net.json").write_text(json.dumps({**found, "training": training}))
    assert call(["net", "info", str(folder)]) == 0
    assert "unknown" in capsys.readouterr().out


@pytest.mark.parametrize("text", ['{"kind": "train"}\n{"ki', "[1]\n", "\x00", "[" * 100_000])
def test_broken_curves_are_named(folder: Path, text: str):
    (folder / "metrics.jsonl").write_text(text)
    with pytest.raises(NetError, match="is no row of figures") as caught:
        read_metrics(folder)
    assert "delete" in (caught.value.hint or "")


@pytest.mark.parametrize("name", ["meta", "abacus", "", "cuda:x", "cpu:9", "cuda:99999999999999"])
def test_an_unknown_device_names_the_known_ones(name: str):
    with pytest.raises(BadInputError) as caught:
        find_device(name)
    assert "cuda" in (caught.value.hint or "")

"""The net in torch and the ONNX graph built of its weights say the same, on every board size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest

torch = pytest.importorskip("torch")

from mariago.nets.architecture import GoNet, Outputs  # noqa: E402
from mariago.nets.config import NetConfig, parameter_count, parameter_shapes  # noqa: E402
from mariago.nets.graph import build_graph  # noqa: E402

OUTPUTS = ["policy", "value", "score", "ownership"]
CONFIG = NetConfig.of_size(3, 16)


def lively_net(seed: int = 0, config: NetConfig = CONFIG) -> GoNet:
    """A net whose norms are as uneven as those of a trained one."""
    torch.manual_seed(seed)
    net = GoNet(config)
    for name, array in net.state_dict().items():
        if name.endswith((".mean", ".bias")):
            array.normal_(0, 0.3)
        elif name.endswith((".variance", ".scale")):
            array.uniform_(0.5, 2.0)
    return net.eval()


def weights_of(net: GoNet) -> dict[str, npt.NDArray[np.float32]]:
    return {name: array.detach().numpy() for name, array in net.state_dict().items()}


def random_planes(
    seed: int, rows: int, columns: int, field: tuple[int, int] | None = None, batch: int = 2
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Random planes of boards in the top left corner of ``field``, and random globals."""
    rng = np.random.default_rng(seed)
    height, width = field or (rows, columns)
    planes = np.zeros((batch, 22, height, width), np.float32)
    planes[:, :, :rows, :columns] = rng.random((batch, 22, rows, columns)) > 0.7
    planes[:, 0, :rows, :columns] = 1
    return planes, rng.standard_normal((batch, 19)).astype(np.float32)


def ask_torch(net: GoNet, planes: npt.NDArray[np.float32], values: npt.NDArray[np.float32]):
    with torch.no_grad():
        outputs: Outputs = net(torch.from_numpy(planes), torch.from_numpy(values))
    return [output.numpy() for output in outputs]


def ask_onnx(net: GoNet, planes: npt.NDArray[np.float32], values: npt.NDArray[np.float32]):
    session = onnxruntime.InferenceSession(
        build_graph(net.config, weights_of(net)), providers=["CPUExecutionProvider"]
    )
    return session.run(OUTPUTS, {"planes": planes, "globals": values})


def on_board(outputs, field: tuple[int, int], rows: int, columns: int):
    """Crop the policy and ownership of a padded field to the board."""
    policy, value, score, ownership = outputs
    cells = policy[:, :-1].reshape(len(policy), *field)[:, :rows, :columns]
    policy = np.concatenate((cells.reshape(len(policy), -1), policy[:, -1:]), axis=1)
    return [policy, value, score, ownership[:, :rows, :columns]]


def assert_same(found, wanted, tolerance: float = 1e-4) -> None:
    for name, a, b in zip(OUTPUTS, found, wanted, strict=True):
        np.testing.assert_allclose(a, b, atol=tolerance, rtol=tolerance, err_msg=name)


def test_parameters_have_the_names_and_shapes_of_the_table():
    for config in (CONFIG, NetConfig.of_size(1, 8), NetConfig.of_size(4, 24, pool_every=2)):
        state = GoNet(config).state_dict()
        assert {name: tuple(array.shape) for name, array in state.items()} == parameter_shapes(
            config
        )
        assert sum(array.numel() for array in state.values()) == parameter_count(config)


def test_the_graph_is_a_valid_onnx_model():
    model = onnx.load_from_string(build_graph(CONFIG, weights_of(lively_net())))
    onnx.checker.check_model(model, full_check=True)


def test_the_same_weights_give_the_same_bytes():
    weights = weights_of(lively_net())
    assert build_graph(CONFIG, weights) == build_graph(CONFIG, weights)


@pytest.mark.parametrize(("rows", "columns"), [(9, 9), (19, 19), (7, 13), (1, 5), (25, 3)])
def test_torch_and_onnx_agree(rows: int, columns: int):
    net = lively_net()
    inputs = random_planes(1, rows, columns)
    assert_same(ask_onnx(net, *inputs), ask_torch(net, *inputs))


@pytest.mark.parametrize(("rows", "columns"), [(9, 9), (7, 13), (2, 2)])
@pytest.mark.parametrize("ask", [ask_torch, ask_onnx])
def test_padding_to_19_changes_nothing(ask, rows: int, columns: int):
    net = lively_net()
    small, values = random_planes(2, rows, columns)
    padded = np.zeros((len(small), 22, 19, 19), np.float32)
    padded[:, :, :rows, :columns] = small
    outputs = ask(net, padded, values)
    assert_same(on_board(outputs, (19, 19), rows, columns), ask(net, small, values))
    assert (outputs[3][:, rows:] == 0).all()
    assert (outputs[3][:, :, columns:] == 0).all()


def test_off_board_moves_have_no_chance():
    planes, values = random_planes(3, 9, 9, field=(19, 19))
    policy = ask_onnx(lively_net(), planes, values)[0][:, :-1].reshape(-1, 19, 19)
    assert policy[:, 9:].max() < -1e8
    assert policy[:, :, 9:].max() < -1e8


@pytest.mark.parametrize("ask", [ask_torch, ask_onnx])
def test_boards_of_a_batch_do_not_touch_each_other(ask):
    net = lively_net()
    small, small_values = random_planes(4, 9, 9, field=(13, 13))
    large, large_values = random_planes(5, 13, 13)
    mixed = ask(net, np.concatenate((small, large)), np.concatenate((small_values, large_values)))
    for part, inputs in (
        (slice(0, 2), (small, small_values)),
        (slice(2, 4), (large, large_values)),
    ):
        assert_same([output[part] for output in mixed], ask(net, *inputs))


def test_masked_batch_statistics_are_those_of_the_unpadded_boards():
    """Training on padded boards moves the running statistics as training on bare ones does."""
    bare, values = random_planes(6, 9, 9, batch=4)
    padded = np.zeros((4, 22, 19, 19), np.float32)
    padded[:, :, :9, :9] = bare
    states = []
    for planes in (bare, padded):
        net = lively_net().train()
        out: Outputs = net(torch.from_numpy(planes), torch.from_numpy(values))
        (out.value.square().sum() + out.score.square().sum()).backward()
        states.append((net.state_dict(), net.conv1.weight.grad))
    for name, array in states[0][0].items():
        torch.testing.assert_close(array, states[1][0][name], atol=1e-4, rtol=1e-4, msg=name)
    torch.testing.assert_close(states[0][1], states[1][1], atol=1e-3, rtol=1e-3)


def test_playing_uses_running_statistics():
    """The answer to one board does not hang on the others of its batch."""
    net = lively_net()
    planes, values = random_planes(7, 9, 9, batch=8)
    together = ask_onnx(net, planes, values)
    alone = ask_onnx(net, planes[:1], values[:1])
    assert_same([output[:1] for output in together], alone, 1e-5)

"""Networks of every version that is read, against a plain computing of the same file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.plain_katago_net import PlainNet, random_file

from mariago.errors import BadInputError, NetError
from mariago.nets import load_katago_net, read_katago
from mariago.nets.graph import build_graph
from mariago.nets.katago_graph import build_katago_graph
from mariago.nets.katago_layers import read_file
from mariago.nets.katago_people import AREA_PLACE, people_row
from mariago.players import make_player

OLD_KINDS = ["ordinary", "gpool"]
NEW_KINDS = [*OLD_KINDS, "nested", "attention", "feed_forward"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("versions")


@st.composite
def files(draw: st.DrawFn) -> tuple[int, list[str], str, int, int]:
    version = draw(st.integers(8, 17))
    kinds = NEW_KINDS if version >= 15 else OLD_KINDS
    return (
        version,
        draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3)),
        draw(st.sampled_from(["RELU", "MISH", "SILU", "IDENTITY"])) if version >= 11 else "RELU",
        draw(st.integers(0, 2)) if version >= 15 else 0,
        draw(st.integers(0, 2**32 - 1)),
    )


@given(files(), st.integers(2, 6), st.integers(2, 6), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_the_graph_says_what_a_plain_computing_says(
    place: Path, file: tuple[int, list[str], str, int, int], rows: int, columns: int, padding: int
):
    import onnxruntime

    (place / "net.bin").write_bytes(random_file(*file))
    found = read_file(place / "net.bin")
    rng = np.random.default_rng(1)
    board = rng.integers(0, 2, (22, rows, columns)).astype(np.float32)
    board[0] = 1
    global_inputs = rng.normal(0, 0.5, 19).astype(np.float32)
    planes = np.zeros((2, 22, rows + padding, columns + padding), np.float32)
    planes[0, :, :rows, :columns] = board
    planes[1, 0] = 1  # another board beside it, which fills the planes
    session = onnxruntime.InferenceSession(build_katago_graph(found))
    inputs = {"planes": planes, "globals": np.stack([global_inputs, np.zeros(19, np.float32)])}
    policy, value, score, owned = (np.asarray(part)[0] for part in session.run(None, inputs))
    plain = PlainNet(found).run(board, global_inputs)
    field = policy[:-1].reshape(rows + padding, columns + padding)
    on_board = np.append(field[:rows, :columns].ravel(), policy[-1])
    close = {"rtol": 2e-3, "atol": 2e-3}
    np.testing.assert_allclose(on_board, plain[0], **close)
    np.testing.assert_allclose(value, plain[1], **close)
    lead = 1.5 if found.version >= 13 else 1.0
    np.testing.assert_allclose(score, plain[2][:4] * [1, 1, lead, 1], **close)
    np.testing.assert_allclose(owned[:rows, :columns], plain[3], **close)


@pytest.mark.parametrize("profile", ["rank_20k", "preaz_1d", "proyear_1985", "proyear_2023"])
@pytest.mark.parametrize(("rows", "columns", "padding"), [(5, 5, 0), (4, 6, 3)])
def test_a_net_that_imitates_people_says_what_a_plain_computing_says(
    place: Path, profile: str, rows: int, columns: int, padding: int
):
    import onnxruntime

    (place / "people.bin").write_bytes(random_file(15, ["gpool"], "MISH", 0, 5, people=True))
    found = read_file(place / "people.bin")
    board = np.random.default_rng(2).integers(0, 2, (22, rows, columns)).astype(np.float32)
    board[0] = 1
    planes = np.zeros((1, 22, rows + padding, columns + padding), np.float32)
    planes[0, :, :rows, :columns] = board
    session = onnxruntime.InferenceSession(build_katago_graph(found, profile))
    inputs = {"planes": planes, "globals": np.ones((1, 19), np.float32)}
    _, value, _, owned = (np.asarray(part)[0] for part in session.run(None, inputs))
    known = people_row(profile)
    known[AREA_PLACE] = 0.5 * np.log(rows * columns / 361)
    plain = PlainNet(found).run(board, np.ones(19), known)
    np.testing.assert_allclose(value, plain[1], rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(owned[:rows, :columns], plain[3], rtol=2e-3, atol=2e-3)
    other = PlainNet(found).run(board, np.ones(19), np.zeros(192))
    assert np.abs(other[1] - plain[1]).max() > 0.01


def test_a_profile_is_told_asked_for_and_refused(place: Path):
    (place / "people.bin").write_bytes(random_file(15, ["gpool"], "MISH", 0, 5, people=True))
    path = place / "people.bin"
    assert make_player(f"katago:{path}").describe()["net"]["profile"] == "rank_9d"
    assert load_katago_net(path, profile="rank_5k").describe()["profile"] == "rank_5k"
    with pytest.raises(BadInputError, match="no profile 'rank_5q'"):
        load_katago_net(path, profile="rank_5q")
    with pytest.raises(NetError, match="takes what is known of the players, which a net folder"):
        read_katago(path)
    (place / "nobody.bin").write_bytes(random_file(15, ["gpool"], "MISH", 0, 5))
    with pytest.raises(NetError, match="imitates nobody, so not 'rank_5k'"):
        make_player(f"katago:{place / 'nobody.bin'},profile=rank_5k")


def test_the_numbers_of_a_profile_are_those_of_the_table():
    row = people_row("rank_5k")  # 14 places below 10d; KGS; 1 March 2020 is day 18,322
    assert (row[6:40].sum(), row[40:74].sum(), row[74], row[79], row[153]) == (14, 14, 0.5, 1, 1)
    hand = 2 * np.pi * 18322 / 7
    np.testing.assert_allclose(row[87:89], [np.cos(hand), np.sin(hand)], atol=1e-9)
    pro = people_row("proyear_2021")
    assert (pro[6:40].sum(), pro[74], pro[75], pro[157], pro[156]) == (1, 0, 1, 1, 0)
    for wrong in ("", "rank_", "rank_10d", "rank_21k", "proyear_1799", "proyear_2024", "preaz"):
        with pytest.raises(BadInputError):
            people_row(wrong)


@pytest.mark.parametrize("version", [8, 9, 10, 11, 12])
def test_what_the_older_versions_add_is_left_out_of_a_folder(place: Path, version: int):
    import onnxruntime

    (place / "old.bin").write_bytes(random_file(version, ["ordinary", "gpool"], "RELU", 0, 3, g=3))
    config, weights = read_katago(place / "old.bin")
    planes = np.ones((1, 22, 5, 5), np.float32)
    inputs = {"planes": planes, "globals": np.ones((1, 19), np.float32)}
    found = [
        onnxruntime.InferenceSession(graph).run(None, inputs)
        for graph in (
            build_graph(config, weights),
            build_katago_graph(read_file(place / "old.bin")),
        )
    ]
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("version", "kinds", "activation", "tip", "told"),
    [
        (
            15,
            ["attention", "nested"],
            "RELU",
            0,
            "attention and feed-forward and nested bottleneck",
        ),
        (11, ["ordinary"], "MISH", 0, "holds the activation mish"),
        (15, ["ordinary"], "RELU", 2, "ends its trunk in an RMS norm"),
        (15, ["ordinary"], "RELU", 0, "a hidden layer before the pass"),
        (13, ["ordinary"], "RELU", 0, "other scales of its outputs"),
    ],
)
def test_what_a_folder_cannot_hold_is_named_and_can_be_played(
    place: Path, version: int, kinds: list[str], activation: str, tip: int, told: str
):
    path = place / "new.bin.gz"
    path.write_bytes(random_file(version, kinds, activation, tip, 4))
    with pytest.raises(NetError, match=told) as caught:
        read_katago(path)
    assert caught.value.hint == "the player katago:FILE can use it as it is"
    player = make_player(f"katago:{path}")
    assert player.describe()["net"]["format_version"] == version
    assert load_katago_net(path).describe()["parameters"] > 1000

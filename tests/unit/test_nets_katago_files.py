"""KataGo's network files: written, read back to the bit, and refused in one clear line."""

from __future__ import annotations

import contextlib
import gzip
import resource
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.random_nets import random_weights

from mariago.errors import NetError
from mariago.nets import (
    NetConfig,
    load_net,
    parameter_shapes,
    read_katago,
    read_weights,
    write_katago,
)
from mariago.nets.katago_folder import import_katago_net
from mariago.nets.katago_source import LARGEST_NUMBERS

CONFIG = NetConfig.of_size(2, 8)


@st.composite
def configs(draw: st.DrawFn) -> NetConfig:
    width = st.integers(1, 9)
    regular = draw(width)
    return NetConfig(
        blocks=tuple(
            draw(st.lists(st.sampled_from(["ordinary", "gpool"]), min_size=1, max_size=4))
        ),
        channels=draw(width),
        mid_channels=regular + draw(width),
        regular_channels=regular,
        gpool_channels=draw(width),
        policy_channels=draw(width),
        value_channels=draw(width),
        value_hidden=draw(width),
        first_kernel=draw(st.sampled_from([1, 3, 5, 7])),
        norm_epsilon=draw(st.floats(1e-20, 1)),
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(
    configs(), st.integers(0, 2**32 - 1), st.sampled_from([".bin.gz", ".txt.gz", ".bin", ".txt"])
)
@settings(max_examples=60, deadline=None)
def test_any_net_comes_back_from_its_export_to_the_bit(
    place: Path, config: NetConfig, seed: int, ending: str
):
    weights = random_weights(config, seed)
    path = place / f"net{ending}"
    write_katago(path, config, weights)
    again, found = read_katago(path)
    assert again == config
    assert list(found) == list(parameter_shapes(config))
    for name, array in weights.items():
        assert found[name].dtype == np.float32
        assert np.array_equal(found[name].view(np.uint32), array.view(np.uint32)), name


def test_extreme_numbers_survive_as_words(tmp_path: Path):
    weights = random_weights(CONFIG)
    edges = np.finfo(np.float32)
    weights["conv1.weight"].ravel()[:6] = [edges.max, edges.tiny, -edges.max, 1e-45, -0.0, 1 / 3]
    write_katago(tmp_path / "net.txt.gz", CONFIG, weights)
    found = read_katago(tmp_path / "net.txt.gz")[1]["conv1.weight"]
    assert np.array_equal(found.view(np.uint32), weights["conv1.weight"].view(np.uint32))


def test_the_same_net_makes_the_same_bytes_under_a_name_that_katago_takes(tmp_path: Path):
    for name in ("a.bin.gz", "b.bin.gz"):
        write_katago(
            tmp_path / name, CONFIG, random_weights(CONFIG), name="nets/first 手 " + "x" * 99
        )
    data = (tmp_path / "a.bin.gz").read_bytes()
    assert data == (tmp_path / "b.bin.gz").read_bytes()
    word = gzip.decompress(data).split(b"\n")[0].decode()
    assert word == ("nets-first-" + "x" * 99)[:96]


def test_an_imported_net_is_exported_to_the_same_numbers(tmp_path: Path):
    write_katago(tmp_path / "one.bin.gz", CONFIG, random_weights(CONFIG), name="one")
    info = import_katago_net(
        tmp_path / "one.bin.gz", tmp_path / "one", origin="a test", terms="none"
    )
    assert info.imported["name"] == "one"
    assert "a test" in (tmp_path / "one" / "card.md").read_text("utf-8")
    held, weights = read_weights(tmp_path / "one")
    write_katago(tmp_path / "two.bin.gz", held.config, weights, name="one")
    assert (tmp_path / "two.bin.gz").read_bytes() == (tmp_path / "one.bin.gz").read_bytes()
    load_net(tmp_path / "one")
    with pytest.raises(NetError, match="is there already"):
        import_katago_net(tmp_path / "one.bin.gz", tmp_path / "one", origin="a", terms="b")
    with pytest.raises(NetError, match="origin of a net must be told"):
        import_katago_net(tmp_path / "one.bin.gz", tmp_path / "three", origin=" ", terms="b")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_none_is_neither_written_nor_read(tmp_path: Path, bad: float):
    weights = random_weights(CONFIG)
    write_katago(tmp_path / "net.bin", CONFIG, weights)
    data = (tmp_path / "net.bin").read_bytes()
    at = data.index(b"@BIN@") + 5
    (tmp_path / "bad.bin").write_bytes(data[:at] + np.float32(bad).tobytes() + data[at + 4 :])
    with pytest.raises(NetError, match="holds a number that is none"):
        read_katago(tmp_path / "bad.bin")
    weights["policy.p2.weight"][0, 0] = bad
    with pytest.raises(NetError, match=r"none, in policy\.p2\.weight"):
        write_katago(tmp_path / "other.bin", CONFIG, weights)
    assert not (tmp_path / "other.bin").exists()


def test_another_ending_is_refused_before_anything_is_written(tmp_path: Path):
    with pytest.raises(NetError, match="no ending of a KataGo network file"):
        write_katago(tmp_path / "net.onnx", CONFIG, random_weights(CONFIG))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".bin", ".txt", ".bin.gz", ".txt.gz"])
def test_a_file_cut_off_anywhere_is_refused_in_one_line(tmp_path: Path, ending: str):
    write_katago(tmp_path / f"whole{ending}", CONFIG, random_weights(CONFIG))
    data = (tmp_path / f"whole{ending}").read_bytes()
    cut = tmp_path / f"cut{ending}"
    for length in [0, 1, 5, 20, *range(60, len(data) - 40, max(1, len(data) // 40))]:
        cut.write_bytes(data[:length])
        with pytest.raises(NetError) as caught:
            read_katago(cut)
        assert "\n" not in str(caught.value.args[0])


def header(*words: object) -> bytes:
    return "\n".join(map(str, ("net", *words))).encode() + b"\n"


TRUNK = (8, 22, 19, "trunk", 1, 8, 8, 4, 4, 4)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", r"byte 0 .* a word"),
        (header(3, 22, 19), "is of version 3; versions 8 to 17 are read here"),
        (header(18, 22, 19), "is of version 18;"),
        (header("eight"), r"byte 4 .* a whole number"),
        (header(8, 13, 12), "other inputs than 22 planes and 19 globals"),
        (header(15, 22, 19, *[20.0] * 7, 2), "known of the players in a form not known here"),
        (header(15, 22, 19, *[20.0] * 7, 0, 0, 1, 0, 0, 0, 0, 0), "option that is not known"),
        (header(13, 22, 19, "nan"), r"byte 13 .* a number"),
        (header(*TRUNK, "conv1", 5, 5, 22, 8, 2, 2), "dilated convolution"),
        (header(*TRUNK, "conv1", 5, 3, 22, 8, 1, 1), "convolution 5x3"),
        (header(*TRUNK, "conv1", 5, 5, 22, 9, 1, 1), "conv1 has 22 to 9 channels, not 22 to 8"),
        (header(*TRUNK, "conv1", 5, 5, 22, 8, 1, 1) + b"@BIN@123", "an array of 4,400 numbers"),
        (header(*TRUNK, "conv1", 5, 5, 22, 8, 1, 1) + b"0.1 0.2 x", "an array of 4,400 numbers"),
        (header(*TRUNK, "conv1", 1, 1, 22, 8, 1, 1) + b"0 " * 170 + b"x " * 90, "176 numbers"),
        (header(*TRUNK, "conv1", 1, 1, 22, 8, 1, 1) + b"0 " * 99 + b" " * 999, "77 more numbers"),
        (b" " * 100_000 + b"x 8 ", "a word"),
        (b"x" * 100_000, "a word"),
        (bytes(range(256)) * 9, "a word"),
        (b"\x1f\x8b\x08\x00" + bytes(99), "cannot be unpacked|is cut off"),
    ],
)
def test_what_is_no_such_file_is_told_in_one_line(tmp_path: Path, data: bytes, told: str):
    (tmp_path / "net.bin").write_bytes(data)
    with pytest.raises(NetError, match=told):
        read_katago(tmp_path / "net.bin")


def test_claimed_sizes_set_no_memory_aside(tmp_path: Path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    huge = (8, 22, 19, "trunk", 1, 900_000, 8, 4, 4, 4, "conv1", 5, 5, 22, 900_000, 1, 1)
    for data in (header(*huge), gzip.compress(header(*huge) + b"@BIN@" + bytes(10**6))):
        (tmp_path / "net.bin.gz").write_bytes(data)
        with pytest.raises(NetError, match=r"too large|an array of 495,000,000 numbers"):
            read_katago(tmp_path / "net.bin.gz")
    wide = (8, 22, 19, "trunk", 1, 90_000, 8, 4, 4, 4, "conv1", 5, 5, 22, 90_000, 1, 1)
    (tmp_path / "wide.bin.gz").write_bytes(gzip.compress(header(*wide) + b"@BIN@" + bytes(10**6)))
    with pytest.raises(NetError, match="an array of 49,500,000 numbers"):
        read_katago(tmp_path / "wide.bin.gz")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes
    assert LARGEST_NUMBERS == 2**28


def test_an_unknown_block_is_named(tmp_path: Path):
    write_katago(tmp_path / "net.bin", CONFIG, random_weights(CONFIG))
    data = (tmp_path / "net.bin").read_bytes().replace(b"ordinary_block", b"dilated_block", 1)
    (tmp_path / "net.bin").write_bytes(data)
    with pytest.raises(NetError, match="a block of an unknown kind 'dilated_block'"):
        read_katago(tmp_path / "net.bin")


def test_norms_with_different_small_numbers_keep_their_sums(tmp_path: Path):
    weights = random_weights(CONFIG)
    write_katago(tmp_path / "net.bin", CONFIG, weights)
    data = (tmp_path / "net.bin").read_bytes().replace(b"\n1e-05\n", b"\n0.5\n", 1)
    (tmp_path / "net.bin").write_bytes(data)
    config, found = read_katago(tmp_path / "net.bin")
    assert config.norm_epsilon == 1e-20
    name = "blocks.0.norm1.variance"
    np.testing.assert_allclose(found[name], weights[name] + 0.5, rtol=1e-6)
    name = "trunk_norm.variance"
    np.testing.assert_allclose(found[name], weights[name] + 1e-5, rtol=1e-6)


@given(st.binary(max_size=300), st.integers(0, 400), st.booleans())
@settings(max_examples=150, deadline=None)
def test_damage_anywhere_gives_a_net_or_one_error(place: Path, noise: bytes, at: int, packed: bool):
    whole = place / "small.bin"
    if not whole.exists():
        write_katago(whole, NetConfig.of_size(1, 4), random_weights(NetConfig.of_size(1, 4)))
    data = whole.read_bytes()
    data = data[:at] + noise + data[at + len(noise) :]
    (place / "damaged").write_bytes(gzip.compress(data) if packed else data)
    with contextlib.suppress(NetError):
        read_katago(place / "damaged")

"""What a net's outputs say: shares, chances and leads as plain NumPy reckons them, rules minded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mariago.errors import NetError
from mariago.features import inputs_of_positions, planes_of_position
from mariago.nets import Net, NetConfig, NetInfo, load_net, parameter_shapes, write_net
from mariago.nets.folder import read_weights
from mariago.nets.places import OUTPUT_NAMES
from mariago.players import Limits, make_player
from mariago.rules import RULE_SETS, Position
from mariago.search import PlaneEvaluator

CONFIG = NetConfig.of_size(1, 4)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Net:
    """A net that expects a game without result now and then."""
    rng = np.random.default_rng(7)
    shapes = parameter_shapes(CONFIG).items()
    weights = {n: rng.normal(0, 0.5, s).astype(np.float32) for n, s in shapes}
    for name in weights:
        if name.endswith(".variance"):
            weights[name] = np.abs(weights[name]) + np.float32(0.5)
    weights["value.v3.bias"] = np.array([0, 0.5, 2], np.float32)
    folder = tmp_path_factory.mktemp("decoding") / "net"
    write_net(folder, NetInfo(config=CONFIG), weights, card="")
    return load_net(folder)


def played(rules: str, moves: int = 12, size: int = 5) -> Position:
    rng = np.random.default_rng(moves)
    position = Position.empty(size, rules)
    for _ in range(moves):
        position = position.play(int(rng.choice(position.legal_moves())))
    return position


def plain(net: Net, planes, values, legal, without_result: bool):
    """The answer about one position, written out."""
    feed = {"planes": planes.astype(np.float32), "globals": values}
    logits, outcome, scores, owned = (part[0] for part in net.session.run(list(OUTPUT_NAMES), feed))
    chances = np.exp(outcome.astype(np.float64) - outcome.max())
    chances[2] *= without_result
    chances /= chances.sum()
    shares = np.exp(logits.astype(np.float64) - logits.max()) * legal[0]
    lead = scores[2] * 20.0 * (1 - chances[2])
    return shares / shares.sum(), chances, chances[0] - chances[1], lead, owned


@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_game_ends_without_result_under_superko_and_area_counting(net: Net, rules: str):
    position = played(rules)
    can_end_so = rules in ("chinese", "japanese", "korean")  # simple ko
    inputs = inputs_of_positions([position])
    shares, chances, value, lead, owned = plain(net, *inputs, can_end_so)
    found = net.evaluate_positions([position])[0]
    assert (found.outcome[2] > 0.05) == can_end_so
    assert found.outcome[2] == 0 or can_end_so
    np.testing.assert_allclose(found.policy, shares, atol=1e-6)
    np.testing.assert_allclose(found.outcome, chances, atol=1e-6)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.score == pytest.approx(lead, rel=1e-5)
    np.testing.assert_array_equal(found.ownership, owned)


def test_superko_with_territory_leaves_no_result_as_katago_does(net: Net):
    planes, values = planes_of_position(played("japanese"), 5)
    values[0, 6] = 1  # no rule set here has both
    assert net.evaluate(planes, values).outcome[0, 2] > 0.05


@pytest.mark.parametrize("rules", ["chinese", "tromp_taylor"])
def test_search_and_raw_net_say_the_same_of_no_result(net: Net, rules: str):
    from mariago.gtp.raw_net import raw_net

    position = played(rules)
    said = net.evaluate_positions([position])[0]
    seen = PlaneEvaluator(net)([position])
    assert float(seen.value[0]) == pytest.approx(said.value, abs=1e-6)
    told = raw_net(make_player(f"net:{net.folder}"), position, "0")
    line = next(line for line in told.splitlines() if line.startswith("noResult"))
    assert float(line.split()[1]) == pytest.approx(float(said.outcome[2]), abs=1e-6)


def test_positions_of_other_rules_and_sizes_are_told_apart_in_a_batch(net: Net):
    positions = [played(rules, size=size) for rules in RULE_SETS for size in (4, 5, 7)]
    together = net.evaluate_positions(positions)
    for position, found in zip(positions, together, strict=True):
        alone = net.evaluate_positions([position])[0]
        np.testing.assert_allclose(found.policy, alone.policy, atol=1e-5)
        assert found.value == pytest.approx(alone.value, abs=1e-5)
        assert found.policy[~position.legal_mask()].sum() == 0
    assert net.evaluate_positions([]) == []


def test_an_answer_stays_as_it_was_when_another_is_asked_for(net: Net):
    one, other = played("chinese", 3), played("chinese", 15)
    first = net.evaluate(*inputs_of_positions([one]))
    kept = [part.copy() for part in (first.policy, first.outcome, first.score, first.ownership)]
    second = net.evaluate(*inputs_of_positions([other]))
    assert not np.array_equal(second.ownership, kept[3])
    now = (first.policy, first.outcome, first.score, first.ownership)
    for part, before in zip(now, kept, strict=True):
        np.testing.assert_array_equal(part, before)


def test_moves_that_are_illegal_get_nothing_and_without_any_all_goes_to_the_pass(net: Net):
    planes, values, legal = inputs_of_positions([played("chinese", n) for n in range(3)])
    legal[0] = False
    legal[1] = np.arange(26) == 7
    for mask in (legal, legal.astype(np.int64), np.asfortranarray(legal)):
        found = net.evaluate(planes, values, mask)
        assert found.policy[0].tolist() == [0.0] * 25 + [1.0]
        assert found.policy[1].argmax() == 7
        assert found.policy[1, 7] == 1
        np.testing.assert_allclose(found.policy.sum(axis=1), 1, atol=1e-6)
    everything = net.evaluate(planes, values)
    assert (everything.policy > 0).all()
    with pytest.raises(NetError, match="legal mask has shape"):
        net.evaluate(planes, values, legal[:, :-1])


@pytest.mark.parametrize("count", [0, 1, 3, 130])
def test_any_number_of_positions_is_answered(net: Net, count: int):
    planes, values = planes_of_position(played("aga"), 5)
    found = net.evaluate(np.repeat(planes, count, axis=0), np.repeat(values, count, axis=0))
    assert found.policy.shape == (count, 26)
    assert found.ownership.shape == (count, 5, 5)
    assert found.outcome.shape == (count, 3)
    if count:
        np.testing.assert_allclose(found.policy, found.policy[:1].repeat(count, 0), atol=1e-5)


def test_without_binding_as_on_a_card_the_answers_are_the_same(
    net: Net, monkeypatch: pytest.MonkeyPatch
):
    position = played("chinese", 9)
    bound = net.evaluate_positions([position] * 3)
    monkeypatch.setattr("mariago.nets.places._CPU", "another provider")
    again = Net(net.folder.joinpath("model.onnx").read_bytes(), net.info, net.folder)
    for one, other in zip(bound, again.evaluate_positions([position] * 3), strict=True):
        np.testing.assert_array_equal(one.policy, other.policy)
        np.testing.assert_array_equal(one.ownership, other.ownership)
        assert (one.value, one.score) == (other.value, other.score)


def test_threads_do_not_share_a_place(net: Net):
    """Each of them is answered about its own position, however they meet."""
    from concurrent.futures import ThreadPoolExecutor

    positions = [played("chinese", 3 + n) for n in range(8)]
    alone = [net.evaluate_positions([position])[0].policy for position in positions]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: net.evaluate_positions([positions[n % 8]])[0], range(400)))
    for n, said in enumerate(found):
        np.testing.assert_array_equal(said.policy, alone[n % 8])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize(
    "part",
    [
        *("value.v3.bias", "value.sv3.bias", "value.ownership.weight"),
        *("policy.pass.weight", "policy.p2.weight"),
    ],
)
def test_what_is_no_number_is_told_and_not_played_by(net: Net, tmp_path: Path, part: str, bad):
    info, weights = read_weights(net.folder)
    weights[part] = np.full_like(weights[part], bad)
    write_net(tmp_path / "broken", info, weights, card="")
    broken, position = load_net(tmp_path / "broken"), played("chinese", 9)
    with pytest.raises(NetError, match=r"model\.onnx: gives what is no number"):
        broken.evaluate(*inputs_of_positions([position] * 3))
    for name in ("net", "search"):
        with pytest.raises(NetError, match="no number"):
            make_player(f"{name}:{tmp_path / 'broken'}").choose(position, Limits(visits=2))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_inputs_that_are_no_numbers_get_no_answer_and_spoil_no_later_one(net: Net, bad: float):
    planes, values, legal = inputs_of_positions([played("chinese", 9)])
    before = net.evaluate(planes, values, legal)
    with pytest.raises(NetError, match="no number"):
        net.evaluate(planes, np.full_like(values, bad), legal)
    again = net.evaluate(planes, values, legal)
    np.testing.assert_array_equal(before.policy, again.policy)
    np.testing.assert_array_equal(before.ownership, again.ownership)

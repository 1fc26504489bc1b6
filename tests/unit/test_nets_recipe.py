"""Recipes, the order of samples and the learning rate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mariago.errors import NetError
from mariago.nets.config import NetConfig
from mariago.nets.recipe import Training, packaged_recipes, read_recipe, recipe_of
from mariago.nets.schedule import Order, learning_rate

SMALLEST = {"net": {"blocks": 1, "channels": 8}, "training": {"steps": 10}}


def test_every_packaged_recipe_is_read_by_its_name():
    assert "demo" in packaged_recipes()
    for name in packaged_recipes():
        assert read_recipe(name).training.steps > 0


def test_a_recipe_is_read_from_a_file(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text(
        '[net]\nblocks = 2\nchannels = 16\n[training]\nsteps = 7\nsizes = ["13", "9x13"]\n'
    )
    recipe = read_recipe(path)
    assert recipe.net.config().channels == 16
    assert recipe.training.sizes == ("13x13", "9x13")


@pytest.mark.parametrize(
    ("part", "key", "value", "complaint"),
    [
        ("training", "epochs", 3, r"training\.epochs: unknown key"),
        ("net", "attention", True, r"net\.attention: unknown key"),
        ("training", "steps", 0, r"training\.steps"),
        ("training", "sizes", ["round"], r"training\.sizes"),
        ("training", "sizes", "9", r"training\.sizes"),
        ("training", "steps", "7", r"training\.steps"),
        ("training", "steps", 10**30, r"training\.steps"),
        ("training", "steps", True, r"training\.steps"),
        ("training", "symmetries", "yes", r"training\.symmetries"),
        ("training", "learning_rate", float("inf"), r"training\.learning_rate"),
        ("training", "weight_decay", float("inf"), r"training\.weight_decay"),
        ("training", "clip_gradient", float("nan"), r"training\.clip_gradient"),
        ("training", "seed", 2**63, r"training\.seed"),
        ("losses", "policy", float("inf"), r"losses\.policy"),
        ("losses", "tactical", 1e30, r"losses\.tactical"),
        ("losses", "tactical", 1e-30, r"losses\.tactical"),
        ("teacher", "name", ".", r"teacher\.name: '\.' is no name: a letter or digit"),
        ("teacher", "name", "a-b", r"teacher\.name: 'a-b' is no name"),
    ],
)
def test_a_wrong_key_or_value_is_named(part: str, key: str, value: object, complaint: str):
    found = {name: dict(fields) for name, fields in SMALLEST.items()}
    found.setdefault(part, {})[key] = value  # type: ignore[assignment]
    with pytest.raises(NetError, match=complaint):
        recipe_of(found)


def test_a_teacher_that_is_no_part_is_shown_as_one():
    with pytest.raises(NetError, match=r"teacher: is a part of its own: \[teacher\]"):
        recipe_of({**SMALLEST, "teacher": "b6c96"})


def test_a_missing_recipe_names_those_there_are(tmp_path: Path):
    with pytest.raises(NetError, match="no such recipe") as caught:
        read_recipe(tmp_path / "none.toml")
    assert "demo" in (caught.value.hint or "")


def test_losses_that_all_count_nothing_are_refused():
    nothing = {"policy": 0, "value": 0.0, "score": 0}
    with pytest.raises(NetError, match="nothing to learn"):
        recipe_of({**SMALLEST, "losses": nothing})
    assert recipe_of({**SMALLEST, "losses": {**nothing, "score": 1}}).losses.score == 1


@pytest.mark.parametrize(
    "text", ["steps: 3", "a = " + "[" * 100_000, "a = " + "1" * 10_000, "a = '\udcff'"]
)
def test_text_that_is_not_toml_is_named(tmp_path: Path, text: str):
    (tmp_path / "bad.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(NetError, match="not TOML"):
        read_recipe(tmp_path / "bad.toml")


def test_a_net_that_the_exchange_format_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="smaller than mid_channels"):
        NetConfig.of_size(2, 16).model_validate(
            NetConfig.of_size(2, 16).model_dump() | {"regular_channels": 16}
        )


def test_the_rate_warms_up_then_falls_along_a_cosine():
    training = Training(steps=100, warmup_steps=10, learning_rate=1.0, final_rate=0.1)
    rates = [learning_rate(training, step) for step in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[9] == pytest.approx(1.0)
    assert rates[55] == pytest.approx(0.55)
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert 0.1 <= rates[-1] < 0.11


def test_a_short_training_warms_up_for_half_of_it_at_most():
    training = Training(steps=4, warmup_steps=100, learning_rate=1.0)
    assert learning_rate(training, 1) == 1.0


def test_each_sample_comes_once_a_round_and_the_order_follows_the_seed():
    groups = np.zeros(50, np.int64)
    order = Order(Training(steps=100, batch=10, seed=3), groups)
    first = np.concatenate([order.draw(step).indices for step in range(5)])
    second = np.concatenate([order.draw(step).indices for step in range(5, 10)])
    assert sorted(first) == sorted(second) == list(range(50))
    assert not np.array_equal(first, second)
    again = Order(Training(steps=100, batch=10, seed=3), groups)
    np.testing.assert_array_equal(again.draw(7).indices, order.draw(7).indices)
    np.testing.assert_array_equal(again.draw(7).symmetries, order.draw(7).symmetries)
    other = Order(Training(steps=100, batch=10, seed=4), groups)
    assert not np.array_equal(other.draw(7).indices, order.draw(7).indices)


def test_a_batch_holds_one_board_size_unless_mixing_is_asked_for():
    groups = np.arange(90) % 3
    order = Order(Training(steps=100, batch=10), groups)
    for step in range(9):
        assert len(set(groups[order.draw(step).indices])) == 1
    mixed = Order(Training(steps=100, batch=10, one_size_a_batch=False), groups)
    assert any(len(set(groups[mixed.draw(step).indices])) == 3 for step in range(9))


def test_sizes_too_rare_to_fill_a_batch_are_mixed_with_each_other():
    groups = np.array([0] * 40 + [1] * 6 + [2] * 6)
    order = Order(Training(steps=100, batch=10), groups)
    drawn = [set(groups[order.draw(step).indices]) for step in range(5)]
    assert sorted(drawn, key=len) == [{0}, {0}, {0}, {0}, {1, 2}]


def test_a_data_set_smaller_than_a_batch_is_one_batch():
    order = Order(Training(steps=100, batch=256), np.zeros(7, np.int64))
    assert sorted(order.draw(3).indices) == list(range(7))


def test_all_eight_symmetries_are_drawn_or_none():
    groups = np.zeros(64, np.int64)
    drawn = Order(Training(steps=9, batch=64), groups).draw(0).symmetries
    assert set(drawn) == set(range(8))
    still = Order(Training(steps=9, batch=64, symmetries=False), groups).draw(0).symmetries
    assert set(still) == {0}

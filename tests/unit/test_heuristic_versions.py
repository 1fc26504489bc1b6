"""Versions are data, and every term can be switched off by the player's name."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.errors import BadInputError, MariagoError
from mariago.heuristic import groups, score_moves, terms_of_move, version_names, weights_of
from mariago.heuristic.term_list import TERMS
from mariago.players import make_player, resolve_name
from mariago.rules import Position


def middle_game() -> Position:
    rng = np.random.default_rng(5)
    position = Position.empty(9)
    for _ in range(30):
        scores = score_moves(position)
        position = position.play(int(rng.choice(np.argsort(scores[:-1])[-3:])))
    return position


def test_the_scores_are_the_sums_of_the_terms():
    position = middle_game()
    scores = score_moves(position)
    for move in np.flatnonzero(np.isfinite(scores[:-1])):
        assert sum(terms_of_move(position, int(move)).values()) == pytest.approx(
            scores[move], rel=1e-4, abs=0.5
        )


@pytest.mark.parametrize("name", [*groups(), *TERMS])
def test_a_name_switches_off_its_terms_and_no_others(name):
    plain = weights_of("v7")
    off = plain.leaving_out([name])
    gone = {term for term in TERMS if plain.values[term] != off.values[term]}
    meant = set(groups().get(name, {name: "", f"{name}_stone": ""}))
    assert gone <= meant
    assert all(off.values[term] == 0 for term in meant if term in TERMS)


def test_terms_are_switched_off_in_the_players_name():
    name = resolve_name("heuristic:v6,without=self_atari+opening")
    assert name == "heuristic:v6,without=self_atari+opening"
    weights = make_player(name).weights
    assert weights.without == ("opening", "self_atari")
    assert weights.values["self_atari"] == weights.values["corner"] == 0
    assert weights.values["self_atari_stone"] == 0
    assert weights.values["capture"] == 3000
    plain = make_player("heuristic:v6").describe()["weights_sha256"]
    assert make_player(name).describe()["weights_sha256"] != plain


def test_a_name_that_is_no_term_is_refused_in_words():
    with pytest.raises(MariagoError, match="openning"):
        make_player("heuristic,without=openning")
    with pytest.raises(BadInputError) as caught:
        weights_of("v6").leaving_out(["openning"])
    assert caught.value.hint == "did you mean opening?"


def test_each_version_keeps_what_the_one_before_had_found():
    assert version_names()[:6] == ("v1", "v2", "v3", "v4", "v5", "v6")
    assert [n for n, w in weights_of("v1").values.items() if w] == ["centre"]
    assert weights_of("v2").values["self_atari"] < 0 == weights_of("v1").values["self_atari"]
    assert weights_of("v3").values["corner"] > 0 == weights_of("v2").values["corner"]
    assert weights_of("v4").values["jump"] > 0 == weights_of("v3").values["jump"]
    assert weights_of("v5").values["vital"] > max(
        value for name, value in weights_of("v5").values.items() if not name.startswith("vital")
    )
    faults = [*groups()["faults"], "broken_ladder"]
    assert all(weights_of("v6").values[name] < 0 for name in faults)
    assert not any(weights_of("v5").values[name] for name in faults)

"""``kata-raw-nn``: what KataGo says with the same network, field for field."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from tests.peers.test_nets_katago import ANSWERS, NETWORK, position_of

from mariago.gtp import Session, answer
from mariago.players import make_player
from mariago.rules import Game


def figures_of(text: str) -> dict[str, list[float]]:
    """Return the numbers behind each name."""
    found: dict[str, list[float]] = {}
    name = ""
    for word in text.removeprefix("= ").split():
        try:
            found[name].append(float(word))
        except (ValueError, KeyError):
            name = word
            found[name] = []
    return found


def test_the_net_alone_answers_as_in_katago(peer_data: Path) -> None:
    name = f'search:"{peer_data / NETWORK}"'
    session = Session(lambda: make_player(name), name)
    for row in json.loads((peer_data / ANSWERS).read_text())[::6]:
        position = position_of(row)
        session.begin(Game(position))
        found = figures_of(answer(session, "kata-raw-nn 0"))
        policy = np.array([np.nan if p is None else p for p in row["policy"]])
        ours = np.array(found["policy"])
        assert found["symmetry"] == [0]
        assert abs(found["whiteWin"][0] - row["white_win"]) < 1e-3
        assert abs(found["whiteLoss"][0] - row["white_loss"]) < 1e-3
        assert abs(found["whiteLead"][0] - row["white_lead"]) < 1e-2
        assert np.array_equal(np.isnan(ours), np.isnan(policy))
        assert np.nanmax(np.abs(ours - policy)) < 1e-4
        assert abs(found["policyPass"][0] - row["policy_pass"]) < 1e-4
        owned = np.reshape(row["white_ownership"], -1)
        assert np.abs(np.array(found["whiteOwnership"]) - owned).max() < 1e-3


def test_every_symmetry_is_turned_back(peer_data: Path) -> None:
    name = f'search:"{peer_data / NETWORK}"'
    session = Session(lambda: make_player(name), name)
    session.begin(Game(position_of(json.loads((peer_data / ANSWERS).read_text())[3])))
    plain = figures_of(answer(session, "kata-raw-nn 0"))
    for turn in range(1, 8):
        found = figures_of(answer(session, f"kata-raw-nn {turn}"))
        known = ~np.isnan(plain["policy"])
        logs = [np.log(np.array(each["policy"])[known] + 1e-7) for each in (found, plain)]
        assert np.corrcoef(*logs)[0, 1] > 0.9
        assert np.corrcoef(found["whiteOwnership"], plain["whiteOwnership"])[0, 1] > 0.9

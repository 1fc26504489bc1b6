"""Combinations and connections against GNU Go's regression suites; floors may only rise.

Source: GNU Go regression ``atari_atari.tst`` and ``connection.tst``. GNU Go itself fails 5 of 28
and 23 of 128. A reply of ``0`` to ``combination_attack`` is asked for twice; ours is ``PASS``, as
elsewhere in the suite.
"""

from __future__ import annotations

import pytest
from tests.peers.tst_suite import run_suite

from mariago.gtp.analysis.combination import COMMANDS as COMBINATION
from mariago.gtp.analysis.connection import COMMANDS as CONNECTION

# Commands, right, asked; and of the cases up to a number: right, asked.
SUITES = {
    "atari_atari": (COMBINATION, 18, 28, 4, 4, 4),
    "connection": (CONNECTION, 71, 128, 15, 13, 15),
}


@pytest.mark.parametrize("name", SUITES)
def test_the_first_cases_are_answered_right(peer_data, name):
    commands, _, _, last, floor, cases = SUITES[name]
    path = peer_data / "tactics" / "gnugo" / f"{name}.tst"
    outcome = run_suite(path, commands, only=lambda case: case.number <= last)
    print(outcome)
    assert outcome.asked == cases
    assert len(outcome.right) >= floor


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_cases_are_answered_right(peer_data, name):
    commands, floor, cases, *_ = SUITES[name]
    outcome = run_suite(peer_data / "tactics" / "gnugo" / f"{name}.tst", commands)
    print(outcome)
    assert outcome.asked == cases
    assert len(outcome.right) >= floor

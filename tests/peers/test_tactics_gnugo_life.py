"""Life and death against GNU Go's regression suites; floors may only rise.

Source: GNU Go regression ``owl.tst`` and ``semeai.tst``. Cases that ask for a move of a whole
player are not asked. What is not known within the nodes allowed is answered as failed.
"""

from __future__ import annotations

import pytest
from tests.peers.tst_suite import run_suite

from mariago.gtp.analysis.life import COMMANDS

# 48 of semeai.tst came out while an answer hung on what had been read before it.
FLOORS = {"owl": (131, 261), "semeai": (46, 145)}  # right, asked
QUICK_FLOOR, QUICK_CASES = 6, 12  # the first of owl.tst


def suite(peer_data, name):
    return peer_data / "tactics" / "gnugo" / f"{name}.tst"


def test_the_first_owl_cases_are_read_right(peer_data):
    outcome = run_suite(
        suite(peer_data, "owl"), COMMANDS, only=lambda case: case.number <= QUICK_CASES + 1
    )
    print(outcome)
    assert outcome.asked == QUICK_CASES
    assert len(outcome.right) >= QUICK_FLOOR


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOORS)
def test_cases_on_life_and_death_are_read_right(peer_data, name):
    outcome = run_suite(suite(peer_data, name), COMMANDS)
    print(outcome)
    floor, cases = FLOORS[name]
    assert outcome.asked == cases
    assert len(outcome.right) >= floor

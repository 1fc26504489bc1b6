"""Local reading against GNU Go's regression suite of tactical reading; floors may only rise.

Source: GNU Go regression ``reading.tst``. GNU Go itself fails 42 of its 235 cases.
"""

from __future__ import annotations

import pytest
from tests.peers.tst_suite import run_suite

from mariago.gtp.analysis.reading import COMMANDS

FLOOR, CASES, GNU_GO = 198, 235, 193
QUICK_FLOOR, QUICK_CASES = 43, 50  # the first fifty


def suite(peer_data):
    return peer_data / "tactics" / "gnugo" / "reading.tst"


def test_the_first_cases_are_read_right(peer_data):
    outcome = run_suite(suite(peer_data), COMMANDS, only=lambda case: case.number <= QUICK_CASES)
    print(outcome)
    assert outcome.asked == QUICK_CASES
    assert len(outcome.right) >= QUICK_FLOOR


@pytest.mark.slow
def test_more_cases_are_read_right_than_gnu_go_reads(peer_data):
    outcome = run_suite(suite(peer_data), COMMANDS)
    print(outcome)
    assert outcome.asked == CASES
    assert len(outcome.right) >= FLOOR > GNU_GO

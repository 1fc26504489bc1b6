"""What stands beyond doubt against GNU Go's regression suites; floors may only rise.

Source: GNU Go regression suite. ``pytest -s`` prints every miss.
"""

from __future__ import annotations

import pytest
from tests.peers.tst_suite import run_suite

from mariago.gtp.analysis.status import COMMANDS

FLOORS = {"unconditional": (664, 664), "optics": (65, 90)}  # (right, cases)


@pytest.mark.parametrize("suite", FLOORS)
def test_status_is_as_gnugos_suite_says(peer_data, suite):
    floor, cases = FLOORS[suite]
    outcome = run_suite(peer_data / "tactics" / "gnugo" / f"{suite}.tst", COMMANDS)
    print(outcome)
    assert outcome.asked == cases
    assert len(outcome.right) >= floor

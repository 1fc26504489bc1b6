"""The packaged positions: what they hold, and that the tool makes them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from mariago.arena.rating.packaged import LEAD_STEPS, PACKAGED, WIN_STEPS, packaged_positions
from mariago.records.bundled import BUNDLED_ORIGIN, BUNDLED_TERMS

TOOLS = Path(__file__).resolve().parents[2] / "tools"
NET = "nets/g170-b6c96-s175395328-d26788732.bin.gz"


@pytest.fixture(scope="module")
def tool():
    """``tools/rating_positions.py`` as a module."""
    sys.path.insert(0, str(TOOLS))
    try:
        import rating_positions
    finally:
        sys.path.remove(str(TOOLS))
    return rating_positions


def test_the_packaged_positions_are_small_free_and_playable() -> None:
    assert PACKAGED.stat().st_size <= 400_000
    positions = packaged_positions()
    assert positions.labels is not None
    assert (positions.origin, positions.terms) == (BUNDLED_ORIGIN, BUNDLED_TERMS)
    assert len(positions) >= 400
    assert len(positions.games) >= 70
    whole = 0
    for n in range(len(positions)):
        position = positions.position(n)
        legal = position.legal_mask()
        judged = positions.labels.judged[n]
        assert position.is_legal(positions.move_of_record(n))
        assert all(legal[move] for move in judged.moves)
        assert len(judged.moves) == min(10, int(legal.sum()))
        win = positions.labels.win_after[n]
        if len(win):
            whole += 1
            assert np.array_equal(~np.isnan(win), legal), "of a position all moves or none"
    assert whole >= 70


def test_the_teachers_best_move_is_mostly_the_records() -> None:
    positions = packaged_positions()
    assert positions.labels is not None
    same = [
        positions.labels.judged[n].moves[0] == positions.move_of_record(n)
        for n in range(len(positions))
    ]
    assert 0.4 < sum(same) / len(same) < 0.95


@pytest.mark.slow
def test_the_packaged_file_is_what_the_tool_makes(tool, peer_data: Path, tmp_path: Path) -> None:
    from mariago.nets import load_katago_net

    packaged = packaged_positions()
    drawn = tool.drawn_positions(tmp_path)
    assert drawn.sha256 == packaged.sha256
    assert packaged.labels is not None
    wanted = tool.wholly_judged(drawn)
    assert sorted(wanted) == [n for n, w in enumerate(packaged.labels.win_after) if len(w)]
    net = load_katago_net(peer_data / NET)
    assert packaged.labels.teacher["sha256"] == net.describe()["sha256"]
    small = [n for n in wanted if drawn.game_of(n).size.cells < 100][:6]
    for n in [*small, wanted[0]]:
        win, lead = tool.outlooks_of(net, drawn, n)
        assert packaged.labels.win_after[n] == pytest.approx(win, abs=1 / WIN_STEPS, nan_ok=True)
        assert packaged.labels.lead_after[n] == pytest.approx(lead, abs=1 / LEAD_STEPS, nan_ok=True)
        assert packaged.labels.judged[n].moves == tool.judge_by_net(net, drawn.position(n)).moves

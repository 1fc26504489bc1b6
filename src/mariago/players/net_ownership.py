"""Whose each point is, as a net expects it: what counting a finished game asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import BLACK, WHITE

if TYPE_CHECKING:
    from mariago.nets import Net
    from mariago.rules import Position

__all__ = ["expected_ownership", "has_learnt_ownership"]


def has_learnt_ownership(net: Net) -> bool:
    """Say whether a net's ownership means anything: game records alone do not teach it.

    KataGo's nets know it, and nets that learnt from a teacher's labels.
    """
    info = net.info
    if info is None or info.imported:
        return True
    data: dict[str, Any] = info.training.get("data", {})
    shares: dict[str, Any] = info.training.get("recipe", {}).get("losses", {})
    return "teacher" in data and float(shares.get("ownership", 0.0)) > 0


def expected_ownership(net: Net, position: Position) -> npt.NDArray[np.float64] | None:
    """Return (rows, columns), 1 Black's and -1 White's; None where the net has not learnt it.

    The mean over both sides to move and the board's symmetries. The past is forgotten: after two
    passes a net may expect the game to be over as it stands, dead stones and all.
    """
    if not has_learnt_ownership(net):
        return None
    from mariago.search import PlaneEvaluator

    board = position.with_setup(())
    said = PlaneEvaluator(net, 8)([board.with_to_move(color) for color in (BLACK, WHITE)])
    assert said.ownership is not None
    return (said.ownership[0].astype(np.float64) - said.ownership[1]) / 2

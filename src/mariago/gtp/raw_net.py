"""What a player's net says of a position by itself, in the form of KataGo's ``kata-raw-nn``."""

from __future__ import annotations

from typing import Any

import numpy as np

from mariago.board.points import WHITE
from mariago.errors import PlayerError
from mariago.features import planes_of_position
from mariago.features.symmetries import apply_symmetry, apply_symmetry_to_policy, turned_back
from mariago.gtp.arguments import syntax_error, whole
from mariago.players import Player
from mariago.rules import Position

__all__ = ["raw_net"]


def raw_net(player: Player, position: Position, symmetry: str) -> str:
    """Return the net's evaluation under symmetry ``0`` to ``7``, or of all in turn (``all``).

    White's view; the policy is over the legal moves, ``NAN`` on the others.

    Raises:
        BadInputError: no symmetry.
        PlayerError: the player has no net.
    """
    chosen = range(8) if symmetry.lower() == "all" else (whole(symmetry),)
    if not 0 <= chosen[0] < 8:
        raise syntax_error()
    net = getattr(player, "net", None)
    if net is None:
        raise PlayerError("this player has no net: kata-raw-nn needs search:NET or net:NET")
    return "\n".join(_under(net, position, turn) for turn in chosen)


def _under(net: Any, position: Position, symmetry: int) -> str:
    rows, columns = position.size
    planes, values = planes_of_position(position, max(rows, columns))
    board = apply_symmetry(symmetry, planes[:, :, :rows, :columns])
    legal = position.legal_mask()[None]
    turned = apply_symmetry_to_policy(symmetry, legal, position.size)
    said = net.evaluate(board, values, turned)
    policies, owners = turned_back(symmetry, said.policy, said.ownership, position.size)
    policy, owned = policies[0], owners[0]
    sign = 1.0 if position.to_move == WHITE else -1.0
    win, loss, none = (float(share) for share in said.outcome[0])
    white, black = (win, loss) if sign > 0 else (loss, win)
    shares = np.where(legal[0], policy, np.nan)
    return "\n".join(
        [
            f"symmetry {symmetry}",
            f"whiteWin {white:.6f}",
            f"whiteLoss {black:.6f}",
            f"noResult {none:.6f}",
            f"whiteLead {sign * float(said.score[0]):.4f}",
            "policy",
            *(_row(row, 6) for row in shares[:-1].reshape(rows, columns)),
            f"policyPass {shares[-1]:.6f}",
            "whiteOwnership",
            *(_row(row, 4) for row in sign * owned),
        ]
    )


def _row(row: Any, digits: int) -> str:
    return " ".join("NAN" if np.isnan(value) else f"{value:.{digits}f}" for value in row)

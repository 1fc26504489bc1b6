"""A program that answers as KataGo does, by our own net; its first argument is its fault.

``none``, ``crash``, or ``each``: the second position's lead is told for the other side, the third
one's board upside down, and in the fourth a legal move is told as illegal.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FAULT, WAY, *REST = sys.argv[1:]
if WAY == "version":
    print("KataGo v0\nUsing no backend")
    sys.exit(0)

import numpy as np  # noqa: E402

from mariago.board.points import BLACK, size_of, vertex_to_move  # noqa: E402
from mariago.nets import load_katago_net  # noqa: E402
from mariago.rules import Position  # noqa: E402

FAULTS = ["none", "lead", "turned", "legality"]


def told(net: Any, position: Position, fault: str) -> dict[str, Any]:
    """Return what is said, for White; illegal moves are NaN."""
    found = net.evaluate_positions([position])[0]
    sign = -1.0 if position.to_move == BLACK else 1.0
    policy = np.where(position.legal_mask(), found.policy, np.nan)
    owned = sign * found.ownership
    if fault == "turned":
        board = policy[:-1].reshape(owned.shape)[::-1]
        policy, owned = np.append(board.ravel(), policy[-1]), owned[::-1]
    if fault == "legality":
        policy[np.flatnonzero(~np.isnan(policy))[0]] = np.nan
    win, loss = found.outcome[:2] if sign > 0 else found.outcome[1::-1]
    lead = sign * found.score * (-1 if fault == "lead" else 1)
    return {"win": win, "loss": loss, "lead": lead, "policy": policy, "owned": owned.ravel()}


def raw_text(said: dict[str, Any]) -> str:
    """Return the reply to kata-raw-nn."""
    lines = [f"whiteWin {said['win']:.6f}", f"whiteLoss {said['loss']:.6f}"]
    lines += [f"whiteLead {said['lead']:.3f}", "policy"]
    words = ["NAN" if np.isnan(p) else f"{p:.6f}" for p in said["policy"]]
    lines += [" ".join(words[:-1]), f"policyPass {words[-1]}", "whiteOwnership"]
    return "\n".join([*lines, " ".join(f"{x:.7f}" for x in said["owned"])])


def gtp(net: Any) -> None:
    """Answer GTP: what the check asks, and nothing else."""
    size, rules, komi = size_of(19), "chinese", 7.5
    moves: list[str] = []
    asked = 0
    for line in sys.stdin:
        number, command, *words = line.split()
        reply = ""
        if command == "name":
            reply = "KataGo"
        elif command == "boardsize":
            size = size_of(int(words[0]))
        elif command == "rectangular_boardsize":
            size = size_of(f"{words[0]}x{words[1]}")
        elif command == "clear_board":
            moves = []
        elif command == "komi":
            komi = float(words[0])
        elif command == "kata-set-rules":
            rules = words[0]
        elif command == "play":
            moves.append(words[1])
        elif command == "kata-raw-nn":
            if FAULT == "crash":
                sys.exit(3)
            fault = FAULTS[asked % 4] if FAULT == "each" else "none"
            asked += 1
            reply = raw_text(told(net, position_of(size, rules, komi, moves), fault))
        print(f"={number} {reply}\n", flush=True)


def analysis(net: Any) -> None:
    """Answer questions of the analysis engine, for Black."""
    for line in sys.stdin:
        query = json.loads(line)
        size = size_of(f"{query['boardXSize']}x{query['boardYSize']}")
        moves = [vertex for _, vertex in query["moves"]]
        said = told(net, position_of(size, query["rules"], query["komi"], moves), "none")
        value = float(said["loss"] - said["win"])
        answer = {
            "id": query["id"],
            "rootInfo": {"rawWinrate": (1 + value) / 2, "rawLead": float(-said["lead"])},
            "policy": [-1.0 if np.isnan(p) else float(p) for p in said["policy"]],
            "ownership": [float(-x) for x in said["owned"]],
        }
        print(json.dumps(answer), flush=True)


def position_of(size: Any, rules: str, komi: float, moves: list[str]) -> Position:
    """Return the position after moves, Black first."""
    position = Position.empty(size, rules, komi)
    for vertex in moves:
        position = position.play(vertex_to_move(vertex, size))
    return position


if __name__ == "__main__":
    network = load_katago_net(Path(REST[REST.index("-model") + 1]))
    (gtp if WAY == "gtp" else analysis)(network)

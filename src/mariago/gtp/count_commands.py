"""Counting at the end of a game."""

from __future__ import annotations

import numpy as np

from mariago.board.points import move_to_vertex
from mariago.gtp.arguments import Entry, Table, syntax_error
from mariago.gtp.session import Session
from mariago.scoring.finished import dead_stones, final_score

__all__ = ["COMMANDS"]

Words = tuple[str, ...]


def _final_score(session: Session, _words: Words) -> str:
    return str(final_score(session.position, session.guess).result)


def _final_status_list(session: Session, words: Words) -> str:
    """Chains of one status, each on its own line; which chains live in seki is not known."""
    status = words[0].lower()
    if status not in ("alive", "dead", "seki"):
        raise syntax_error()
    if status == "seki":
        return ""
    position, size = session.position, session.size
    dead = dead_stones(position, session.guess).ravel()
    wanted = (position.stones.ravel() != 0) & (dead if status == "dead" else ~dead)
    lines: list[str] = []
    seen: set[int] = set()
    for move in np.flatnonzero(wanted):
        if int(move) not in seen:
            chain = position.chain_at(int(move))
            seen.update(chain)
            lines.append(" ".join(move_to_vertex(stone, size) for stone in chain))
    return "\n".join(lines)


COMMANDS: Table = {
    "final_score": Entry(_final_score),
    "final_status_list": Entry(_final_status_list, 1),
}

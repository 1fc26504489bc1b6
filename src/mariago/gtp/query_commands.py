"""What is on the board, by the names that GNU Go and KataGo gave these commands."""

from __future__ import annotations

import numpy as np

from mariago.board.points import BLACK, COLOR_NAMES, Move, move_to_vertex
from mariago.gtp.arguments import Entry, Table, color, point, vertex
from mariago.gtp.session import Session

__all__ = ["COMMANDS"]

Words = tuple[str, ...]


def _showboard(session: Session, _words: Words) -> str:
    position = session.position
    black, white = position.taken
    handicap = f", handicap {position.handicap}" if position.handicap else ""
    return (
        f"\n{position}\n"
        f"Black has taken {black}, White {white}; move {position.move_number + 1}, "
        f"komi {session.komi:g}, rules {session.rules.name}{handicap}"
    )


def _vertices(session: Session, moves: list[Move] | tuple[Move, ...]) -> str:
    return " ".join(move_to_vertex(move, session.size) for move in moves)


def _color(session: Session, words: Words) -> str:
    found = session.position.color_at(point(words[0], session.size))
    return COLOR_NAMES.get(found, "empty")


def _list_stones(session: Session, words: Words) -> str:
    found = np.flatnonzero(session.position.stones.ravel() == color(words[0]))
    return _vertices(session, [Move(int(move)) for move in found])


def _countlib(session: Session, words: Words) -> str:
    return str(len(session.position.liberties_at(point(words[0], session.size))))


def _findlib(session: Session, words: Words) -> str:
    return _vertices(session, session.position.liberties_at(point(words[0], session.size)))


def _is_legal(session: Session, words: Words) -> str:
    position = session.position.with_to_move(color(words[0]))
    return str(int(position.is_legal(vertex(words[1], session.size))))


def _all_legal(session: Session, words: Words) -> str:
    position = session.position.with_to_move(color(words[0]))
    return _vertices(session, position.legal_moves()[:-1])


def _captures(session: Session, words: Words) -> str:
    return str(session.position.taken[0 if color(words[0]) == BLACK else 1])


def _move_history(session: Session, _words: Words) -> str:
    return "\n".join(
        f"{COLOR_NAMES[side]} {move_to_vertex(move, session.size)}"
        for side, move in reversed(session.game.moves)
    )


def _last_move(session: Session, _words: Words) -> str:
    return _move_history(session, ()).partition("\n")[0]


def _get_komi(session: Session, _words: Words) -> str:
    return f"{session.komi:g}"


def _get_handicap(session: Session, _words: Words) -> str:
    return str(session.position.handicap)


def _query_boardsize(session: Session, _words: Words) -> str:
    rows, columns = session.size
    return str(rows) if rows == columns else f"{columns} {rows}"


COMMANDS: Table = {
    "showboard": Entry(_showboard),
    "color": Entry(_color, 1),
    "list_stones": Entry(_list_stones, 1),
    "countlib": Entry(_countlib, 1),
    "findlib": Entry(_findlib, 1),
    "is_legal": Entry(_is_legal, 2),
    "all_legal": Entry(_all_legal, 1),
    "captures": Entry(_captures, 1),
    "move_history": Entry(_move_history),
    "last_move": Entry(_last_move),
    "get_komi": Entry(_get_komi),
    "get_handicap": Entry(_get_handicap),
    "query_boardsize": Entry(_query_boardsize),
}

"""Boards and moves: sizes, clearing, playing, asking the player for a move, taking back."""

from __future__ import annotations

from mariago.board.points import move_to_vertex, size_of
from mariago.errors import BadInputError, CoordinateError, IllegalMoveError, RulesError
from mariago.gtp.arguments import MANY, Entry, Table, color, real, syntax_error, vertex, whole
from mariago.gtp.session import Session

__all__ = ["COMMANDS"]

Words = tuple[str, ...]


def _boardsize(session: Session, words: Words) -> str:
    columns, rows = whole(words[0]), whole(words[-1])
    try:
        session.clear(size_of((rows, columns)))
    except CoordinateError:
        raise BadInputError("unacceptable size") from None
    return ""


def _rectangular(session: Session, words: Words) -> str:
    sides = words[0].replace("x", ":").split(":") if len(words) == 1 else words
    if len(sides) > 2:
        raise syntax_error()
    return _boardsize(session, tuple(sides))


def _clear_board(session: Session, _words: Words) -> str:
    session.clear()
    return ""


def _komi(session: Session, words: Words) -> str:
    session.set_terms(komi=real(words[0]))
    return ""


def _play(session: Session, words: Words) -> str:
    side = color(words[0])
    try:
        session.play(side, vertex(words[1], session.size))
    except IllegalMoveError:
        raise BadInputError("illegal move") from None
    return ""


def _play_sequence(session: Session, words: Words) -> str:
    if len(words) % 2:
        raise syntax_error()
    pairs = zip(words[::2], words[1::2], strict=True)
    moves = [(color(side), vertex(word, session.size)) for side, word in pairs]
    try:
        session.play_all(moves)
    except IllegalMoveError:
        raise BadInputError("illegal move") from None
    return ""


def _genmove(session: Session, words: Words) -> str:
    side = color(words[0])
    move = session.choose(side)
    if move is None:
        return "resign"
    session.play(side, move)
    return move_to_vertex(move, session.size)


def _reg_genmove(session: Session, words: Words) -> str:
    move = session.choose(color(words[0]))
    return "resign" if move is None else move_to_vertex(move, session.size)


def _undo(session: Session, words: Words) -> str:
    count = whole(words[0]) if words else 1
    try:
        session.undo(count)
    except RulesError:
        raise BadInputError("cannot undo") from None
    return ""


COMMANDS: Table = {
    "boardsize": Entry(_boardsize, 1, 2),
    "rectangular_boardsize": Entry(_rectangular, 1, 2),
    "clear_board": Entry(_clear_board, 0, MANY),
    "komi": Entry(_komi, 1),
    "play": Entry(_play, 2),
    "gogui-play_sequence": Entry(_play_sequence, 0, MANY),
    "genmove": Entry(_genmove, 1),
    "kgs-genmove_cleanup": Entry(_genmove, 1),
    "reg_genmove": Entry(_reg_genmove, 1),
    "undo": Entry(_undo, 0, 0),
    "gg-undo": Entry(_undo, 0, 1),
}

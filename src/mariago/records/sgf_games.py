"""Games of a data set as records: from the moves in ``games.parquet``, or from samples alone.

Samples do not hold every move of a game: some were removed as repeats or never chosen. Each sample
tells its own move and the last five, so gaps of up to five moves close; what stays open is said: a
game may begin at a set-up board or end early, and one with a hole is not given at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mariago.board.points import BLACK, EMPTY, WHITE, Size, opponent
from mariago.errors import BadInputError, IllegalMoveError, RulesError
from mariago.records.schema import unpack_board
from mariago.records.told import PLACES
from mariago.rules import Position, Result
from mariago.sgf.games import ReadGame

__all__ = ["WANTED_COLUMNS", "RebuiltGame", "problem", "rebuild", "recorded"]

WANTED_COLUMNS = [
    "game", "move_number", "rows", "columns", "board", "to_move", "last_moves", "taken_1",
    "taken_2", "move",
]  # fmt: skip
Board = NDArray[np.uint8]


@dataclass(frozen=True)
class RebuiltGame:
    """A game as far as its samples tell."""

    record: ReadGame
    first: int  # number of the first move that is there, 1 where the game is there from its start
    last: int
    moves: int  # of the whole game

    @property
    def is_whole(self) -> bool:
        """Whether every move is there."""
        return self.first == 1 and self.last == self.moves


def recorded(game: dict[str, Any]) -> RebuiltGame:
    """Return a game from its row of ``games.parquet``, which holds the moves."""
    moves = list(zip(game["color_list"], game["move_list"], strict=True))
    flat = game["setup_list"] or []
    setup = [(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, len(flat), 3)]
    return RebuiltGame(_record(game, moves, setup, 1, len(moves)), 1, len(moves), len(moves))


def _record(
    game: dict[str, Any],
    moves: list[tuple[int, int]],
    setup: list[tuple[int, int, int]],
    first: int,
    last: int,
) -> ReadGame:
    return ReadGame(
        size=Size(int(game["rows"]), int(game["columns"])),
        moves=moves,
        setup=setup,
        first_player=moves[0][0],
        handicap=int(game["handicap"]),
        komi=game["komi"],
        rules=game["rules"],
        result=_result(game),
        info=_info(game, first, last, int(game["moves"])),
    )


def rebuild(rows: Sequence[dict[str, Any]], game: dict[str, Any]) -> RebuiltGame | None:
    """Return a game from its samples in order of their moves, None where there is a hole.

    Args:
        rows: samples of one game, with ``WANTED_COLUMNS``.
        game: its row of ``games.parquet``.
    """
    size = Size(int(game["rows"]), int(game["columns"]))
    known = _known_moves(rows)
    first, last = min(known), max(known)
    if len(known) != last - first + 1:
        return None
    boards = {row["move_number"]: unpack_board(row["board"], size.cells) for row in rows}
    start = _start(known, rows[0], boards[rows[0]["move_number"]], size)
    if start is None:
        return None
    number, board = start
    setup = _stones_between(0, np.zeros(size.cells, np.uint8), board)
    replayed = _replayed(board, known, number, boards, size)
    if replayed is None:
        return None
    moves = [known[at] for at in range(number, last + 1)]
    record = _record(game, moves, setup + replayed, number, last)
    return RebuiltGame(record, number, last, int(game["moves"]))


def _result(game: dict[str, Any]) -> Result | None:
    """Return the result as the data set took it, which may repair the text of the record."""
    winner, score = int(game["winner"]), game["score"]
    if score is not None:
        return Result.by_score(float(score))
    if winner in (BLACK, WHITE):
        try:
            told = Result.parse(game["result"])
        except BadInputError:
            told = None
        return told if told and told.winner == winner else Result(winner, None, "won")
    return Result.by_score(0) if winner == 0 else None


def _known_moves(rows: Sequence[dict[str, Any]]) -> dict[int, tuple[int, int]]:
    """Return (colour, move) by the number of the move."""
    known: dict[int, tuple[int, int]] = {}
    for row in rows:
        number, color = int(row["move_number"]), int(row["to_move"])
        known[number] = color, int(row["move"])
        for move in row["last_moves"]:
            number, color = number - 1, opponent(color)
            if move < 0:
                break
            known.setdefault(number, (color, int(move)))
    return known


def _start(
    known: dict[int, tuple[int, int]], row: dict[str, Any], board: Board, size: Size
) -> "tuple[int, Board] | None":
    """Return the earliest move whose board is certain, and that board.

    Where every move from the first on is known and took nothing, the start is the board without
    their stones; else the board is taken back by the two moves whose taken stones are stored.
    """
    number = int(row["move_number"])
    if all(at in known for at in range(1, number)):
        begin = board.copy()
        for at in range(1, number):
            color, move = known[at]
            if move < size.cells and begin[move] == color:
                begin[move] = EMPTY
        if _reaches(begin, known, 1, number, board, size):
            return 1, begin
    begin = board.copy()
    for name in ("taken_1", "taken_2"):
        if number - 1 not in known:
            break
        color, move = known[number - 1]
        if move < size.cells:
            begin[move] = EMPTY
            begin[np.array(row[name], np.int64)] = opponent(color)
        number -= 1
    return number, begin


def _reaches(
    begin: Board, known: dict[int, tuple[int, int]], first: int, stop: int, board: Board, size: Size
) -> bool:
    position = _played(begin, known, first, stop, size)
    return position is not None and bool(np.array_equal(position.stones.ravel(), board))


def _played(
    begin: Board, known: dict[int, tuple[int, int]], first: int, stop: int, size: Size
) -> Position | None:
    try:
        position = Position.from_stones(begin.reshape(size), to_move=known[first][0])
        for at in range(first, stop):
            color, move = known[at]
            position = position.with_to_move(color).play(move)
    except (IllegalMoveError, RulesError):
        return None
    return position


def _replayed(
    board: Board,
    known: dict[int, tuple[int, int]],
    first: int,
    boards: dict[int, Board],
    size: Size,
) -> "list[tuple[int, int, int]] | None":
    """Play all moves; return set-up stones that a record had in its middle, None if impossible."""
    setups: list[tuple[int, int, int]] = []
    try:
        position = Position.from_stones(board.reshape(size), to_move=known[first][0])
        for at in range(first, max(known) + 1):
            color, move = known[at]
            if at in boards and not np.array_equal(position.stones.ravel(), boards[at]):
                stones = _stones_between(at - first, position.stones.ravel(), boards[at])
                setups += stones
                position = position.with_setup([stone[1:] for stone in stones])
            position = position.with_to_move(color).play(move)
    except (IllegalMoveError, RulesError):
        return None
    return setups


def _stones_between(ply: int, before: Board, after: Board) -> list[tuple[int, int, int]]:
    changed = np.flatnonzero(before != after).tolist()
    return [(ply, int(after[move]), move) for move in changed]


def _info(game: dict[str, Any], first: int, last: int, total: int) -> dict[str, str]:
    info = {
        "PB": game["black"],
        "PW": game["white"],
        "BR": game["black_rank"],
        "WR": game["white_rank"],
        "DT": game["date"],
        "EV": game["event"],
        "PC": PLACES.get(game.get("server") or "", ""),
        "RE": game["result"],
        "SO": f"{game['path']} #{game['index_in_file'] + 1}",
    }
    if (first, last) != (1, total):
        info["GC"] = f"moves {first} to {last} of {total}, put together from samples"
    return {name: text for name, text in info.items() if text}


def problem(row: dict[str, Any], game: dict[str, Any], flags: Sequence[str]) -> bytes:
    """Return one sample as an SGF problem: the board, who is to move, and the move played."""
    from mariago.sgf.writer import write_numbers

    size = Size(int(row["rows"]), int(row["columns"]))
    stones = unpack_board(row["board"], size.cells)
    told = ", ".join(f"{name} {row[name]}" for name in flags if row[name])
    side = "Black" if row["to_move"] == BLACK else "White"
    info = {
        "GN": f"{game['game_id']} move {row['move_number']}",
        "SO": f"{game['path']} #{game['index_in_file'] + 1}",
        "GC": f"{side} to move; the next node is the move played" + (f": {told}" if told else ""),
    }
    record = ReadGame(
        size=size,
        moves=[(int(row["to_move"]), int(row["move"]))],
        setup=_stones_between(0, np.zeros(size.cells, np.uint8), stones),
        first_player=int(row["to_move"]),
        handicap=0,
        komi=row["komi"],
        rules=row["rules"],
        result=None,
        info=info,
    )
    data = write_numbers(record)
    usual = record.first_player == BLACK
    # A problem says who is to move even where it is the side that usually begins.
    return data.replace(b"\n", b"PL[B]\n", 1) if usual else data

"""Game records, in and out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mariago.board.files import write_whole
from mariago.errors import BadInputError, MariagoError
from mariago.gtp.arguments import MANY, Entry, Table, whole
from mariago.gtp.session import Session
from mariago.rules import Game, Result
from mariago.scoring.finished import final_score
from mariago.sgf import read_games, write_game

__all__ = ["COMMANDS", "load_game"]

Words = tuple[str, ...]
LARGEST_FILE = 1 << 23  # bytes; reading takes some seconds


def load_game(path: Path, move_number: int | None, rules: object = None) -> tuple[Game, int]:
    """Return the game of a file up to the position before move ``move_number``, and who moves.

    Stones that the record sets up before that move are on the board. Without a number, and with
    one beyond the end, the whole main line is played. ``rules`` hold where the file names none.

    Raises:
        MariagoError, OSError: the file cannot be used.
    """
    if not path.is_file() or path.stat().st_size > LARGEST_FILE:
        raise BadInputError("no file of a usual size", where=path)
    read = read_games(path)[0]
    until = len(read.moves) if move_number is None else max(move_number - 1, 0)
    to_move = read.moves[until][0] if until < len(read.moves) else None
    refusal = None if read.refusal == "no_moves" else read.refusal
    cut = replace(
        read,
        moves=read.moves[:until],
        setup=[stone for stone in read.setup if stone[0] <= until],
        refusal=refusal,
        result=None,
    )
    game = cut.to_game(read.rules or rules)  # pyright: ignore[reportArgumentType]
    return game, game.position.to_move if to_move is None else to_move


def _loadsgf(session: Session, words: Words) -> str:
    path, number = " ".join(words), None
    if len(words) > 1 and words[-1].isascii() and words[-1].isdecimal():
        path, number = " ".join(words[:-1]), whole(words[-1])
    try:
        game, to_move = load_game(Path(path), number, session.rules)
    except (MariagoError, OSError, ValueError):
        raise BadInputError("cannot load file") from None
    session.begin(game, to_move)
    return ""


def _printsgf(session: Session, words: Words) -> str:
    game = session.game
    if game.awaits_count:
        game = _with_result(game, final_score(game.position, session.guess).result)
    data = write_game(game)
    if not words or words == ("-",):
        return data.decode("utf-8", "replace").strip()
    try:
        write_whole(Path(" ".join(words)), data)
    except (OSError, ValueError):
        raise BadInputError("cannot write file") from None
    return ""


def _with_result(game: Game, result: Result) -> Game:
    setups = [(setup.ply, *stone) for setup in game.setups for stone in setup.points]
    return Game.from_moves(
        *(game.start, game.moves),
        setups=setups,
        players=game.players,
        properties=game.properties,
        result=result,
    )


COMMANDS: Table = {
    "loadsgf": Entry(_loadsgf, 1, MANY),
    "printsgf": Entry(_printsgf, 0, MANY),
}

"""How a person names a game or a sample of a data set: ``12``, ``3f29d0fc``, ``12:57``."""

import re
from typing import NamedTuple

from mariago.errors import BadInputError
from mariago.records.manifest import Manifest
from mariago.records.stored import open_games, read_games

__all__ = ["GameName", "find_game"]

SHOWN = 5  # games that a message names
LEAST_DIGITS = 4
MOST_DIGITS = 18  # of a number; more are none that a game or a move has
_ID = re.compile(r"[0-9a-f]{4,16}")


class GameName(NamedTuple):
    """The index of a game in ``games.parquet``, and a move number of it where one is named."""

    game: int
    move_number: int | None


def find_game(manifest: Manifest, text: str) -> GameName:
    """Return the game that a text names.

    A number is the index of the game; four or more hexadecimal digits are the start of its id; any
    other text with a dot or a slash is the end of the path of its file. ``:57`` behind it names the
    sample before move 57.

    Raises:
        BadInputError: no such game, or several; the message names them.
    """
    name, colon, number = text.strip().rpartition(":")
    if not colon:
        name, number = number, ""
    if number and not number.isdecimal():
        name, number = text.strip(), ""
    total = open_games(manifest).num_rows
    if not name or len(number) > MOST_DIGITS:
        raise BadInputError(
            f"{text[:40]!r} names no game", where=manifest.folder, hint="write GAME or GAME:MOVE"
        )
    move_number = int(number) if number else None
    if name.isdecimal() and len(name) <= MOST_DIGITS and int(name) < total:
        return GameName(int(name), move_number)
    found = _by_text(manifest, name.lower() if _ID.fullmatch(name.lower()) else name)
    if len(found) == 1:
        return GameName(found[0], move_number)
    if not found:
        raise BadInputError(
            f"no game is named {name[:200]!r}",
            where=manifest.folder,
            hint=f"a number from 0 to {total - 1:,}, {LEAST_DIGITS} or more digits of a game_id, "
            "or the end of a file's path",
        )
    shown = ", ".join(map(str, found[:SHOWN])) + (", ..." if len(found) > SHOWN else "")
    raise BadInputError(
        f"{len(found):,} games are named {name!r}", where=manifest.folder, hint=f"they are {shown}"
    )


def _by_text(manifest: Manifest, name: str) -> list[int]:
    column = "game_id" if _ID.fullmatch(name) else "path"
    if column == "path" and not re.search(r"[./]", name):
        return []
    values = read_games(manifest, [column]).column(column)
    texts = values.to_pylist()
    if column == "game_id":
        return [game for game, text in enumerate(texts) if text.startswith(name)]
    ends = [game for game, text in enumerate(texts) if text == name or text.endswith("/" + name)]
    return ends or [game for game, text in enumerate(texts) if text.endswith(name)]

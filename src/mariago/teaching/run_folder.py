"""The folder of a run of lessons: what it is about, and the matches in it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from mariago.arena.match import play_match
from mariago.arena.settings import MatchSettings, differences
from mariago.arena.standings import StoredMatch, read_matches
from mariago.arena.store import FILE_NAME, LEAGUE_FILE_NAME
from mariago.board.files import write_whole
from mariago.errors import BadInputError, MatchError

__all__ = [
    "FORMAT",
    "SETTINGS_FILE",
    "begin_run",
    "is_begun",
    "play_once",
    "read_match",
    "refuse_match",
]

SETTINGS_FILE = "settings.json"
FORMAT = 1  # rises when old folders cannot be gone on with


def is_begun(folder: Path) -> bool:
    """Tell whether a folder holds a run to go on with."""
    return (folder / SETTINGS_FILE).exists()


def refuse_match(folder: Path) -> None:
    """Look, before any game is played, whether a folder is that of a match or a league.

    Raises:
        BadInputError: it is.
    """
    for name, held in ((FILE_NAME, "match"), (LEAGUE_FILE_NAME, "league")):
        if (folder / name).exists():
            hint = "choose another --out"
            raise BadInputError(f"the folder holds a {held}", where=folder, hint=hint)


def begin_run(
    folder: Path, kind: str, settings: dict[str, object], *, resume: bool, grows: str = ""
) -> None:
    """Make the folder of a run, or look whether the run in it is this one.

    Args:
        grows: the number that may be larger than when the run began.

    Raises:
        BadInputError: it holds a run and ``resume`` is false, or a run of other settings.
    """
    path = folder / SETTINGS_FILE
    now = {"format": FORMAT, "kind": kind, **settings}
    plain = cast("dict[str, object]", json.loads(json.dumps(now)))
    if not path.exists():
        refuse_match(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(plain, ensure_ascii=False, indent=1) + "\n")
        return
    if not resume:
        hint = "--resume goes on with it; or choose another --out"
        raise BadInputError("the folder holds a run already", where=folder, hint=hint)
    try:
        before: Any = json.loads(path.read_text("utf-8"))
    except ValueError:
        before = None
    if not isinstance(before, dict):
        hint = "choose another --out"
        raise BadInputError("the file was changed or is damaged", where=path, hint=hint)
    known = cast("dict[str, object]", before)
    changed = differences(known, {**plain, grows: known.get(grows)} if grows in known else plain)
    if not changed and grows in known and known != plain:
        changed = _grown(path, known, plain, grows)
    if changed:
        hint = "give the options that it began with, or choose another --out"
        raise BadInputError(
            f"the run there is another one: {'; '.join(changed)}", where=folder, hint=hint
        )


def _grown(path: Path, known: dict[str, object], plain: dict[str, object], grows: str) -> list[str]:
    """Note that a run has become longer; return what is wrong where it has become shorter."""
    then, now = known[grows], plain[grows]
    if not isinstance(then, int) or not isinstance(now, int) or now < then:
        return differences(known, plain)
    write_whole(path, json.dumps(plain, ensure_ascii=False, indent=1) + "\n")
    return []


def read_match(folder: Path) -> StoredMatch:
    """Read one match.

    Raises:
        MatchError: there is none, or it is damaged.
    """
    return read_matches([os.fspath(folder)])[0]


def play_once(
    settings: MatchSettings, folder: Path, *, jobs: int, on_game: Callable[[], None]
) -> StoredMatch:
    """Play a match, or what is left of it, and return it.

    ``on_game`` is called once for every game that is there or comes.

    Raises:
        MatchError, PlayerError, LessonError: see :func:`mariago.arena.match.play_match`.
    """
    if (folder / FILE_NAME).exists():
        try:
            there = read_match(folder)
        except MatchError as error:
            if "no match here" not in error.what:
                raise
        else:
            # Finished ones are not begun again: the folder may have been moved since.
            if len(there.games) == settings.games and _same_games(there.settings, settings):
                for _ in there.games:
                    on_game()
                return there
    play_match(settings, folder, jobs=jobs, resume=True, on_game=lambda _: on_game())
    return read_match(folder)


def _same_games(before: MatchSettings, now: MatchSettings) -> bool:
    names = {"player_a", "player_b"}  # where a book lies does not matter, what it says does
    return before.model_dump(exclude=names) == now.model_dump(exclude=names)

"""How often lessons of other games recur in a game, and how often what recurs holds again.

::

    python tools/lesson_patterns.py ARCHIVE.tar.gz --games 160 --held-out 30

Games are taken evenly from the archive. The first make a table; in the others it is counted for how
many lessons the table knows the pattern, and the position; and, at every 23rd move, how many legal
moves it marks, and for how many of these the facts say what a lesson says.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from mariago.errors import MariagoError
from mariago.lessons import PlayedGame, Teaching, lesson_kind, lessons_of_game, table_of
from mariago.sgf import read_games
from mariago.tactics import facts_of_move

EVERY = 23
SHORTEST = 60  # moves
WINNERS = {"B": 1, "W": 2}


def games_of(archive: Path, count: int) -> list[PlayedGame]:
    """Return so many games of 19x19, evenly from an archive."""
    found: list[PlayedGame] = []
    with tarfile.open(archive) as tar, tempfile.TemporaryDirectory() as folder:
        files = [member for member in tar.getmembers() if member.isfile()]
        place = Path(folder) / "game.sgf"
        for member in files[:: max(1, len(files) // (count + count // 4 + 1))]:
            taken = tar.extractfile(member)
            if taken is None or len(found) == count:
                continue
            place.write_bytes(taken.read())
            try:
                game = read_games(place)[0].to_game()
            except (MariagoError, IndexError):
                continue
            if len(game) >= SHORTEST and game.start.size.rows == 19 and not game.setups:
                moves = tuple((color, int(move)) for color, move in game.moves)
                winner = WINNERS.get(str(game.result)[:1], 0)
                found.append(PlayedGame(game.start, moves, winner, number=len(found)))
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--games", type=int, default=240)
    parser.add_argument("--held-out", type=int, default=40)
    wanted = parser.parse_args()
    games = games_of(wanted.archive, wanted.games + wanted.held_out)
    plain = Teaching(winner_weight=1)
    lessons_of_game(games[0], plain)  # compiles
    started_s = time.process_time()
    taught = [lessons_of_game(game, plain) for game in games]
    spent_s = time.process_time() - started_s
    early = [lesson for found in taught[: wanted.games] for lesson in found]
    late = [lesson for found in taught[wanted.games :] for lesson in found]
    table = table_of((lesson.pattern, 1.0) for lesson in early)
    positions = {lesson.position for lesson in early}
    moves = sum(len(game.moves) for game in games)
    print(f"{len(games)} games, {moves} moves, {1000 * spent_s / len(games):.0f} ms CPU a game")
    print(f"lessons: {dict(Counter(lesson.kind for lesson in (*early, *late)))}")
    print(
        f"{len(early)} lessons make {len(table)} patterns; the most counts {table.counts.max():g}"
    )
    known = np.isin([lesson.pattern for lesson in late], table.keys).mean()
    again = np.mean([lesson.position in positions for lesson in late])
    print(f"of {len(late)} other lessons the pattern is known for {known:.1%}, "
          f"the position for {again:.1%}")  # fmt: skip
    seen = marked = held = 0
    for game in games[wanted.games :]:
        for number, (position, _) in enumerate(game.positions()):
            if number % EVERY == EVERY - 1:
                hits = np.flatnonzero(table.counts_of(position))
                seen, marked = seen + 1, marked + len(hits)
                held += sum(lesson_kind(facts_of_move(position, int(m))) is not None for m in hits)
    print(f"{seen} positions: {marked / seen:.2f} moves marked each; {held / marked:.0%} of them "
          "are lessons by their facts")  # fmt: skip


if __name__ == "__main__":
    main()

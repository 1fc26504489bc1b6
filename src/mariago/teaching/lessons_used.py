"""How often a lesson decided a move: games are gone through again and the player is asked again.

A match keeps moves, not the reasons for them. A player's answers follow from its seed and the
positions alone, so asked again it gives the same ones, this time with the reason.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from mariago.arena.schedule import game_seeds, start_position
from mariago.arena.standings import StoredMatch
from mariago.board.files import write_whole
from mariago.players import Limits, make_player
from mariago.players.lesson_reader import checking
from mariago.teaching.side_books import Side

__all__ = ["Used", "lessons_used", "total_used"]


@dataclass(frozen=True, slots=True)
class Used:
    """Moves of one player of a match that were looked at again."""

    games: int
    moves: int
    """How often the player was asked again."""
    changed: int
    """Moves that a lesson put before another one."""
    differing: int = 0
    """Answers that are not the move of the game: the player does not repeat itself."""

    @property
    def share(self) -> float:
        """Return the changed ones of the moves, from 0 to 1."""
        return self.changed / self.moves if self.moves else 0.0


def total_used(parts: list[Used]) -> Used:
    """Return several together."""
    return Used(
        sum(one.games for one in parts),
        sum(one.moves for one in parts),
        sum(one.changed for one in parts),
        sum(one.differing for one in parts),
    )


def lessons_used(
    match: StoredMatch, folder: Path, most: int, *, side: Side = "a", player: str = ""
) -> Used:
    """Ask a player of a match again in its first ``most`` games; the answer stays in the folder.

    Args:
        player: its name, where that of the match means no book any more (a folder that moved).
    """
    path = folder / f"lessons_used_{side}.json"
    numbers = [game.number for game in match.games[:most]]
    if path.exists():
        kept = json.loads(path.read_text("utf-8"))
        if kept.get("of") == numbers:
            return Used(**kept["used"])
    own = match.settings.player_a if side == "a" else match.settings.player_b
    used = _asked_again(match, most, side, player or own)
    write_whole(path, json.dumps({"of": numbers, "used": asdict(used)}) + "\n")
    return used


def _asked_again(match: StoredMatch, most: int, side: Side, name: str) -> Used:
    settings = match.settings
    moves = changed = differing = 0
    player = make_player(checking(name))
    try:
        for game in match.games[:most]:
            color = game.color_of(side)
            player.new_game(game_seeds(settings.seed, game.number)["ab".index(side)])
            position = start_position(settings, game.start)
            for number, move in enumerate(game.moves):
                if number >= len(game.opening) and position.to_move == color:
                    limits = Limits(moves_left=settings.length_cap - number)
                    decision = player.choose(position, limits)
                    moves += 1
                    changed += "lesson" in decision.facts
                    differing += decision.move != move
                position = position.play(move)
    finally:
        player.close()
    return Used(len(match.games[:most]), moves, changed, differing)

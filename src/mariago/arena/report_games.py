"""The games of a match in its report: a table, and a viewer for every game."""

from __future__ import annotations

from mariago.arena.match import MatchResult
from mariago.arena.records import ENDINGS, SHORT_ENDINGS, GameRecord
from mariago.board.points import BLACK, WHITE
from mariago.reports import Table, Text, played_out
from mariago.reports.folded import FoldedGame
from mariago.words import Texts, texts

__all__ = ["MOST_VIEWERS", "game_blocks", "names_by_color", "viewer"]

MOST_VIEWERS = 400  # a viewer takes some 30 kB of the page


def names_by_color(game: GameRecord, result: MatchResult) -> dict[int, str]:
    """Return who played BLACK and WHITE."""
    names = result.settings.names
    other = "b" if game.black == "a" else "a"
    return {BLACK: names[game.black], WHITE: names[other]}


def game_blocks(result: MatchResult, lang: str) -> list[Table | FoldedGame | Text]:
    """Return the table of all games and their viewers, the first one open."""
    _ = texts(lang)
    columns = [
        *(_("Game"), _("Pair"), _("Black"), _("White"), _("Result")),
        *(_("Lead of A"), _("Moves"), _("Ended")),
    ]
    rows = [
        [
            *(game.number + 1, game.pair + 1, *names_by_color(game, result).values()),
            *(str(game.result), game.lead_of("a"), len(game.moves), _(SHORT_ENDINGS[game.ending])),
        ]
        for game in result.games
    ]
    shown = result.games[:MOST_VIEWERS]
    blocks: list[Table | FoldedGame | Text] = [Table(columns, rows, digits=1)]
    blocks += [viewer(game, result, i == 0, _) for i, game in enumerate(shown)]
    if len(shown) < len(result.games):
        left = len(result.games) - len(shown)
        blocks.append(Text(_("{count} more games lie in the folder games.", count=left)))
    return blocks


def viewer(game: GameRecord, result: MatchResult, opened: bool, _: Texts) -> FoldedGame:
    names = names_by_color(game, result)
    moves = [(BLACK if i % 2 == 0 else WHITE, move) for i, move in enumerate(game.moves)]
    title = _(
        "Game {number}: {black} (Black) – {white} (White), {result}",
        number=game.number + 1,
        black=names[BLACK],
        white=names[WHITE],
        result=game.result,
    )
    notes = ["", *(_("random opening") if i < len(game.opening) else "" for i in range(len(moves)))]
    notes[-1] = _(ENDINGS[game.ending])
    played = played_out(result.settings.size, moves)
    return FoldedGame(played.boards, played.moves, title, notes, opened)

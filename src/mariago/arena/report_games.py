"""The games of a match in its report: a list to sort and search, and a board to step through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mariago.arena.limits import Stand
from mariago.arena.match import MatchResult
from mariago.arena.records import ENDINGS, SHORT_ENDINGS, GameRecord, detail_in_words
from mariago.arena.report_limits import stop_name
from mariago.arena.schedule import colored, start_position
from mariago.arena.second_figures import second_lead
from mariago.board.points import BLACK, WHITE
from mariago.reports import (
    BrowsedGame,
    BrowserColumn,
    GameBrowser,
    PlayedSteps,
    Text,
    played_out,
)
from mariago.words import Texts

__all__ = ["MOST_GAMES", "game_blocks", "names_by_color"]

MOST_GAMES = 2000  # a game takes some 0.5 kB of the page
OPENING = 1  # the browser's flag


def names_by_color(game: GameRecord, result: MatchResult) -> dict[int, str]:
    """Return who played BLACK and WHITE."""
    names = result.settings.names
    other = "b" if game.black == "a" else "a"
    return {BLACK: names[game.black], WHITE: names[other]}


def game_blocks(result: MatchResult, stands: Sequence[Stand], _: Texts) -> list[GameBrowser | Text]:
    """Return the list of the games with its board, which opens at the first of the move limits."""
    if not result.games:
        return [Text(_("There are no games yet."))]
    limits = [stand.limit for stand in stands if stand.limit is not None]
    shown = result.games[:MOST_GAMES]
    columns = [
        *(BrowserColumn(_("Game"), "number"), BrowserColumn(_("Pair"), "number")),
        BrowserColumn(_("Black"), has_choices=True),
        *(BrowserColumn(_("White")), BrowserColumn(_("Result"))),
        *(BrowserColumn(_("Lead of A"), "number"), BrowserColumn(_("Moves"), "number")),
        BrowserColumn(_("Ended"), has_choices=True),
        *([BrowserColumn(_("Second referee"), "number")] if result.second is not None else []),
    ]
    browser = GameBrowser(
        columns,
        [_listed(game, result, _) for game in shown],
        details=[_("Black"), _("White"), _("Result"), _("How it ended"), _("Answer")],
        flags=[_("random opening") if result.settings.openings is None else _("opening")],
        stops=[(stop_name(limit, _), limit) for limit in limits],
        opens_at=limits[0] if limits else 0,
        opens_first=True,
    )
    blocks: list[GameBrowser | Text] = [
        Text(
            _(
                "A game opens at the first move limit, or at its end. The arrow keys step; Home "
                "and End go to the first and the last move."
            )
        ),
        browser,
    ]
    if len(shown) < len(result.games):
        left = len(result.games) - len(shown)
        told = _.several(
            "{count} more game lies in the folder games.",
            "{count} more games lie in the folder games.",
            left,
        )
        blocks.append(Text(told))
    return blocks


def _listed(game: GameRecord, result: MatchResult, _: Texts) -> BrowsedGame:
    names, second = names_by_color(game, result), result.second
    return BrowsedGame(
        game.number + 1,
        [
            *(game.number + 1, game.pair + 1, names[BLACK], names[WHITE], str(game.result)),
            *(game.lead_of("a"), len(game.moves), _(SHORT_ENDINGS[game.ending])),
            *([] if second is None else [second_lead(game, second.recounts, "a")]),
        ],
        details=[
            *(names[BLACK], names[WHITE], str(game.result), _(ENDINGS[game.ending])),
            detail_in_words(game, _),
        ],
        played=_steps(game, result),
    )


def _steps(game: GameRecord, result: MatchResult) -> PlayedSteps:
    moves = colored(result.settings, game.moves, game.start)
    start = np.asarray(start_position(result.settings, game.start).stones)
    played = played_out(result.settings.size, moves, start)
    boards = [np.asarray(board).ravel() for board in played.boards]
    steps = [
        (color, move, [(int(p), int(after[p])) for p in np.flatnonzero(before != after)])
        for (color, move), before, after in zip(moves, boards, boards[1:], strict=False)
    ]
    marks = [OPENING if i < len(game.opening) else -1 for i in range(len(moves))]
    setup = [(point, int(color)) for point, color in enumerate(boards[0]) if color]
    return PlayedSteps(result.settings.size, setup, steps, marks if game.opening else ())

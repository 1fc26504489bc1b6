"""The second referee of a match in its report."""

from __future__ import annotations

from mariago.arena.match import MatchResult
from mariago.arena.outputs import percent, signed
from mariago.arena.records import GameRecord
from mariago.arena.second_figures import SecondFigures, second_lead
from mariago.reports import Callout, Definitions, Section, Table
from mariago.words import Texts

__all__ = ["AT_A_LIMIT", "second_section"]

MOST_LISTED = 200

AT_A_LIMIT = (
    "The two answer different questions where games stop at a move limit: the first counts the "
    "board as it stands, every stone alive; the second says who is ahead as it sees life and death."
)


def second_section(result: MatchResult, _: Texts) -> list[Section]:
    """Return the section; none where no second referee was asked."""
    second = result.second
    if second is None:
        return []
    of_all = f"{second.counted} / {second.asked}"
    items = [
        (_("Second referee"), second.referee),
        (_("Games counted by both"), of_all),
        (_("Other winner"), f"{len(second.differing)}{_(', ')}{percent(second.rate)}"),
        (_("Median difference of A's lead"), signed(second.difference)),
        (_("Score of A by the second referee"), percent(second.score)),
        (_("Score of A by the match's own referee"), percent(result.summary.score)),
    ]
    if second.not_counted:
        items.append((_("Not counted by the second referee"), str(len(second.not_counted))))
    blocks: list[Definitions | Callout | Table] = [Definitions(*items)]
    if any(game.ending in ("limit", "cap") for game in result.games):
        blocks.append(Callout(_(AT_A_LIMIT)))
    by_number = {game.number: game for game in result.games}
    if second.differing:
        rows = [_row(by_number[n], second, _) for n in second.differing[:MOST_LISTED]]
        columns = [_("Game"), _("Moves"), _("Lead of A"), _("by the second referee")]
        blocks.append(Table(columns, rows, caption=_("Games with another winner")))
    if second.not_counted:
        told = [[n + 1, second.recounts[n].detail] for n in second.not_counted[:MOST_LISTED]]
        caption = _("Not counted by the second referee")
        blocks.append(Table([_("Game"), _("What happened")], told, caption=caption))
    return [Section(_("Second referee"), *blocks)]


def _row(game: GameRecord, second: SecondFigures, _: Texts) -> list[object]:
    theirs = second_lead(game, second.recounts, "a")
    return [game.number + 1, len(game.moves), game.lead_of("a"), theirs]

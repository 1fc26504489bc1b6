"""The terms of a run of lessons, in words."""

from __future__ import annotations

from collections.abc import Sequence

from mariago.arena.report import RULES_IN_WORDS
from mariago.arena.settings import MatchSettings
from mariago.lessons import Teaching
from mariago.words import Texts

__all__ = ["how_taught", "term_items"]


def how_taught(teaching: Teaching, _: Texts) -> str:
    """Return to whom good moves are handed, and what the winner's count."""
    to = {
        "other": _("the opponent"),
        "own": _("the player's own side"),
        "both": _("both sides"),
    }[teaching.to]
    return _(
        "Good moves teach: {to}. A winner's move counts {weight}, others 1.",
        to=to,
        weight=f"{teaching.winner_weight:g}",
    )


def term_items(match: MatchSettings, third: Sequence[str], _: Texts) -> list[tuple[str, str]]:
    """Return (name, value) pairs of what all games of a run have in common."""
    limit = match.move_limit
    stopped = (
        _("games go on to two passes")
        if limit is None
        else _(
            "stopped after {moves} moves and counted as it stands, {counting}",
            moves=limit,
            counting=_.term(f"{match.scoring} scoring"),
        )
    )
    return [
        (_("Player A"), match.player_a),
        (_("Player B"), match.player_b),
        (_("Third parties"), ", ".join(third)),
        (_("Board"), str(match.size)),
        (
            _("Rules"),
            _(", ").join([_(RULES_IN_WORDS[match.rules]), f"{_.term('komi')} {match.komi:g}"]),
        ),
        (_("Length of a game"), stopped),
    ]

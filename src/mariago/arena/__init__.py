"""Matches: schedule, games, store, statistics, report.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.arena.match import MatchResult, play_match
    from mariago.arena.records import GameRecord
    from mariago.arena.report import write_report
    from mariago.arena.settings import MatchSettings
    from mariago.arena.standings import Standings, StoredMatch, read_matches, standings_of
    from mariago.arena.store import MatchStore
    from mariago.arena.summary import Summary, summarise

_HOME_OF = {
    "GameRecord": "records",
    "MatchResult": "match",
    "MatchSettings": "settings",
    "MatchStore": "store",
    "Standings": "standings",
    "StoredMatch": "standings",
    "Summary": "summary",
    "play_match": "match",
    "read_matches": "standings",
    "standings_of": "standings",
    "summarise": "summary",
    "write_report": "report",
}

__all__ = [
    "GameRecord",
    "MatchResult",
    "MatchSettings",
    "MatchStore",
    "Standings",
    "StoredMatch",
    "Summary",
    "play_match",
    "read_matches",
    "standings_of",
    "summarise",
    "write_report",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

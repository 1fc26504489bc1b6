"""By how many points the players of several matches led each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mariago.arena.records import GameRecord
from mariago.arena.statistics import Estimate, median_lead

__all__ = ["LeadLine", "lead_lines", "leads_over", "usual_opponent"]


@dataclass(frozen=True, slots=True)
class LeadLine:
    """The first player's median lead over the second, in games counted one way."""

    first: str
    second: str
    counting: str
    """``"territory"`` or ``"area"``; the two are never mixed."""
    lead: Estimate
    """In points; the interval draws whole pairs of games."""
    games: int

    def turned(self) -> LeadLine:
        """Return the same from the second player's side."""
        value, low, high = (None if x is None else 0.0 - x for x in self.lead.as_list())
        lead = Estimate(value, high, low, self.lead.count, self.lead.assumes)
        return LeadLine(self.second, self.first, self.counting, lead, self.games)


def lead_lines(
    matches: Sequence[tuple[Mapping[str, str], Sequence[GameRecord]]],
) -> tuple[LeadLine, ...]:
    """Return the median leads of any number of matches put together.

    Args:
        matches: for each what ``"a"`` and ``"b"`` are called, and its games. Matches of the same
            two, whoever is ``"a"``, become one line for each way of counting.
    """
    pairs: dict[tuple[str, str, str], dict[tuple[int, int], list[float]]] = {}
    for number, (names, games) in enumerate(matches):
        if names["a"] == names["b"]:
            continue
        for game in games:
            lead = game.lead_of("a")
            if lead is None:
                continue
            key, sign = (names["a"], names["b"], game.counting), 1.0
            other = (names["b"], names["a"], game.counting)
            if other in pairs:
                key, sign = other, -1.0
            pairs.setdefault(key, {}).setdefault((number, game.pair), []).append(sign * lead)
    return tuple(
        LeadLine(*key, median_lead(list(found.values())), sum(map(len, found.values())))
        for key, found in pairs.items()
    )


def leads_over(lines: Sequence[LeadLine], opponent: str) -> list[LeadLine]:
    """Return the median leads over one player, by name and version, ``v9`` before ``v10``."""
    met = [line for line in lines if line.second == opponent]
    met += [line.turned() for line in lines if line.first == opponent]
    return sorted(met, key=lambda line: (_in_order(line.first), line.counting))


def _in_order(name: str) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", name)
    return [(int(part[:18]), "") if k % 2 else (0, part) for k, part in enumerate(parts)]


def usual_opponent(lines: Sequence[LeadLine], names: Sequence[str]) -> str | None:
    """Return the player whom the most others met; of equals the last of ``names``."""
    met = {name: len({line.first for line in leads_over(lines, name)}) for name in reversed(names)}
    found = max(met, key=lambda name: met[name], default=None)
    return found if found is not None and met[found] else None

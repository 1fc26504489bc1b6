"""Where the players of one or several matches stand: ratings, cross table, games, faults."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from mariago.arena.notes import Listed, Note
from mariago.arena.records import Ending, GameRecord
from mariago.arena.settings import MatchSettings
from mariago.arena.standings_leads import LeadLine, lead_lines
from mariago.arena.standings_notes import (
    TERMS,
    against_itself,
    counted_alike,
    counted_once,
    differing_terms,
    notes_of_match,
    notes_of_ratings,
    one_name,
)
from mariago.arena.statistics import Estimate, Outcome, Ratings, rate_outcomes
from mariago.arena.statistics.ratings import Model
from mariago.arena.stopping import complete_pairs, counted_games
from mariago.arena.store import MatchStore
from mariago.errors import MatchError

__all__ = ["PlayerLine", "Standings", "StoredMatch", "read_matches", "standings_of"]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as its store keeps it."""

    place: str
    settings: MatchSettings
    players: dict[str, dict[str, object]]
    """What ``"a"`` and ``"b"`` said of themselves."""
    games: tuple[GameRecord, ...]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player's line."""

    name: str
    elo: Estimate
    group: int
    """Players of different groups never met, not even through others; from 1."""
    games: int
    """Those of complete pairs; so are wins, draws and losses."""
    wins: int
    draws: int
    """Half a point each, no result included."""
    losses: int
    wins_without_faults: int
    illegal: int
    faults: int
    missing: int

    @property
    def points(self) -> float:
        """Return win 1, draw and no result 1/2."""
        return self.wins + self.draws / 2


@dataclass(frozen=True, slots=True)
class Standings:
    """Players, best first within their group, and what the figures rest on."""

    lines: tuple[PlayerLine, ...]
    ratings: Ratings
    descriptions: dict[str, dict[str, object]]
    terms: dict[str, object]
    """Board, rules and the like; empty where matches of several kinds are taken together."""
    matches: int
    notes: tuple[Note, ...]
    leads: tuple[LeadLine, ...] = ()
    """Who led whom by how much, over all matches of the two."""


def read_matches(places: Sequence[str]) -> list[StoredMatch]:
    """Read the matches in folders, SQLite files or databases; a match given twice counts once.

    Of a place with several matches, as a league's folder is, all are read, or the one that
    ``#2`` after it names.

    Raises:
        MatchError: a place without a match, or one that is damaged.
    """
    found: dict[tuple[str, int], StoredMatch] = {}
    for place in places:
        stores = MatchStore.open_all(place)
        try:
            for one in stores:
                path = one.path.resolve() if isinstance(one.path, Path) else one.path
                name = place if len(stores) == 1 else f"{place}#{one.number}"
                key = f"{path}", one.number
                if key not in found:
                    stored = StoredMatch(name, one.settings(), one.players(), tuple(one.games()))
                    found[key] = stored
        finally:
            stores[0].close()
    return list(found.values())


def _once(matches: Sequence[StoredMatch]) -> tuple[list[StoredMatch], list[Note]]:
    """Return the matches without those whose games another one holds too, and what to say."""
    kept: list[StoredMatch] = []
    notes: list[Note] = []
    for match in matches:
        same = next(
            (m for m in kept if m.games == match.games and m.players == match.players), None
        )
        if same is not None and match.games:
            notes.append(counted_once(match.place, same.place))
        else:
            kept.append(match)
    return kept, notes


def standings_of(
    matches: Sequence[StoredMatch],
    *,
    model: Model = "davidson",
    anchor: str | None = None,
    mixed: bool = False,
) -> Standings:
    """Return where the players of ``matches`` stand.

    A player is one with a description: equal ones are one player in all matches, different ones
    with one name are numbered.

    Args:
        anchor: the player whose rating is 0; without one the mean is.
        mixed: take matches of different boards, rules, komi and limits together.

    Raises:
        MatchError: matches on different terms, or an anchor that did not play.
    """
    matches, notes = _once(matches)
    differ = differing_terms([match.settings for match in matches])
    notes += _notes_of_terms(differ, mixed)
    labels, descriptions, told = _labels(matches)
    notes += told
    outcomes: list[Outcome] = []
    faults: dict[str, Counter[Ending]] = defaultdict(Counter)
    missing: Counter[str] = Counter()
    played: list[tuple[dict[str, str], tuple[GameRecord, ...]]] = []
    for number, match in enumerate(matches):
        names = labels[number]
        counted = counted_games(match.settings, match.games)
        if names["a"] == names["b"]:
            notes.append(against_itself(match.place, names["a"], len(counted.games)))
            continue
        notes += notes_of_match(match.place, counted)
        played.append((names, counted.games))
        absent = counted.last + 1 - len(counted.games)
        for player in ("a", "b"):
            missing[names[player]] += absent
        for game in counted.games:
            if game.by_fault:
                loser = "b" if game.points_of("a") == 1 else "a"
                faults[names[loser]][game.ending] += 1
        outcomes += [
            Outcome(names["a"], names["b"], game.points_of("a"), (number, pair), game.by_fault)
            for pair, both in complete_pairs(counted.games).items()
            for game in both
        ]
    ratings = rate_outcomes(outcomes, model=model, anchor=_anchor(anchor, outcomes, descriptions))
    notes += notes_of_ratings(ratings)
    everybody = dict.fromkeys(name for names in labels for name in names.values())
    lines = _lines(everybody, ratings, faults, missing)
    terms = _terms(matches[0].settings) if matches and not differ.parts else {}
    return Standings(
        tuple(lines),
        ratings,
        descriptions,
        terms,
        len(matches),
        tuple(dict.fromkeys(notes)),
        lead_lines(played),
    )


def _terms(settings: MatchSettings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in TERMS}


def _notes_of_terms(differ: Listed, mixed: bool) -> list[Note]:
    """Return what is to be said of matches on different terms, refused unless ``mixed``."""
    if not differ.parts:
        return []
    if not mixed:
        raise MatchError(
            f"the matches were played on different terms: {differ}",
            hint="give matches of one kind, or --mixed to count wins of all kinds alike",
        )
    return [counted_alike(differ)]


def _labels(
    matches: Sequence[StoredMatch],
) -> tuple[list[dict[str, str]], dict[str, dict[str, object]], list[Note]]:
    """Return each match's players by letter, the descriptions by label, and what is to be said."""
    known: dict[str, dict[str, dict[str, object]]] = {}  # name -> spelling -> description
    for match in matches:
        for player, description in match.players.items():
            same_name = known.setdefault(_name(match, player), {})
            same_name.setdefault(_spelled(description), description)
    label_of: dict[tuple[str, str], str] = {}
    descriptions: dict[str, dict[str, object]] = {}
    notes: list[Note] = []
    for name, variants in known.items():
        for number, (spelling, description) in enumerate(variants.items(), 1):
            label = name if len(variants) == 1 else f"{name} #{number}"
            label_of[name, spelling] = label
            descriptions[label] = description
        if len(variants) > 1:
            notes.append(one_name(name, list(variants.values())))
    labels = [
        {p: label_of[_name(match, p), _spelled(match.players[p])] for p in ("a", "b")}
        for match in matches
    ]
    return labels, descriptions, notes


def _name(match: StoredMatch, player: str) -> str:
    return match.settings.player_a if player == "a" else match.settings.player_b


def _spelled(description: dict[str, object]) -> str:
    return json.dumps(description, sort_keys=True, ensure_ascii=False)


def _anchor(
    wanted: str | None, outcomes: Sequence[Outcome], descriptions: dict[str, dict[str, object]]
) -> str | None:
    """Return the label of the player that ``--anchor`` means."""
    if wanted is None:
        return None
    played = dict.fromkeys(name for game in outcomes for name in (game.first, game.second))
    if wanted in played:
        return wanted
    near = get_close_matches(wanted, list(played), 1, 0.4)
    what = "has no complete pair of games" if wanted in descriptions else "played in no match"
    hint = f"did you mean {near[0]}?" if near else f"players: {', '.join(played)}"
    raise MatchError(f"{wanted} {what}", where="--anchor", hint=hint)


def _lines(
    everybody: Sequence[str] | dict[str, None],
    ratings: Ratings,
    faults: dict[str, Counter[Ending]],
    missing: Counter[str],
) -> list[PlayerLine]:
    table = ratings.table
    rated = [(name, k) for k, group in enumerate(ratings.groups, 1) for name in group.players]
    rest = [(name, 0) for name in everybody if name not in table.players]
    lines: list[PlayerLine] = []
    for name, group in [*rated, *rest]:
        wins = draws = losses = given = 0.0
        if group:
            i = table.players.index(name)
            wins, draws = table.wins[i].sum(), table.draws[i].sum()
            losses, given = table.wins[:, i].sum(), table.faults[i].sum()
        lines.append(
            PlayerLine(
                name=name,
                elo=ratings.of(name),
                group=group,
                games=int(wins + draws + losses),
                wins=int(wins),
                draws=int(draws),
                losses=int(losses),
                wins_without_faults=int(wins - given),
                illegal=faults[name]["illegal"],
                faults=faults[name]["fault"],
                missing=missing[name],
            )
        )
    return lines

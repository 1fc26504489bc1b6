"""What is to be said of matches beside their standings."""

from __future__ import annotations

from collections.abc import Sequence

from mariago.arena.notes import GoTerm, Listed, Note
from mariago.arena.settings import MatchSettings
from mariago.arena.statistics import Ratings
from mariago.arena.stopping import Counted, complete_pairs

__all__ = [
    "TERMS",
    "against_itself",
    "counted_alike",
    "counted_once",
    "differing_terms",
    "notes_of_match",
    "notes_of_ratings",
    "one_name",
]

TERMS = ("rows", "columns", "rules", "komi", "handicap", "move_limit", "time", "scoring")
"""What the games of two matches must have in common to be told together."""
MOST_DIFFERENCES = 3  # named of two descriptions


def counted_once(place: str, other: str) -> Note:
    """Return the note on a match whose games another one holds too."""
    return Note.of("{place} holds the games of {other}: they count once.", place=place, other=other)


def counted_alike(terms: Listed) -> Note:
    """Return the note on matches that differ in ``terms``."""
    return Note.of("Matches on different terms are counted alike: {terms}.", terms=terms)


def differing_terms(matches: Sequence[MatchSettings]) -> Listed:
    """Return the terms that are not the same in all matches, each with its values."""
    found: list[Note | Listed] = []
    for name in TERMS:
        values = dict.fromkeys(_value(name, getattr(one, name)) for one in matches)
        if len(values) > 1:
            found.append(_named(name, Listed(tuple(values))))
    return Listed(tuple(found), "; ")


def _named(name: str, values: Listed) -> Note | Listed:
    match name:
        case "rows":
            return Note.of("rows {values}", values=values)
        case "columns":
            return Note.of("columns {values}", values=values)
        case "komi":
            return Note.of("komi {values}", values=values)
        case "handicap":
            return Note.of("handicap {values}", values=values)
        case "move_limit":
            return Note.of("move limit {values}", values=values)
        case "time":
            return Note.of("time {values}", values=values)
        case _:  # their values say what they are
            return values


def _value(name: str, value: object) -> object:
    from mariago.arena.report import RULES_IN_WORDS

    if value is None:
        return Note.of("none")
    if name == "scoring":
        return GoTerm(f"{value} scoring")
    if name == "rules":
        return Note(RULES_IN_WORDS.get(f"{value}", f"{value}"))
    return f"{value}"


def one_name(name: str, descriptions: Sequence[dict[str, object]]) -> Note:
    """Return the note on players who have one name, and in what they differ."""
    flat = [_flat(description) for description in descriptions]
    keys = dict.fromkeys(key for one in flat for key in one)
    differ = [key for key in keys if len({str(one.get(key)) for one in flat}) > 1]
    told = [
        f"{key} " + " / ".join(f"{one.get(key)!s:.12}" for one in flat)
        for key in differ[:MOST_DIFFERENCES]
    ]
    return Note.of(
        "{count} players are called {name}: {differences}.",
        count=len(flat),
        name=name,
        differences="; ".join(told),
    )


def _flat(values: dict[str, object], before: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            found[before + key] = value
    return found


def against_itself(place: str, player: str, games: int) -> Note:
    """Return the note on the games of one player alone."""
    return Note.several(
        "{place}: {count} game of {player} against itself is left out.",
        "{place}: {count} games of {player} against itself are left out.",
        games,
        place=place,
        player=player,
    )


def notes_of_match(place: str, counted: Counted) -> list[Note]:
    """Return what is to be said of a match between two players."""
    notes: list[Note] = []
    lone = len(counted.games) - 2 * len(complete_pairs(counted.games))
    if lone:
        notes.append(
            Note.several(
                "{place}: {count} game of an incomplete pair is left out.",
                "{place}: {count} games of incomplete pairs are left out.",
                lone,
                place=place,
            )
        )
    planned = counted.last + 1
    if planned > len(counted.games):
        notes.append(
            Note.several(
                "{place}: {count} of {planned} games is missing.",
                "{place}: {count} of {planned} games are missing.",
                planned - len(counted.games),
                place=place,
                planned=planned,
            )
        )
    if counted.sprt is not None and counted.sprt.decision:
        notes.append(
            Note.of(
                "{place} was ended early by a sequential test: its score lies too far from one "
                "half.",
                place=place,
            )
        )
    return notes


def notes_of_ratings(ratings: Ratings) -> list[Note]:
    """Return what is to be said of who can be compared, and of virtual games."""
    notes: list[Note] = []
    if len(ratings.groups) > 1:
        groups = "; ".join(", ".join(group.players) for group in ratings.groups)
        notes.append(
            Note.of(
                "Never met, not even through others, so not to be compared: {groups}.",
                groups=groups,
            )
        )
    for group in ratings.groups:
        if group.virtual_draws:
            notes.append(
                Note.of(
                    "Wins do not lead from everybody to everybody (somebody won or lost "
                    "everything): each two who met got one virtual game, half won by each "
                    "({count} in all), among {players}.",
                    count=group.virtual_draws,
                    players=", ".join(group.players),
                )
            )
    return notes

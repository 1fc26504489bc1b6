"""What the codes of a data set mean, in words that have translations."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from mariago.words import Texts

__all__ = [
    "ENDINGS_IN_WORDS",
    "FLAGS_IN_WORDS",
    "FLAG_COUNTS",
    "REASONS_IN_WORDS",
    "SPLITS_IN_WORDS",
    "WINNERS_IN_WORDS",
    "damaged_words",
    "flags_line",
    "in_words",
    "width_of",
]

REASONS_IN_WORDS = {
    "unreadable": "cut off, or no game record",
    "not_go": "a record of another game",
    "board_size": "not a wanted board size",
    "bad_coordinate": "a move or stone off the board",
    "no_moves": "no move in it",
    "illegal_setup": "set-up stones without a liberty",
    "illegal_occupied": "a move on a stone",
    "illegal_suicide": "a move that takes only its own stones",
    "illegal_ko": "a move at a point that ko forbids",
    "filtered_server": "played on another server than those asked for",
    "filtered_date": "played outside the days asked for, or on an unknown day",
    "filtered_rank": "a player's rank is outside the range asked for, or unknown",
    "filtered_handicap": "another number of handicap stones than asked for",
    "filtered_result": "ended in another way than asked for",
    "filtered_length": "shorter or longer than asked for",
    "duplicate_game": "the same game as another one that is kept, turned or mirrored or as it is",
}
"""Reason code of a game that is not used -> what it means; the words have translations."""

FLAG_COUNTS = {
    "captures": "takes {n}",
    "saves": "saves {n}",
    "gives_atari": "puts {n} in atari",
    "self_atari": "{n} moved into atari",
    "in_atari": "{n} own in atari before",
}
"""Tactical flag of a sample -> how many stones it is of; the words have translations."""

FLAGS_IN_WORDS = {
    "captures": "takes stones",
    "saves": "saves own stones from atari",
    "gives_atari": "gives atari",
    "self_atari": "moves into atari",
    "in_atari": "own stones stand in atari before the move",
}
"""Tactical flag of a sample -> what it means; the words have translations."""

SPLITS_IN_WORDS = {"train": "Training", "validation": "Validation", "test": "Test"}

WINNERS_IN_WORDS = {"black": "Black", "white": "White", "draw": "Draws", "unknown": "Unknown"}

ENDINGS_IN_WORDS = {
    "resign": "by resignation",
    "score": "by points",
    "time": "on time",
    "forfeit": "by forfeit",
    "won": "how is not told",
    "draw": "draw",
    "void": "no result",
    "unknown": "not told",
}
"""How a game ended, a kind of ``told.RESULT_KINDS`` -> words."""


def in_words(code: str, words: "dict[str, str]", _: Texts) -> str:
    """Return what a code means in the language of ``_``; one without words, as it stands."""
    return _(words[code]) if code in words else code


def flags_line(counts: "Mapping[str, Any]", _: Texts) -> str:
    """Return what a move does to stones by the counts of its flags, "" where it does nothing."""
    return " · ".join(_(words, n=counts[f]) for f, words in FLAG_COUNTS.items() if counts[f])


def damaged_words(games: int, _: Texts) -> str:
    """Return what it means that games have texts with damaged characters."""
    return _(
        "Games whose names or other texts hold damaged characters (\ufffd): {n}. Their files are "
        "not whole in their encoding; the moves are not touched by that.",
        n=f"{games:,}",
    )


def width_of(text: str) -> int:
    """Return the columns that a text takes on a terminal; a Chinese character is two wide."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

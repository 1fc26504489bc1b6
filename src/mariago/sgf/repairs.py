"""Values that were not read as they stand: which, what they said, and what they are taken for.

A repair is no guess about moves. It concerns the facts of a game alone, and the text of the file
stays in ``ReadGame.info``. ``docs/reference/repairs.md`` lists all codes with examples.
"""

from typing import NamedTuple

from mariago.board.points import BLACK, EMPTY, WHITE
from mariago.rules.result import Result
from mariago.sgf.dates import GameDate, read_date
from mariago.sgf.ranks import Rank, read_rank
from mariago.sgf.results import result_repair
from mariago.sgf.values import read_handicap

__all__ = [
    "DEPARTURES",
    "REPAIRS",
    "Repair",
    "counted_handicap",
    "handicap_of",
    "repairs_of_texts",
]

REPAIRS = {
    "encoding_guessed": "no CA that holds; the encoding was told by what reads best",
    "size_words": "SZ in another form than 19 or 9:13",
    "komi_hundredths": "KM in hundredths of a point",
    "komi_stones": "KM counts stones, of two points each",
    "komi_unknown": "KM is written where the server does not tell it",
    "komi_words": "KM is a number with words behind it",
    "komi_unread": "KM says nothing that is known, or is over the points of the board",
    "komi_half_added": "komi written without its half point",
    "handicap_one": "HA[1]: Black moves first, no handicap",
    "handicap_words": "HA is a number in words",
    "handicap_unread": "HA says no number from 0 to 25",
    "handicap_counted": "no HA, black stones alone and White to move first",
    "handicap_moved": "the handicap stones stand behind the first node",
    "handicap_unplaced": "HA of 2 or more, and no stones are set up",
    "handicap_differs": "HA names another number than the stones set up",
    "handicap_placed": "stones that the file does not name were set on the server's points",
    "result_words": "RE in other words than SGF's",
    "result_bare": "RE names a winner and nothing else",
    "result_uncounted": "RE names a winner by no points that can be, or says not how",
    "result_unread": "RE says nothing that is known",
    "rank_words": "BR or WR in another form than 3k, 5d, 9p",
    "rank_unread": "BR or WR tells no rank",
    "date_words": "DT in another form than SGF's, read to the day",
    "date_part": "of DT only the year or the month could be told",
    "date_unread": "DT tells no date",
}

# Those that are departures from the format, or from what it means, and so problems as well.
DEPARTURES = frozenset(
    {
        *("komi_hundredths", "komi_stones", "komi_unknown", "komi_words", "komi_unread"),
        *("handicap_words", "handicap_unread", "handicap_counted"),
        "result_unread",
    }
)


class Repair(NamedTuple):
    """One value taken for something else than it says.

    ``code`` is a key of ``REPAIRS``, ``name`` the property, ``raw`` its text in the file and
    ``value`` what it is taken for, in SGF's own form, "" where it stays unknown.
    """

    code: str
    name: str
    raw: str
    value: str


def handicap_of(
    text: str,
    moves: list[tuple[int, int]],
    setup: list[tuple[int, int, int]],
    stones_moved: bool,
) -> tuple[int, int, list[Repair]]:
    """Return the handicap, the number that HA names (1 for ``HA[1]``), and the repairs."""
    if not text:
        counted = counted_handicap(moves, setup)
        if not counted:
            return 0, 0, []
        return counted, counted, [Repair("handicap_counted", "HA", "", str(counted))]
    stones, repair = read_handicap(text)
    repairs = [Repair(repair, "HA", text, str(stones))] if repair else []
    if repair == "handicap_one":
        return 0, 1, repairs
    if stones >= 2:
        code = _stones_repair(stones, moves, setup, stones_moved)
        repairs += [Repair(code, "HA", text, str(stones))] if code else []
    return stones, stones, repairs


def _stones_repair(
    stones: int,
    moves: list[tuple[int, int]],
    setup: list[tuple[int, int, int]],
    stones_moved: bool,
) -> str | None:
    """Return the code for handicap stones that are not where HA lets one expect them."""
    before = _stones_before(setup)
    if not before:
        return "handicap_unplaced"
    # Where Black moves first, the last handicap stone is a move.
    moved = 1 if moves and moves[0][0] == BLACK else 0
    if WHITE not in before and len(before) + moved != stones:
        return "handicap_differs"
    return "handicap_moved" if stones_moved else None


def _stones_before(setup: list[tuple[int, int, int]]) -> list[int]:
    """Return the colours of the stones that stand before the first move."""
    stones = {move: color for ply, color, move in setup if ply == 0}
    return [color for color in stones.values() if color != EMPTY]


def counted_handicap(moves: list[tuple[int, int]], setup: list[tuple[int, int, int]]) -> int:
    """Return how many black stones alone stand before a first move by White; 0 if under two."""
    if not moves or moves[0][0] != WHITE:
        return 0
    before = _stones_before(setup)
    if WHITE in before or not 2 <= len(before) <= 25:
        return 0
    return len(before)


_NO_RANK = ("?", "-", "NR", "??", "na", "N/A", "none")


def repairs_of_texts(info: dict[str, str], result: Result | None, largest: float) -> list[Repair]:
    """Return the repairs of result, ranks and date; ``largest`` as ``read_result`` takes it."""
    found: list[Repair] = []
    text = info.get("RE", "")
    code = result_repair(text, largest) if text else None
    if code is not None:
        found.append(Repair(code, "RE", text, "" if result is None else str(result)))
    for name in ("BR", "WR"):
        text = info.get(name, "")
        if text and text not in _NO_RANK:
            rank = read_rank(text)
            if rank is None or str(rank) != text:
                found.append(_rank_repair(name, text, rank))
    text = info.get("DT", "")
    if text:
        date = read_date(text)
        if date is None or not (text == date.first == date.last):
            found.extend(_date_repair(text, date))
    return found


def _rank_repair(name: str, text: str, rank: Rank | None) -> Repair:
    code = "rank_unread" if rank is None else "rank_words"
    return Repair(code, name, text, "" if rank is None else str(rank))


def _date_repair(text: str, date: GameDate | None) -> list[Repair]:
    if date is None:
        return [Repair("date_unread", "DT", text, "")]
    value = date.first if date.first == date.last else f"{date.first},{date.last}"
    if date.in_form:
        return []
    code = "date_words" if date.precision == "day" else "date_part"
    return [Repair(code, "DT", text, value)]

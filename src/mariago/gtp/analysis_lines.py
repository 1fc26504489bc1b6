"""What a search found, as the lines that boards with analysis read, and what they may ask for.

The forms are those of Leela Zero's ``lz-analyze`` and KataGo's ``kata-analyze``
(``docs/GTP_Extensions.md`` of KataGo). All figures are for the side to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mariago.board.points import move_to_vertex
from mariago.errors import BadInputError
from mariago.gtp.arguments import color, real, syntax_error, whole
from mariago.gtpwire import color_of

if TYPE_CHECKING:
    from mariago.search import MoveFound, SearchResult

__all__ = ["Wish", "kata_line", "lz_line", "wish_of"]

USUAL_INTERVAL_S = 1.0
LEAST_INTERVAL_S = 0.01
_SWITCHES = {"ownership": "ownership", "rootInfo": "root", "pvVisits": "line_visits"}
# Asked for by some boards, and nothing that is known here: put up with as long as they are false.
_UNKNOWN_SWITCHES = {
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvEdgeVisits",
    "noResultValue",
}
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Wish:
    """What a board wants to be told, and how often."""

    color: int
    interval_s: float = USUAL_INTERVAL_S
    least_moves: int = 0
    most_moves: int = 1 << 16
    ownership: bool = False
    root: bool = False
    line_visits: bool = False


def wish_of(words: Sequence[str], to_move: int) -> Wish:
    """Read ``[COLOUR] [CENTISECONDS] [KEY VALUE]...``.

    Raises:
        BadInputError: another form, or something that cannot be told.
    """
    left = list(words)
    side, interval_s = to_move, USUAL_INTERVAL_S
    if left and _is_color(left[0]):
        side = color(left.pop(0))
    if left and left[0].replace(".", "", 1).isdecimal():
        interval_s = real(left.pop(0)) / 100
    for key in ("avoid", "allow"):
        if key in left:
            raise BadInputError(f"{key} is not supported")
    if len(left) % 2:
        raise syntax_error()
    least, most, switches = 0, 1 << 16, dict[str, bool]()
    for key, value in zip(left[::2], left[1::2], strict=True):
        if key == "interval":
            interval_s = real(value) / 100
        elif key == "minmoves":
            least = whole(value)
        elif key == "maxmoves":
            most = whole(value)
        elif key in _SWITCHES and value.lower() in _TRUTH:
            switches[_SWITCHES[key]] = _TRUTH[value.lower()]
        elif key in _UNKNOWN_SWITCHES and value.lower() in _TRUTH:
            continue
        else:
            raise syntax_error()
    if min(interval_s, least, most) < 0:
        raise syntax_error()
    return Wish(side, max(interval_s, LEAST_INTERVAL_S), least, most, **switches)


def _is_color(word: str) -> bool:
    try:
        color_of(word)
    except BadInputError:
        return False
    return True


def _shown(found: SearchResult, wish: Wish) -> Sequence[MoveFound]:
    tried = [move for move in found.moves if move.visits]
    others = [move for move in found.moves if not move.visits]
    least = max(1, wish.least_moves)
    return (tried + others[: max(0, least - len(tried))])[: wish.most_moves]


def _winning(move: MoveFound) -> tuple[float, float]:
    """Return the chance to win, and what it surely is: the bound of the utility, carried over."""
    rate = (1 + move.value) / 2
    sure = rate - (move.utility - move.bound) / 2 if move.visits else 0.0
    return rate, min(max(sure, 0.0), 1.0)


def _line(move: MoveFound, found: SearchResult, wish: Wish) -> str:
    size = found.position.size
    text = "pv " + " ".join(move_to_vertex(played, size) for played in move.line)
    if wish.line_visits:
        text += " pvVisits " + " ".join(str(count) for count in move.line_visits)
    return text


def lz_line(found: SearchResult, wish: Wish) -> str:
    """Return ``info move ...``, chances in ten thousandths."""
    parts: list[str] = []
    for order, move in enumerate(_shown(found, wish)):
        rate, sure = _winning(move)
        parts.append(
            f"info move {move_to_vertex(move.move, found.position.size)} visits {move.visits} "
            f"winrate {10_000 * rate:.0f} prior {10_000 * move.prior:.0f} lcb {10_000 * sure:.0f} "
            f"order {order} {_line(move, found, wish)}"
        )
    return " ".join(parts)


def kata_line(found: SearchResult, wish: Wish) -> str:
    """Return ``info move ...``, chances as fractions, then what else was wished for."""
    parts: list[str] = []
    for order, move in enumerate(_shown(found, wish)):
        rate, sure = _winning(move)
        points = "" if move.score is None else _points(move.score)
        bound = move.bound if move.visits else -1.0
        parts.append(
            f"info move {move_to_vertex(move.move, found.position.size)} visits {move.visits} "
            f"utility {move.utility:.6f} winrate {rate:.6f} {points}prior {move.prior:.6f} "
            f"lcb {sure:.6f} utilityLcb {max(bound, -9.0):.6f} order {order} "
            f"{_line(move, found, wish)}"
        )
    if wish.root:
        points = "" if found.score is None else _points(found.score)
        parts.append(
            f"rootInfo visits {found.visits} winrate {found.win_rate:.6f} {points}".strip()
        )
    if wish.ownership and found.ownership is not None:
        parts.append("ownership " + " ".join(f"{owned:.4f}" for owned in found.ownership.ravel()))
    return " ".join(parts)


def _points(score: float) -> str:
    return f"scoreMean {score:.4f} scoreLead {score:.4f} "

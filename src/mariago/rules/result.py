"""How a game ended."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from mariago.board.points import BLACK, EMPTY, WHITE, opponent
from mariago.errors import BadInputError

How = Literal["score", "resign", "time", "forfeit", "won", "draw", "void", "unknown"]

_LETTERS = {BLACK: "B", WHITE: "W"}
_ENDINGS = {"resign": "R", "time": "T", "forfeit": "F"}
_WORDS: dict[str, How] = {
    **dict.fromkeys(("0", "draw", "jigo"), "draw"),
    "void": "void",
    **dict.fromkeys(("", "?"), "unknown"),
}
_WON = re.compile(r"([bw])(?:lack|hite)?\+(.*)")
_POINTS = re.compile(r"[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+")
_LARGEST_SCORE = 10_000.0  # over what any board holds, komi included
_HOW: dict[str, How] = {
    **dict.fromkeys(("r", "resign", "resignation"), "resign"),
    **dict.fromkeys(("t", "time", "timeout"), "time"),
    **dict.fromkeys(("f", "forfeit"), "forfeit"),
    "": "won",
}


@dataclass(frozen=True)
class Result:
    """The result of a game.

    ``winner`` is BLACK, WHITE, EMPTY for a draw, or None where there is none or it is unknown.
    ``score`` is the winner's margin in points where the game was counted, 0 for a draw, else
    None. ``how``: ``"score"``, ``"resign"``, ``"time"``, ``"forfeit"``, ``"won"`` (by whom is
    told, not how), ``"draw"``, ``"void"`` (no result) or ``"unknown"``.

    ``str()`` gives SGF's text: ``B+3.5``, ``W+R``, ``W+T``, ``B+F``, ``B+``, ``0``, ``Void``,
    ``?``.
    """

    winner: "int | None"
    score: "float | None"
    how: How

    @classmethod
    def by_score(cls, margin: float) -> "Result":
        """Return the result of a count; ``margin``: Black's points less White's and komi.

        Raises:
            BadInputError: ``margin`` is no finite number.
        """
        if not math.isfinite(margin):
            raise BadInputError(f"{margin} is no margin of a game")
        if margin == 0:
            return cls(EMPTY, 0.0, "draw")
        return cls(BLACK if margin > 0 else WHITE, abs(float(margin)), "score")

    @classmethod
    def by_resignation(cls, loser: int) -> "Result":
        """Return the result after ``loser`` resigned."""
        return cls(opponent(loser), None, "resign")

    @classmethod
    def by_time(cls, loser: int) -> "Result":
        """Return the result after ``loser`` ran out of time."""
        return cls(opponent(loser), None, "time")

    @classmethod
    def by_forfeit(cls, loser: int) -> "Result":
        """Return the result after ``loser`` broke the rules of the game or did not appear."""
        return cls(opponent(loser), None, "forfeit")

    @classmethod
    def void(cls) -> "Result":
        """Return no result, as after a repeated board under simple ko."""
        return cls(None, None, "void")

    @classmethod
    def unknown(cls) -> "Result":
        """Return an unknown result."""
        return cls(None, None, "unknown")

    @classmethod
    def parse(cls, text: str) -> "Result":
        """Return the result of SGF's text; any case, long forms, a decimal comma.

        Raises:
            BadInputError: the text is no result.
        """
        cleaned = "".join(text.split()).lower()
        word = _WORDS.get(cleaned)
        if word is not None:
            return cls(EMPTY, 0.0, "draw") if word == "draw" else cls(None, None, word)
        match = _WON.fullmatch(cleaned)
        if match is not None:
            winner = BLACK if match[1] == "b" else WHITE
            how = _HOW.get(match[2])
            if how is not None:
                return cls(winner, None, how)
            points = match[2].removesuffix("points").removesuffix("pts").removesuffix("p")
            if _POINTS.fullmatch(points):
                score = float(points.replace(",", "."))
                if score > _LARGEST_SCORE:
                    raise BadInputError(f"{text[:20]!r}: no board has so many points")
                return cls(EMPTY, 0.0, "draw") if score == 0 else cls(winner, score, "score")
        raise BadInputError(
            f"{text!r} is not a result", hint="write B+3.5, W+R, B+T, W+F, 0, Void or ?"
        )

    @property
    def black_margin(self) -> "float | None":
        """Black's points less White's, komi included, where the game was counted."""
        if self.score is None:
            return None
        return -self.score if self.winner == WHITE else self.score

    def __str__(self) -> str:
        if self.winner in _LETTERS:
            letter = _LETTERS[self.winner]
            if self.score is not None:
                return f"{letter}+{self.score:g}"
            return f"{letter}+{_ENDINGS.get(self.how, '')}"
        return {"draw": "0", "void": "Void"}.get(self.how, "?")

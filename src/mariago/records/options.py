"""What a build may be told, checked in one place."""

from dataclasses import asdict, dataclass, field
from typing import Any

from mariago.board.points import Size, size_of
from mariago.errors import BadInputError
from mariago.records.filters import GameFilter
from mariago.records.lesson_weights import LessonWeights
from mariago.records.weights import WEIGHTED_WINNERS, RowWeights, WinnerWeights

__all__ = ["BuildOptions", "sizes_of"]

SHARD_ROWS = 262_144
MOST = 2**31 - 1  # of whatever is counted
_WINNERS = ("all", "only", "weighted")
_PICKS = ("even", "random")


@dataclass(frozen=True)
class BuildOptions:
    """How records become samples.

    Attributes:
        size: wanted boards: ``"19"``, a list ``"9,13,19"``, or ``"any"``.
        seed: chooses the games of validation and test, and what ``pick`` draws.
        winners: ``all`` keeps both sides' moves, ``only`` the winner's, ``weighted`` both with a
            lower weight for the loser's.
        max_per_position: samples of a position at most within a split: with 1 its first one, with
            more its commonest answers, each once.
        opening_balance: games of a split that share their first so many moves, under any symmetry,
            weigh 1 / sqrt(their number); 0 for no such weights.
        max_per_game: samples a game at most, and exactly this number of every game that has them
            once repeats and leaks are gone; 0 for all.
        pick: which those are: ``even`` spreads them over the game, ``random`` draws them.
        tactical_half: half of ``max_per_game`` are tactical moves where there are so many, chosen
            first; more come in only as others do.
        tactical_only: tactical moves alone, all of them; ``max_per_game`` does not count then.
        filters: which games are wanted.
        facts: whether the facts of each move are read, too; ``fact_names`` lists them.
        weights: what rows count; ``winners="weighted"`` is short for the usual ``winner`` part.
        lessons: moves of the games that count more, each by itself; ``read_lessons`` reads them.
        validation, test: share of the games in each split.
        shard_rows: rows of a shard.

    Raises:
        BadInputError: a value that makes no sense.
        CoordinateError: not a board size.
    """

    size: str = "19"
    seed: int = 0
    winners: str = "all"
    max_per_position: int = 1
    opening_balance: int = 0
    max_per_game: int = 0
    pick: str = "even"
    tactical_half: bool = False
    tactical_only: bool = False
    facts: bool = False
    filters: GameFilter = field(default_factory=GameFilter)
    weights: RowWeights = field(default_factory=RowWeights)
    lessons: LessonWeights | None = None
    validation: float = 0.05
    test: float = 0.05
    shard_rows: int = SHARD_ROWS

    def __post_init__(self) -> None:
        sizes_of(self.size)
        if self.winners not in _WINNERS:
            raise BadInputError(
                f"{self.winners!r} is not a choice", where="--winners", hint=", ".join(_WINNERS)
            )
        if self.winners == "weighted" and self.weights.winner != WinnerWeights():
            raise BadInputError(
                "the weights tell already what winners and losers count",
                where="--winners weighted",
                hint="leave one of the two out",
            )
        if self.weights.facts and not self.facts:
            raise BadInputError(
                "weights by facts need the facts of the moves",
                where=f"--weight {next(iter(self.weights.facts))}",
                hint="add --facts",
            )
        if self.pick not in _PICKS:
            raise BadInputError(
                f"{self.pick!r} is not a choice", where="--pick", hint=", ".join(_PICKS)
            )
        if self.max_per_position < 1:
            raise BadInputError("a position is kept at least once", where="--max-per-position")
        if self.opening_balance < 0:
            raise BadInputError("cannot be negative", where="--opening-balance")
        if self.max_per_game < 0:
            raise BadInputError("cannot be negative", where="--max-per-game")
        for name in ("max_per_game", "max_per_position", "opening_balance", "shard_rows"):
            if getattr(self, name) > MOST:
                where = "--" + name.replace("_", "-")
                raise BadInputError(f"larger than {MOST:,}", where=where)
        if not 0 <= self.seed < 2**64:
            raise BadInputError("a seed is a number from 0 to 2**64 - 1", where="--seed")
        if self.tactical_half and not self.max_per_game and not self.tactical_only:
            raise BadInputError(
                "half of what? there is no limit",
                where="--tactical-half",
                hint="add --max-per-game N",
            )
        shares = (self.validation, self.test)
        if any(not 0 <= share < 1 for share in shares) or sum(shares) >= 1:
            raise BadInputError(
                "shares lie between 0 and 1 and leave games to train on",
                where=f"--validation {self.validation} --test {self.test}",
            )
        if self.shard_rows < 1:
            raise BadInputError("a shard has at least one row", where="shard_rows")

    @property
    def wants_tactical(self) -> bool:
        """Whether the choice of rows needs to know the tactical ones."""
        return self.tactical_half or self.tactical_only

    @property
    def wants_answers(self) -> bool:
        """Whether moves are needed as symmetric positions see them."""
        return self.max_per_position > 1 or self.lessons is not None

    @property
    def row_weights(self) -> RowWeights:
        """The weights of rows, those of ``winners="weighted"`` among them."""
        if self.winners != "weighted":
            return self.weights
        return self.weights.model_copy(update={"winner": WEIGHTED_WINNERS})

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for the manifest."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        weights = self.weights.model_dump()
        # Left out where they are not used, so that older data sets are known by their options.
        if not self.facts:
            del plain["facts"]
            del weights["facts"]
        if self.lessons is None:
            del plain["lessons"]
        else:
            plain["lessons"] = self.lessons.as_dict()
        return plain | {"filters": asdict(self.filters), "weights": weights}


def sizes_of(text: str) -> frozenset[Size] | None:
    """Return the wanted board sizes, None for any."""
    if text.strip().lower() == "any":
        return None
    return frozenset(size_of(part) for part in text.split(","))

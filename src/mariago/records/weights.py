"""Weights of rows: what each kind of game, player and move counts in training.

A weight instead of a filter keeps the row in sight. The factors of a row are multiplied.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mariago.board.files import read_toml
from mariago.errors import BadInputError, first_fault
from mariago.records.told import RESULT_KINDS, UNKNOWN_LEVEL, levels_between
from mariago.tactics.fact_names import FACT_NAMES

__all__ = ["WEIGHTED_WINNERS", "RowWeights", "read_weights", "weights_of"]

MOST = 1e6  # four factors of it still fit a weight
Factor = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)]
_LEVELS = np.arange(-128, 128)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WinnerWeights(_Part):
    """By how the game went for the side to move."""

    winner: Factor = 1
    loser: Factor = 1
    draw: Factor = 1
    unknown: Factor = 1


class ResultWeights(_Part):
    """By how the game ended."""

    resign: Factor = 1
    score: Factor = 1
    time: Factor = 1
    forfeit: Factor = 1
    draw: Factor = 1
    void: Factor = 1
    unknown: Factor = 1
    won: Factor = 1


class TacticalWeights(_Part):
    """By whether the move is tactical, as ``docs/reference/samples.md`` defines it."""

    tactical: Factor = 1
    quiet: Factor = 1


class RowWeights(_Part):
    """All factors; ``rank`` gives one for ranges of the mover's rank, such as ``"1d-5d"``.

    Ranks in none of the ranges count 1; ``rank["unknown"]`` is for those that are not told.
    """

    winner: WinnerWeights = WinnerWeights()
    result: ResultWeights = ResultWeights()
    rank: dict[str, Factor] = {}
    tactical: TacticalWeights = TacticalWeights()
    facts: dict[str, Factor] = {}  # by ``fact_names.FACT_NAMES``; factors of several facts multiply

    @model_validator(mode="after")
    def _names_are_known(self) -> "RowWeights":
        self.by_level()
        for name in self.facts:
            if name not in FACT_NAMES:
                raise BadInputError(
                    f"{name!r} is no fact of a move", where="[facts]", hint=", ".join(FACT_NAMES)
                )
        return self

    @model_validator(mode="after")
    def _some_rows_count(self) -> "RowWeights":
        for part in (self.winner, self.result, self.tactical):
            if not any(part.model_dump().values()):
                raise ValueError("every row would count 0")
        return self

    @property
    def are_plain(self) -> bool:
        """Whether every row counts 1."""
        return self == RowWeights()

    def by_level(self) -> NDArray[np.float64]:
        """Return the factor (256,) of each level from -128 on.

        Raises:
            BadInputError: a name is no range of ranks, or two ranges share a rank.
        """
        factors = np.full(len(_LEVELS), math.nan)
        for name, factor in self.rank.items():
            where = f"[rank] {name!r}"
            if name == "unknown":
                held = _LEVELS == UNKNOWN_LEVEL
            else:
                low, high = levels_between(name, where)
                held = (low <= _LEVELS) & (high >= _LEVELS)
            if not np.isnan(factors[held]).all():
                raise BadInputError("shares a rank with another range", where=where)
            factors[held] = factor
        return np.nan_to_num(factors, nan=1.0)

    def of_rows(
        self,
        winner: NDArray[np.int8],
        to_move: NDArray[np.uint8],
        result_kind: NDArray[np.uint8],
        level: NDArray[np.int8],
        is_tactical: NDArray[np.bool_],
        facts: "NDArray[np.uint64] | None" = None,
    ) -> NDArray[np.float32]:
        """Return the weights (R,) of rows; all arguments (R,).

        Args:
            winner: as in the schema.
            result_kind: index into ``told.RESULT_KINDS``.
            facts: as in the schema; needed where facts have weights.
            level: of the player to move, as ``told.level_of`` gives it.
        """
        if self.are_plain:
            return np.ones(len(winner), np.float32)
        went = np.where(winner < 0, 3, np.where(winner == 0, 2, winner != to_move))
        own = self.winner
        # Factors of 1 are integers until here.
        weights = np.array([own.winner, own.loser, own.draw, own.unknown], np.float64)[went]
        weights *= np.array([getattr(self.result, kind) for kind in RESULT_KINDS])[result_kind]
        weights *= self.by_level()[level.astype(np.int64) + 128]
        weights *= np.where(is_tactical, self.tactical.tactical, self.tactical.quiet)
        for name, factor in self.facts.items():
            if facts is not None:
                holds = facts >> np.uint64(FACT_NAMES.index(name)) & np.uint64(1)
                weights *= np.where(holds > 0, factor, 1.0)
        return weights.astype(np.float32)


# What ``--winners weighted`` means.
WEIGHTED_WINNERS = WinnerWeights(winner=1, loser=0.5, draw=0.75, unknown=0.75)


def read_weights(path: "str | Path") -> RowWeights:
    """Read weights from a TOML file; unknown keys fail.

    Raises:
        BadInputError: the file is missing, no TOML, or has a key or a value that makes no sense.
    """
    place = Path(path)
    try:
        return RowWeights.model_validate(read_toml(place))
    except OSError as error:
        raise BadInputError(f"cannot be read ({error.strerror})", where=place) from error
    except ValidationError as error:
        raise BadInputError(
            first_fault(error),
            where=place,
            hint="tables [winner], [result], [rank], [tactical] and [facts] of numbers from 0 on",
        ) from None
    except ValueError as error:
        raise BadInputError(f"no TOML: {error}", where=place) from error


def weights_of(
    path: "str | Path | None", tactical: float | None = None, facts: Sequence[str] = ()
) -> RowWeights:
    """Return the weights of a file, if there is one, with the factors of tactical moves and facts.

    Args:
        facts: ``"net=2"``, as ``--weight`` takes them.

    Raises:
        BadInputError: the file cannot be used, or tells of the same, or a text makes no sense.
    """
    weights = RowWeights() if path is None else read_weights(path)
    if facts:
        weights = _with_facts(weights, facts)
    if tactical is None:
        return weights
    if weights.tactical != TacticalWeights():
        raise BadInputError(
            "the file of weights tells already what tactical moves count", where="--tactical-weight"
        )
    factors = {"tactical": {"tactical": tactical}}
    try:
        return RowWeights.model_validate(weights.model_dump() | factors)
    except ValidationError as error:
        raise BadInputError(first_fault(error), where=f"--tactical-weight {tactical:g}") from None


def _with_facts(weights: RowWeights, texts: Sequence[str]) -> RowWeights:
    """Return the weights with ``NAME=FACTOR`` for each of the texts."""
    factors = dict(weights.facts)
    for text in texts:
        name, _, factor = (part.strip() for part in text.partition("="))
        where = f"--weight {text}"
        if name in factors:
            raise BadInputError("this fact has a weight already", where=where)
        if name not in FACT_NAMES:
            raise BadInputError(
                f"{name!r} is no fact of a move", where=where, hint=", ".join(FACT_NAMES)
            )
        try:
            factors[name] = float(factor)
        except ValueError:
            raise BadInputError("a weight is a number", where=where, hint="net=2") from None
        try:
            weights = RowWeights.model_validate(weights.model_dump() | {"facts": factors})
        except ValidationError as error:
            raise BadInputError(first_fault(error), where=where) from None
    return weights

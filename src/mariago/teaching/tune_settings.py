"""What ``mariago teach --tune`` is told: how nets learn from the lessons of their books."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mariago.errors import BadInputError, first_fault
from mariago.players.names import parse_name

__all__ = ["FEWEST_GAMES", "TuneSettings", "tune_of", "why_not_tuned"]

WHERE = "--tune"
FEWEST_GAMES = 8
"""Between two tunings: fewer cannot be shared out to learn from, to stop by and to measure on."""
TUNABLE = ("net", "search")


class TuneSettings(BaseModel):
    """How the weights of a side's net learn from the games that taught it. Frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    side: Literal["nets", "a", "b"] = "nets"
    """Whose net; ``nets``: each side that has one."""
    every: int = Field(default=1, ge=1, le=99)
    """Rounds between two tunings."""
    steps: int = Field(default=100, ge=1, le=100_000)
    """At most; the net of the step that is best on games left out is kept."""
    what: Literal["head", "all", "low-rank"] = "head"
    rate: float | None = Field(default=None, gt=0, le=1)
    """Peak learning rate; None: that of ``mariago net tune`` for ``what``."""
    batch: int = Field(default=32, ge=2, le=4096)
    factor: float = Field(default=3.0, gt=0, le=1000)
    """What a lesson's weight is multiplied by; other moves of the games count 1."""

    def sides(self, names: dict[str, str]) -> tuple[str, ...]:
        """Return the sides that are tuned, of players by ``"a"`` and ``"b"``.

        Raises:
            BadInputError: no side has a net that can be tuned.
        """
        faults = {side: why_not_tuned(name) for side, name in names.items()}
        if self.side != "nets":
            fault = faults[self.side]
            if fault:
                raise BadInputError(
                    fault, where=f"{WHERE} side={self.side}: {names[self.side]}", hint=_HINT
                )
            return (self.side,)
        found = tuple(side for side, fault in faults.items() if not fault)
        if not found:
            said = "; ".join(f"{name} {faults[side]}" for side, name in names.items())
            raise BadInputError(said, where=WHERE, hint=_HINT)
        return found


_HINT = "a net folder has: net, net:FOLDER, search:FOLDER; mariago net import makes one of a file"
_KEYS = ", ".join(TuneSettings.model_fields)


def why_not_tuned(name: str) -> str:
    """Return why a player's weights cannot learn, "" where they can."""
    known = parse_name(name)
    if known.kind == "katago" or (known.target and Path(known.target).is_file()):
        return "plays a network file, which is not written to"
    if known.kind not in TUNABLE:
        return "is no net: it has no weights to tune"
    if known.keys.get("precision", "float32") != "float32":
        return f"has numbers of {known.keys['precision']}, which are not tuned"
    return ""


def tune_of(text: str) -> TuneSettings:
    """Return the settings of ``steps=200,what=all``; ``default`` takes them as they are.

    Raises:
        BadInputError: an unknown key, one that is told twice, or a value out of its range.
    """
    values: dict[str, str] = {}
    parts = [] if text.strip() == "default" else text.split(",")
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise BadInputError(
                f"{part.strip()!r:.80} is no key=value",
                where=WHERE,
                hint=f"default, or steps=200,what=all; keys: {_KEYS}",
            )
        if key not in TuneSettings.model_fields:
            raise BadInputError(f"unknown key {key!r:.80}", where=WHERE, hint=f"keys: {_KEYS}")
        if key in values:
            raise BadInputError(f"{key} is told twice", where=WHERE, hint="tell it once")
        values[key] = value
    try:
        return TuneSettings.model_validate(values)
    except ValidationError as error:
        raise BadInputError(first_fault(error), where=WHERE, hint=f"keys: {_KEYS}") from None

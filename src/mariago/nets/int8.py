"""A net's graph in eight-bit integers: where it lies, its report, and how it is read.

Beside a net folder's ``model.onnx`` it is ``model.int8.onnx`` with ``int8.json``; beside a network
file of KataGo the file's name with ``.int8.onnx`` and ``.int8.json``. The report is written last:
without it there is no such graph. :mod:`mariago.nets.quantising` makes both.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mariago.errors import NetError
from mariago.nets.packaged import packaged_net

__all__ = [
    "PRECISIONS",
    "Agreement",
    "Bounds",
    "Int8Place",
    "Int8Report",
    "int8_report",
    "kept_report",
    "read_int8",
]

PRECISIONS = ("float32", "int8")
_AGAIN = "make it again with mariago net quantise, or play in float32"


class Bounds(BaseModel):
    """How far int8 may be from float32, on every board size that is checked. Frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    least_top1: float = Field(default=0.85, ge=0, le=1)
    """Share of positions with the same best move."""
    most_policy_kl: float = Field(default=0.05, ge=0)
    """Mean Kullback-Leibler divergence of the policies, float32 from int8, in nats."""
    most_value: float = Field(default=0.05, ge=0)
    """Mean difference of the values, which lie in [-1, 1]."""
    most_lead: float = Field(default=1.5, ge=0)
    """Mean difference of the leads in points."""


class Agreement(BaseModel):
    """How int8 answered beside float32 on held-out positions of one board size. Frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    positions: int
    top1: float
    policy_kl: float
    value: float
    lead: float

    def fault(self, bounds: Bounds) -> str | None:
        """Return which bound does not hold, in words; None where all do. NaN holds none."""
        if not self.top1 >= bounds.least_top1:
            asked = f"{bounds.least_top1:.0%} are asked for"
            return f"the same best move in {self.top1:.0%} of {self.positions} positions, {asked}"
        for name, found, most in (
            ("the policies by {:.3f} nats", self.policy_kl, bounds.most_policy_kl),
            ("the values by {:.3f}", self.value, bounds.most_value),
            ("the leads by {:.2f} points", self.lead, bounds.most_lead),
        ):
            if not found <= most:
                return f"{name.format(found)} on average, {most:g} are allowed"
        return None


class Int8Report(BaseModel):
    """What ``int8.json`` holds. Frozen; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 1
    made_of: str
    """SHA-256 of the model, or the network file, that it was made of."""
    sha256: str
    """SHA-256 of the graph itself."""
    checked: dict[str, Agreement]
    """By board size, as people write it."""
    bounds: Bounds
    versions: dict[str, str] = Field(default_factory=dict)


class Int8Place(NamedTuple):
    """Where the graph and its report lie."""

    model: Path
    report: Path

    @classmethod
    def of(cls, net: Path) -> Int8Place:
        """Return the place that belongs to a net folder or to a network file."""
        if net.is_dir():
            return cls(net / "model.int8.onnx", net / "int8.json")
        return cls(net.with_name(f"{net.name}.int8.onnx"), net.with_name(f"{net.name}.int8.json"))


def kept_report(net: Path, precision: str) -> bytes | None:
    """Return the bytes of the report where ``precision`` is int8, empty without one; else None.

    Raises:
        NetError: no such precision.
    """
    if precision not in PRECISIONS:
        raise NetError(f"unknown precision {precision!r:.40}", hint="float32 or int8")
    if precision != "int8":
        return None
    report = Int8Place.of(net).report
    return report.read_bytes() if report.is_file() else b""


def read_int8(net: Path, made_of: str) -> tuple[Int8Report, bytes]:
    """Return the report and the graph of a net whose own file has the SHA-256 ``made_of``.

    Raises:
        NetError: there is none, it is damaged, or it was made of another net.
    """
    place = Int8Place.of(net)
    if not place.report.is_file() or not place.model.is_file():
        named = "packaged --out DIR" if net.resolve() == packaged_net().resolve() else net
        raise NetError(
            "has no int8 graph", where=net, hint=f"mariago net quantise {named} makes it"
        )
    try:
        report = Int8Report.model_validate_json(place.report.read_bytes())
    except ValidationError as error:
        raise NetError("is no report of an int8 graph", where=place.report, hint=_AGAIN) from error
    if report.made_of != made_of:
        raise NetError("was made of another net", where=place.model, hint=_AGAIN)
    data = place.model.read_bytes()
    if hashlib.sha256(data).hexdigest() != report.sha256:
        raise NetError(
            f"is not the file that {place.report.name} tells of", where=place.model, hint=_AGAIN
        )
    return report, data


def int8_report(net: Path, made_of: str) -> Int8Report | None:
    """Return what is known of the int8 graph of a net, None where there is none.

    Raises:
        NetError: as :func:`read_int8`.
    """
    return read_int8(net, made_of)[0] if Int8Place.of(net).report.is_file() else None

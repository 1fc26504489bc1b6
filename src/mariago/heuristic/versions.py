"""The versions of the rule-based player: ``versions.toml`` as weights, with terms left out."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.heuristic.term_list import TERMS

TABLE = Path(__file__).with_name("versions.toml")
LATEST = "v7"


@dataclass(frozen=True)
class Weights:
    """What each term adds to the score of a move.

    Attributes:
        version: the name in the table.
        about: what the version brought, in a few words.
        values: the weight of every term by name, in the order of the kernels.
        without: the terms and groups that were switched off, sorted.
    """

    version: str
    about: str
    values: Mapping[str, float]
    without: tuple[str, ...] = ()

    @property
    def array(self) -> npt.NDArray[np.float32]:
        """The weights in the order of ``term_list.TERMS``: (terms,) float32."""
        return np.array([self.values[name] for name in TERMS], np.float32)

    def leaving_out(self, names: Iterable[str]) -> Weights:
        """Return the weights with terms or whole groups at 0.

        A term takes its ``..._stone`` with it.

        Raises:
            BadInputError: a name that is neither a term nor a group.
        """
        chosen = sorted(set(names))
        off = {term for name in chosen for term in _members(name)}
        values = {name: 0.0 if name in off else value for name, value in self.values.items()}
        return Weights(self.version, self.about, MappingProxyType(values), tuple(chosen))

    def changed(self, **values: float) -> Weights:
        """Return the weights with some terms' values replaced."""
        for name in values:
            _members(name)
        return Weights(
            self.version, self.about, MappingProxyType({**self.values, **values}), self.without
        )


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@cache
def groups() -> Mapping[str, Mapping[str, str]]:
    """Return the groups of terms: by group and term, what the term counts."""
    return MappingProxyType(_table()["groups"])


def version_names() -> tuple[str, ...]:
    """Return the versions there are, oldest first."""
    return tuple(_table()["versions"])


def _members(name: str) -> list[str]:
    """Return the terms that a term's or group's name stands for."""
    if name in groups():
        return list(groups()[name])
    if name in TERMS:
        return [name, f"{name}_stone"]
    known = sorted({*groups(), *TERMS})
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]}?" if near else f"groups: {', '.join(groups())}"
    raise BadInputError(f"{name!r} is no term of the heuristic and no group", hint=meant)


@cache
def weights_of(version: str = "") -> Weights:
    """Return the weights of a version, of the latest where there is no name.

    Raises:
        BadInputError: there is no such version.
    """
    name = version or LATEST
    entry = _table()["versions"].get(name)
    if entry is None:
        hint = f"choose from {', '.join(version_names())}"
        raise BadInputError(f"{name!r} is no version of the heuristic", hint=hint)
    values: dict[str, float] = dict.fromkeys([*TERMS], 0.0)
    if "from" in entry:
        values.update(weights_of(entry["from"]).values)
    values.update({term: float(value) for term, value in entry["weights"].items()})
    return Weights(name, entry["about"], MappingProxyType(values))

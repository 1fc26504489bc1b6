"""The form of ``manifest.json``, which a reader checks before it trusts a word of it."""

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    ValidationError,
)

from mariago.errors import first_fault
from mariago.records.schema import TACTICAL_COLUMNS

__all__ = ["fault_of_manifest"]


def _plain_name(name: str) -> str:
    if PurePosixPath(name).name != name or "\\" in name or "\0" in name:
        raise ValueError("not the name of a file in this folder")
    return name


def _with_flags(flagged: dict[str, int]) -> dict[str, int]:
    for name in (*TACTICAL_COLUMNS, "in_atari"):
        if name not in flagged:
            raise ValueError(f"{name!r} is missing")
    return flagged


Split = Literal["train", "validation", "test"]
Count = Annotated[StrictInt, Field(ge=0)]
Counts = dict[str, Count]
Sha256 = Annotated[StrictStr, Field(pattern=r"^([0-9a-f]{64})?$")]


class _Form(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Source(_Form):
    path: StrictStr
    path_from_set: StrictStr = ""
    kind: StrictStr
    sha256: Sha256
    size_bytes: Count
    files: Count
    skipped: Counts
    origin: StrictStr
    terms: StrictStr


class _BySplit(_Form):
    model_config = ConfigDict(extra="forbid")
    train: Count
    validation: Count
    test: Count


class _Counts(_Form):
    files: Count
    games_read: Count
    games_kept: Count
    dropped: Counts
    moves: Count
    not_winner: Count
    repeats: Count
    leaks: Count
    not_chosen: Count
    samples: _BySplit
    games: _BySplit
    seconds: dict[str, float]


class _GamesFile(_Form):
    rows: Count
    size_bytes: Count
    sha256: Sha256


class _Shard(_GamesFile):
    file: Annotated[StrictStr, AfterValidator(_plain_name)]
    split: Split
    flagged: Annotated[Counts, AfterValidator(_with_flags)]


class _Provenance(_Form):
    command: StrictStr
    seed: StrictInt | None
    date: StrictStr
    versions: dict[str, StrictStr]
    machine: StrictStr


class _Manifest(_Form):
    model_config = ConfigDict(extra="forbid")
    format: StrictStr
    schema_version: StrictInt
    sources: list[_Source]
    options: dict[str, Any]
    counts: _Counts
    shards: list[_Shard]
    provenance: _Provenance
    left_out: list[dict[str, Any]] = []
    games_file: _GamesFile | dict[str, Any] = {}


def fault_of_manifest(held: Any) -> str:
    """Return the first thing that is wrong with the form of a manifest, "" for nothing."""
    try:
        form = _Manifest.model_validate(held)
    except ValidationError as error:
        return first_fault(error)
    for split in ("train", "validation", "test"):
        rows = sum(shard.rows for shard in form.shards if shard.split == split)
        told = getattr(form.counts.samples, split)
        if rows != told:
            return f"{rows:,} rows in the shards of {split}, and {told:,} samples by the counts"
    if isinstance(form.games_file, dict) and form.games_file:
        return "games_file: rows, size_bytes and sha256 are needed"
    return ""

"""Where a report comes from: the command, seed, versions and machine that made it."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import mariago

__all__ = ["PACKAGES", "Provenance", "provenance"]

PACKAGES = ("numpy", "numba", "onnxruntime", "pyarrow", "torch")


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a reader needs to make the same report again."""

    command: str
    seed: int | None
    date: str
    """UTC, ``2025-01-31 09:30 UTC``."""
    versions: Mapping[str, str]
    machine: str
    extra: Mapping[str, str]

    def as_dict(self) -> dict[str, object]:
        """Return plain values for a JSON file."""
        return {
            "command": self.command,
            "seed": self.seed,
            "date": self.date,
            "versions": dict(self.versions),
            "machine": self.machine,
            **self.extra,
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return (name, value) pairs in reading order."""
        shown = [("Command", self.command)]
        if self.seed is not None:
            shown.append(("Seed", str(self.seed)))
        shown.append(("Date", self.date))
        shown.append(("Versions", ", ".join(f"{k} {v}" for k, v in self.versions.items())))
        shown.append(("Machine", self.machine))
        return [*shown, *((name, value) for name, value in self.extra.items())]


def _installed() -> dict[str, str]:
    found = {"mariago": mariago.__version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def provenance(
    command: str,
    seed: int | None = None,
    extra: Mapping[str, object] | None = None,
    *,
    now: datetime | None = None,
) -> Provenance:
    """Return the provenance of work done now, or at ``now`` (an aware time) to repeat a report.

    ``extra`` holds more to name, such as player descriptions and file hashes. Versions are read
    from the installed packages' metadata; nothing is imported for them.
    """
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    return Provenance(
        command=command,
        seed=seed,
        date=moment.strftime("%Y-%m-%d %H:%M UTC"),
        versions=_installed(),
        machine=f"{platform.system()} {platform.machine()}",
        extra={name: str(value) for name, value in (extra or {}).items()},
    )

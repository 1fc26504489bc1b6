"""Run the benchmarks: ``python -m benchmarks [NAME ...] [--json] [--repeats N]``."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.frame import Row, as_json, as_table


def names() -> list[str]:
    """Return the benchmarks there are: every module here that is not the frame."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in found if name not in ("__main__", "frame"))


def main() -> int:
    """Run the chosen benchmarks and print their rows; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"which ones (all): {', '.join(names())}")
    parser.add_argument("--json", action="store_true", help="print JSON on standard output")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="repeats (5)")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.name) - set(names()))
    if unknown:
        parser.error(f"no benchmark named {unknown[0]}; there are {', '.join(names())}")
    rows: list[Row] = []
    for name in chosen.name or names():
        print(f"measuring {name}", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{name}").rows(chosen.repeats)
    print(as_json(rows) if chosen.json else as_table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())

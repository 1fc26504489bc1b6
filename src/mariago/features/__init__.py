"""Input planes in KataGo's V7 order, made from stored rows or from live positions; symmetries."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.features.live import inputs_of_positions
    from mariago.features.planes import (
        GLOBALS,
        PLANES,
        PLANES_VERSION,
        planes_of_position,
        planes_of_positions,
        planes_of_rows,
    )
    from mariago.features.rows import Rows, rows_of_positions
    from mariago.features.symmetries import apply_symmetry, apply_symmetry_to_policy

_HOMES = {
    "live": ("inputs_of_positions",),
    "planes": (
        "GLOBALS",
        "PLANES",
        "PLANES_VERSION",
        "planes_of_position",
        "planes_of_positions",
        "planes_of_rows",
    ),
    "rows": ("Rows", "rows_of_positions"),
    "symmetries": ("apply_symmetry", "apply_symmetry_to_policy"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "GLOBALS",
    "PLANES",
    "PLANES_VERSION",
    "Rows",
    "apply_symmetry",
    "apply_symmetry_to_policy",
    "inputs_of_positions",
    "planes_of_position",
    "planes_of_positions",
    "planes_of_rows",
    "rows_of_positions",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

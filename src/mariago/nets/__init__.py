"""Nets: their shape, their folders, asking them (without torch) and training them (with it).

Names are loaded when first used, so that importing the room costs nothing.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.nets.config import NetConfig, parameter_count, parameter_shapes
    from mariago.nets.folder import NetInfo, read_info, read_metrics, read_weights, write_net
    from mariago.nets.inference import Evaluation, Net, PositionEvaluation, crop_policy, load_net
    from mariago.nets.katago_files import read_katago, write_katago
    from mariago.nets.katago_net import load_katago_net
    from mariago.nets.packaged import named_net, packaged_net
    from mariago.nets.recipe import Recipe, packaged_recipes, read_recipe
    from mariago.nets.training import Settings, TrainingResult, steps_that_fit, train_net

# Torch's threads wait for each other by spinning, which on a machine with other work made training
# several times slower. These are read when torch is first imported, so they are set before.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")
os.environ.setdefault("KMP_BLOCKTIME", "0")

_HOMES = {
    "config": ("NetConfig", "parameter_count", "parameter_shapes"),
    "folder": ("NetInfo", "read_info", "read_metrics", "read_weights", "write_net"),
    "inference": ("Evaluation", "Net", "PositionEvaluation", "crop_policy", "load_net"),
    "katago_files": ("read_katago", "write_katago"),
    "katago_net": ("load_katago_net",),
    "packaged": ("named_net", "packaged_net"),
    "recipe": ("Recipe", "packaged_recipes", "read_recipe"),
    # These need torch, which the extra "train" installs.
    "training": ("Settings", "TrainingResult", "steps_that_fit", "train_net"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Evaluation",
    "Net",
    "NetConfig",
    "NetInfo",
    "PositionEvaluation",
    "Recipe",
    "Settings",
    "TrainingResult",
    "crop_policy",
    "load_katago_net",
    "load_net",
    "named_net",
    "packaged_net",
    "packaged_recipes",
    "parameter_count",
    "parameter_shapes",
    "read_info",
    "read_katago",
    "read_metrics",
    "read_recipe",
    "read_weights",
    "steps_that_fit",
    "train_net",
    "write_katago",
    "write_net",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

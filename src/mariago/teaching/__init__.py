"""Lessons from stronger players: labels by a teacher for the rows of a data set.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.teaching.labelling import Labelled, label_data_set
    from mariago.teaching.settings import LabelSettings
    from mariago.teaching.teachers import Teacher, make_teacher

_HOME_OF = {
    "LabelSettings": "settings",
    "Labelled": "labelling",
    "Teacher": "teachers",
    "label_data_set": "labelling",
    "make_teacher": "teachers",
}

__all__ = [
    "LabelSettings",
    "Labelled",
    "Teacher",
    "label_data_set",
    "make_teacher",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

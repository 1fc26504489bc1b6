"""Lessons between players in rounds, what they are worth, and labels by a stronger teacher.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.teaching.ablation import ablate
    from mariago.teaching.ablation_figures import AblationFigures, CellFigures, verdict_of
    from mariago.teaching.cross_settings import AblationSettings, TeachSettings, checked
    from mariago.teaching.labelling import Labelled, label_data_set
    from mariago.teaching.lessons_used import Used, lessons_used
    from mariago.teaching.rounds import teach
    from mariago.teaching.rounds_figures import RoundFigures, RunFigures
    from mariago.teaching.settings import LabelSettings
    from mariago.teaching.teachers import Teacher, make_teacher

_HOME_OF = {
    "AblationFigures": "ablation_figures",
    "AblationSettings": "cross_settings",
    "CellFigures": "ablation_figures",
    "LabelSettings": "settings",
    "Labelled": "labelling",
    "RoundFigures": "rounds_figures",
    "RunFigures": "rounds_figures",
    "TeachSettings": "cross_settings",
    "Teacher": "teachers",
    "Used": "lessons_used",
    "ablate": "ablation",
    "checked": "cross_settings",
    "label_data_set": "labelling",
    "lessons_used": "lessons_used",
    "make_teacher": "teachers",
    "teach": "rounds",
    "verdict_of": "ablation_figures",
}

__all__ = [
    "AblationFigures",
    "AblationSettings",
    "CellFigures",
    "LabelSettings",
    "Labelled",
    "RoundFigures",
    "RunFigures",
    "TeachSettings",
    "Teacher",
    "Used",
    "ablate",
    "checked",
    "label_data_set",
    "lessons_used",
    "make_teacher",
    "teach",
    "verdict_of",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

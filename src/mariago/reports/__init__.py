"""Pictures of boards, charts and one-file HTML pages.

This room knows the board and nothing above it: whatever a picture or a page shows is handed in.
Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.reports.boards import board_png, draw_board, sample_caption, sheet_png
    from mariago.reports.browser import (
        BrowsedGame,
        BrowserColumn,
        GameBrowser,
        PlayedSteps,
    )
    from mariago.reports.charts import (
        Bar,
        Series,
        category_chart,
        histogram_chart,
        interval_chart,
        line_chart,
    )
    from mariago.reports.diagram import BoardPicture, star_points
    from mariago.reports.origin import Provenance, provenance
    from mariago.reports.pages import page, write_page
    from mariago.reports.sections import (
        BoardGrid,
        Callout,
        Cards,
        Command,
        Definitions,
        Figures,
        Links,
        Section,
        Table,
        Text,
    )
    from mariago.reports.stepper import Stepper, played_out

_HOMES = {
    "boards": ("board_png", "draw_board", "sample_caption", "sheet_png"),
    "browser": ("BrowsedGame", "BrowserColumn", "GameBrowser", "PlayedSteps"),
    "charts": (
        "Bar",
        "Series",
        "category_chart",
        "histogram_chart",
        "interval_chart",
        "line_chart",
    ),
    "diagram": ("BoardPicture", "star_points"),
    "pages": ("page", "write_page"),
    "origin": ("Provenance", "provenance"),
    "sections": (
        "BoardGrid",
        "Callout",
        "Cards",
        "Command",
        "Definitions",
        "Figures",
        "Links",
        "Section",
        "Table",
        "Text",
    ),
    "stepper": ("Stepper", "played_out"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Bar",
    "BoardGrid",
    "BoardPicture",
    "BrowsedGame",
    "BrowserColumn",
    "Callout",
    "Cards",
    "Command",
    "Definitions",
    "Figures",
    "GameBrowser",
    "Links",
    "PlayedSteps",
    "Provenance",
    "Section",
    "Series",
    "Stepper",
    "Table",
    "Text",
    "board_png",
    "category_chart",
    "draw_board",
    "histogram_chart",
    "interval_chart",
    "line_chart",
    "page",
    "played_out",
    "provenance",
    "sample_caption",
    "sheet_png",
    "star_points",
    "write_page",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)

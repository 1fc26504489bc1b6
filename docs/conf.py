"""How Sphinx builds this documentation."""

from importlib import import_module
from typing import TYPE_CHECKING

from mariago import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "MariaGO"
author = "The MariaGO maintainers"
copyright = "2026, the MariaGO maintainers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"MariaGO {version}"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# What a page about the code needs no compiler, no training and no drawing for.
autodoc_mock_imports = ["torch", "tensorboard"]

ROOMS = [
    "arena",
    "arena.rating",
    "arena.statistics",
    "board",
    "features",
    "gtp",
    "gtpwire",
    "heuristic",
    "lessons",
    "nets",
    "players",
    "records",
    "reports",
    "rules",
    "scoring",
    "search",
    "sgf",
    "tactics",
    "teaching",
]


def load_public_names(_app: object) -> None:
    """Load what the rooms load on demand: autodoc only sees names that are there already."""
    for room in ROOMS:
        module = import_module(f"mariago.{room}")
        for name in getattr(module, "__all__", ()):
            setattr(module, name, getattr(module, name))


def setup(app: "Sphinx") -> None:
    """Connect the step above to the start of the build."""
    app.connect("builder-inited", load_public_names)

"""How Sphinx builds this documentation."""

from mariago import __version__

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

"""One-file HTML pages: nothing is fetched, and the file is readable without scripts.

The page carries its own style and script; its content policy lets no other script run, whatever a
player's name or a comment in a record may contain.
"""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mariago.board.files import write_whole
from mariago.reports.boards import board_svg
from mariago.reports.diagram import BoardPicture
from mariago.reports.drawing import clean
from mariago.reports.origin import Provenance
from mariago.reports.sections import Block, Section, Text
from mariago.words import texts

__all__ = ["page", "write_page"]

CONTENTS_FROM = 4  # sections; fewer need no table of contents


def _picture(picture: BoardPicture, lang: str = "en") -> Markup:
    return Markup(board_svg(picture, lang=lang))


def _markup(text: str) -> Markup:
    # Only for SVG that this room wrote or checked, and for a stepper's escaped JSON.
    return Markup(text)


def _finished(value: object) -> object:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _kind(block: Block) -> str:
    return "Text" if isinstance(block, str) else type(block).__name__


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("mariago.reports", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_finished,
    )
    environment.filters.update(picture=_picture, markup=_markup, kind=_kind)
    return environment


@cache
def _own_file(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, name)
    return source.strip()


def page(
    title: str,
    sections: Sequence[Section],
    lang: str = "en",
    footer: Provenance | None = None,
    *,
    subtitle: str = "",
) -> str:
    """Return a whole HTML page of ``sections``; ``lang`` is en, zh, ja or ko.

    The page's own words (buttons, contents, foot, the words for boards) come in ``lang``; the
    sections' and charts' as handed in.
    The same arguments give the same text.
    """
    script = _script(sections)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            subtitle=subtitle,
            sections=[(section.title, _paragraphs(section.blocks)) for section in sections],
            lang=lang,
            footer=footer,
            contents=len(sections) >= CONTENTS_FROM,
            style=Markup(_own_file("page.css")),
            script=Markup(script),
            digest=digest,
            _=texts(lang),
        )
    )
    return text.strip() + "\n"


def _script(sections: Sequence[Section]) -> str:
    """Return the page's one script: the parts that its blocks need, out of each other's sight."""
    kinds = {_kind(block) for section in sections for block in section.blocks}
    names = ["viewer.js", "page.js", *(["browser.js"] if "GameBrowser" in kinds else [])]
    parts = "\n".join(_own_file(name) for name in names)
    return f'"use strict";\n(function () {{\n{parts}\n}})();'


def _paragraphs(blocks: Sequence[Block]) -> list[Block]:
    return [Text(block) if isinstance(block, str) else block for block in blocks]


def write_page(path: "str | Path", html: str) -> None:
    """Write a page so that it appears whole or not at all."""
    write_whole(path, html)

"""The texts of an HTML page, to see that a page in another language has none left in English."""

from __future__ import annotations

import re
from html.parser import HTMLParser

WORD = re.compile(r"[A-Za-z]{3}")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.reads = True
        self.texts: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.reads = self.reads and tag not in ("script", "style")
        told = ("aria-label", "title", "alt", "data-start", "data-move", "data-pass", "data-copied")
        self.texts |= {value.strip() for name, value in attrs if name in told and value}

    def handle_endtag(self, tag: str) -> None:
        self.reads = self.reads or tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self.reads:
            self.texts.add(data.strip())


def texts_in_latin(html: str) -> set[str]:
    """Return what a page shows or tells screen readers and has a Latin word in it."""
    reader = _Reader()
    reader.feed(html)
    return {text for text in reader.texts if WORD.search(text)}


def left_in_english(english: str, other: str) -> set[str]:
    """Return the texts with a Latin word that two pages of the same thing have in common."""
    return texts_in_latin(english) & texts_in_latin(other)

"""What is to be said beside figures, kept apart from the language in which it is read."""

from __future__ import annotations

from dataclasses import dataclass

from mariago.words import Texts, texts

__all__ = ["GoTerm", "Listed", "Note"]


@dataclass(frozen=True, slots=True)
class GoTerm:
    """One of Go's own words, by its English name in the catalogues."""

    name: str

    def said(self, _: Texts) -> str:
        """Return it in the language of ``_``."""
        return _.term(self.name)


@dataclass(frozen=True, slots=True)
class Listed:
    """Several values in a row, notes and terms among them."""

    parts: tuple[object, ...]
    between: str = ", "

    def said(self, _: Texts) -> str:
        """Return them in the language of ``_``."""
        return self.between.join(str(_filled(part, _)) for part in self.parts)

    def __str__(self) -> str:
        return self.said(texts("en"))


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence, or a part of one: an English text of the catalogues and what fills it.

    ``str`` gives it in English, as the terminal and JSON have it.
    """

    text: str
    """For one thing, where there is ``many``."""
    values: tuple[tuple[str, object], ...] = ()
    """By their names in the text; notes, terms and lists of them are translated too."""
    many: str = ""
    """The text for several things."""
    count: int = 0
    """How many things there are, where ``many`` is given; fills ``{count}``."""

    @classmethod
    def of(cls, text: str, /, **values: object) -> Note:
        """Return ``text`` with what fills its ``{names}``."""
        return cls(text, tuple(values.items()))

    @classmethod
    def several(cls, one: str, many: str, count: int, /, **values: object) -> Note:
        """Return ``one`` or ``many``, by ``count`` as each language has it."""
        return cls(one, tuple(values.items()), many, count)

    def said(self, _: Texts) -> str:
        """Return it in the language of ``_``."""
        values = {name: _filled(value, _) for name, value in self.values}
        if self.many:
            return _.several(self.text, self.many, self.count, **values)
        return _(self.text, **values)

    def __str__(self) -> str:
        return self.said(texts("en"))


def _filled(value: object, _: Texts) -> object:
    return value.said(_) if isinstance(value, Note | GoTerm | Listed) else value

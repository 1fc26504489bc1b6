"""Terms of reuse: what they are called, and what they allow to be done with samples.

The table says how this project reads well-known terms; it is no legal advice. Terms that are not in
it are unknown, and unknown terms allow nothing until they are named.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from mariago.errors import BadInputError

__all__ = ["KNOWN_TERMS", "PURPOSES", "UNKNOWN_TERMS", "Terms", "are_allowed", "terms_of"]

UNKNOWN_TERMS = "unknown"


@dataclass(frozen=True)
class Terms:
    """Terms by their identifier (SPDX where there is one) and what they allow.

    ``may_train``: a net may be trained on samples and be given away. ``may_republish``: the samples
    themselves may be given away. ``duty`` says what both come with.
    """

    id: str
    may_train: bool
    may_republish: bool
    duty: str = ""


KNOWN_TERMS = {
    terms.id: terms
    for terms in (
        Terms("CC0-1.0", True, True),
        Terms("PDDL-1.0", True, True),
        Terms("public-domain", True, True),
        Terms("CC-BY-4.0", True, True, "name the authors"),
        Terms("CC-BY-3.0", True, True, "name the authors"),
        Terms("ODC-By-1.0", True, True, "name the source"),
        Terms("CC-BY-SA-4.0", True, True, "name the authors; republish on the same terms"),
        Terms("CC-BY-SA-3.0", True, True, "name the authors; republish on the same terms"),
        Terms("ODbL-1.0", True, True, "name the source; republish on the same terms"),
        Terms("CC-BY-NC-4.0", True, True, "name the authors; not for money"),
        Terms("CC-BY-NC-SA-4.0", True, True, "name the authors; not for money; the same terms"),
        Terms("CC-BY-ND-4.0", True, False, "name the authors; samples are a changed form"),
        Terms("CC-BY-NC-ND-4.0", True, False, "name the authors; not for money"),
        Terms("MIT", True, True, "keep the notice"),
        Terms("BSD-2-Clause", True, True, "keep the notice"),
        Terms("BSD-3-Clause", True, True, "keep the notice"),
        Terms("Apache-2.0", True, True, "keep the notice; say what was changed"),
        Terms("GPL-2.0", True, True, "republish on the same terms"),
        Terms("GPL-3.0", True, True, "republish on the same terms"),
        Terms("own-games", True, False, "played by yourself; the other player was not asked"),
        Terms("research-only", True, False, "for research"),
        Terms("all-rights-reserved", False, False),
        Terms(UNKNOWN_TERMS, False, False),
    )
}
PURPOSES = ("may-train", "may-republish")

_OTHER_NAMES = {
    "cc0": "CC0-1.0",
    "creativecommonszerov10universal": "CC0-1.0",
    "publicdomain": "public-domain",
    "gpl2": "GPL-2.0", "gpl20only": "GPL-2.0", "gpl20orlater": "GPL-2.0", "gplv2": "GPL-2.0",
    "gpl3": "GPL-3.0", "gpl30only": "GPL-3.0", "gpl30orlater": "GPL-3.0", "gplv3": "GPL-3.0",
    "ccby": "CC-BY-4.0",
    "ccbysa": "CC-BY-SA-4.0",
    "apache2": "Apache-2.0",
    "mitlicense": "MIT",
    "odbl": "ODbL-1.0",
    "research": "research-only",
    "none": UNKNOWN_TERMS, "nonestated": UNKNOWN_TERMS, "notstated": UNKNOWN_TERMS,
}  # fmt: skip


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


_BY_LETTERS = {_letters(name): terms for name, terms in KNOWN_TERMS.items()} | {
    letters: KNOWN_TERMS[name] for letters, name in _OTHER_NAMES.items()
}


def terms_of(text: str) -> Terms:
    """Return the known terms that a text names, whatever its case and punctuation.

    ``CC0 1.0``, ``gpl-3.0-or-later`` and ``MIT`` are known; a sentence is not, and gets the id
    ``unknown``.
    """
    return _BY_LETTERS.get(_letters(text), KNOWN_TERMS[UNKNOWN_TERMS])


def are_allowed(text: str, wanted: Sequence[str]) -> bool:
    """Tell whether terms pass the filter ``wanted``; an empty filter lets all pass.

    Each entry is a purpose (``may-train``, ``may-republish``), or an identifier that may hold
    ``*``, ``?`` and ``[...]`` (``CC-BY-*``), or the very text of a source's terms. Case does not
    matter. Unknown terms pass by ``unknown`` or by their very text alone, never by a pattern.

    Raises:
        BadInputError: an empty entry.
    """
    if not wanted:
        return True
    terms = terms_of(text)
    return any(_is_allowed(terms, text, entry.strip()) for entry in wanted)


def _is_allowed(terms: Terms, text: str, entry: str) -> bool:
    if not entry:
        raise BadInputError("no terms are named", where="--allow-terms", hint=_hint())
    lowered = entry.lower()
    if lowered in PURPOSES:
        return terms.may_train if lowered == "may-train" else terms.may_republish
    if lowered == text.strip().lower():
        return True
    if lowered == UNKNOWN_TERMS:
        return terms.id == UNKNOWN_TERMS
    if terms.id == UNKNOWN_TERMS:
        return False
    return terms_of(entry) is terms or fnmatchcase(terms.id.lower(), lowered)


def _hint() -> str:
    return f"name {', '.join(PURPOSES)} or terms such as CC0-1.0 or CC-BY-*"

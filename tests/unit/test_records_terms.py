"""Terms of reuse: which are known, and which pass a filter."""

from __future__ import annotations

import pytest

from mariago.errors import BadInputError
from mariago.records.terms import KNOWN_TERMS, are_allowed, terms_of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CC0 1.0", "CC0-1.0"),
        ("cc0", "CC0-1.0"),
        ("CC-BY 4.0", "CC-BY-4.0"),
        ("cc-by-nd-4.0", "CC-BY-ND-4.0"),
        ("GPL-3.0-or-later", "GPL-3.0"),
        ("GPLv3", "GPL-3.0"),
        ("MIT License", "MIT"),
        ("public domain", "public-domain"),
        ("none stated", "unknown"),
        ("ask the club's secretary", "unknown"),
        ("not CC0 1.0", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_text_names_known_terms_or_none(text: str, name: str) -> None:
    assert terms_of(text).id == name


def test_what_may_be_republished_may_be_trained_on() -> None:
    assert all(terms.may_train for terms in KNOWN_TERMS.values() if terms.may_republish)
    assert not KNOWN_TERMS["unknown"].may_train


@pytest.mark.parametrize(
    ("text", "wanted", "passes"),
    [
        ("GPL-3.0", [], True),
        ("whatever", [], True),
        ("CC0 1.0", ["cc0-1.0"], True),
        ("CC0 1.0", ["CC0"], True),
        ("CC-BY-SA-4.0", ["CC-BY-*"], True),
        ("CC0-1.0", ["CC-BY-*"], False),
        ("CC0-1.0", ["MIT", "CC0-1.0"], True),
        ("CC-BY-ND-4.0", ["may-train"], True),
        ("CC-BY-ND-4.0", ["may-republish"], False),
        ("all rights reserved", ["may-train"], False),
        ("whatever", ["may-train"], False),
        ("whatever", ["*"], False),
        ("whatever", ["unkn*"], False),
        ("whatever", ["unknown"], True),
        ("whatever", ["Whatever"], True),
        ("none stated", ["unknown"], True),
        ("GPL-3.0", ["unknown"], False),
    ],
)
def test_unknown_terms_pass_a_filter_only_by_name(
    text: str, wanted: list[str], passes: bool
) -> None:
    assert are_allowed(text, wanted) is passes


def test_an_empty_entry_is_refused() -> None:
    with pytest.raises(BadInputError, match="no terms are named"):
        are_allowed("MIT", [" "])

"""``docs/reference/samples.md`` names every column, every reason and all known terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from mariago.records.labels import LABEL_SCHEMA
from mariago.records.schema import GAME_SCHEMA, REASONS, SAMPLE_SCHEMA
from mariago.records.terms import KNOWN_TERMS
from mariago.records.told import RESULT_KINDS, SERVERS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "samples.md"


@pytest.mark.parametrize(
    "names",
    [SAMPLE_SCHEMA.names, GAME_SCHEMA.names, LABEL_SCHEMA.names, REASONS, list(KNOWN_TERMS),
     SERVERS, RESULT_KINDS],
    ids=["samples", "games", "labels", "reasons", "terms", "servers", "results"],
)  # fmt: skip
def test_the_reference_page_names_them_all(names: list[str]) -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in text] == []

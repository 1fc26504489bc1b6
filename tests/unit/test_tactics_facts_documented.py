"""``docs/reference/move-facts.md`` defines every fact of a move, with its bit and its words."""

from __future__ import annotations

import re
from pathlib import Path

from mariago.tactics.fact_names import FACT_NAMES, FACTS_IN_WORDS
from mariago.words import texts

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "move-facts.md"


def test_every_fact_is_defined_with_its_bit_and_its_words() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \| (.+) \|$",
                      PAGE.read_text("utf-8"), re.MULTILINE)  # fmt: skip
    assert [(int(bit), name) for bit, name, *_ in rows] == list(enumerate(FACT_NAMES))
    for _, name, *told, definition in rows:
        assert told == [texts(lang)(FACTS_IN_WORDS[name]) for lang in ("zh", "ja", "ko")]
        assert len(definition) > 10

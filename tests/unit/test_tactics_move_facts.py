"""Every fact of a move: where it holds, and a near miss, in all symmetries and both colours."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.move_fact_diagrams import CASES, Case

from mariago.board.geometry import SYMMETRIES, move_table
from mariago.board.points import vertex_to_move
from mariago.rules import Position
from mariago.tactics import facts_of_move
from mariago.tactics.fact_names import FACT_NAMES, FACTS_IN_WORDS, facts_of_bits
from mariago.words import LANGUAGES, texts


def swapped(position: Position) -> Position:
    """Return the position with the colours exchanged."""
    stones = position.stones
    turned = np.where(stones == 0, 0, 3 - stones).astype(np.uint8)
    return Position.from_stones(
        turned, to_move=3 - position.to_move, ko=position.ko, rules=position.rules
    )


def names_of(position: Position, vertex: str) -> set[str]:
    """Return the facts of a move, the same in all symmetries and for both colours."""
    move = vertex_to_move(vertex, position.size)
    found = set(facts_of_move(position, move).names)
    for symmetry in SYMMETRIES:
        image = position.symmetry(symmetry)
        there = int(move_table(position.size, symmetry)[move])
        for seen in (image, swapped(image)):
            assert set(facts_of_move(seen, there).names) == found
    return found


@pytest.mark.parametrize("case", CASES, ids=[f"{case.fact}-{case.vertex}" for case in CASES])
def test_a_fact_holds_at_one_move_and_not_at_a_near_miss(case: Case) -> None:
    given = {"to_move": case.to_move, "rules": case.rules}
    position = Position.from_diagram(case.diagram, **given)
    assert case.fact in names_of(position, case.vertex)
    other = Position.from_diagram(case.near_diagram or case.diagram, **given)
    assert case.fact not in names_of(other, case.near)


def test_every_fact_has_a_diagram() -> None:
    assert {case.fact for case in CASES} == set(FACT_NAMES)


def test_bits_have_names_and_words_in_four_languages() -> None:
    assert len(FACT_NAMES) == len(set(FACT_NAMES)) <= 64
    assert facts_of_bits(0b101) == (FACT_NAMES[0], FACT_NAMES[2])
    for lang in LANGUAGES:
        words = [texts(lang)(FACTS_IN_WORDS[name]) for name in FACT_NAMES]
        assert len(set(words)) == len(words), lang
        if lang != "en":
            assert all(word != FACTS_IN_WORDS[n] for n, word in zip(FACT_NAMES, words, strict=True))

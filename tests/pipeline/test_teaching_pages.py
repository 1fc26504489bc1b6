"""Pages of rounds, of an ablation and of a book: nothing on them is left in English."""

from __future__ import annotations

import re

import pytest
from tests.pipeline.page_texts import left_in_english

from mariago.arena.settings import settings_of
from mariago.cli.main import call
from mariago.reports import provenance
from mariago.teaching.ablation import ablate
from mariago.teaching.ablation_page import write_ablation_page
from mariago.teaching.cross_settings import AblationSettings, TeachSettings, checked
from mariago.teaching.rounds import teach
from mariago.teaching.rounds_page import write_rounds_page
from mariago.words import LANGUAGES

ORIGIN = provenance("mariago", 1)
DATA = re.compile(r"([AB]: )?heuristic:|random$|Elo$|[ab]-\d\d\.book|mariago( 0|$)|20\d\d-")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Return the pages by kind and language, of runs with one round and two games a cell."""
    root = tmp_path_factory.mktemp("teaching")
    terms = settings_of(
        player_a="heuristic:v3", player_b="heuristic:v2", games=2, size=7, move_limit=40, seed=5
    )
    rounds = teach(
        checked(TeachSettings, terms, ["random"], rounds=1, third_games=2), root / "rounds"
    )
    cells = ablate(checked(AblationSettings, terms, ["random"], games=2, looked_at=2), root / "a")
    book = root / "rounds" / "books" / "a-01.book"
    found: dict[str, dict[str, str]] = {"rounds": {}, "ablation": {}, "book": {}}
    for lang in LANGUAGES:
        page = root / f"book-{lang}.html"
        assert call(["lessons", "show", str(book), "--out", str(page), "--lang", lang]) == 0
        found["rounds"][lang] = write_rounds_page(rounds, root, ORIGIN, lang).read_text("utf-8")
        found["ablation"][lang] = write_ablation_page(cells, root, ORIGIN, lang).read_text("utf-8")
        found["book"][lang] = page.read_text("utf-8")
    return found


@pytest.mark.parametrize("kind", ["rounds", "ablation", "book"])
def test_nothing_is_left_in_english(pages: dict[str, dict[str, str]], kind: str) -> None:
    for lang in ("zh", "ja", "ko"):
        left = left_in_english(pages[kind]["en"], pages[kind][lang])
        assert {text for text in left - {ORIGIN.machine} if not DATA.match(text)} == set(), lang


def test_one_round_is_no_rounds(pages: dict[str, dict[str, str]]) -> None:
    assert "cross lessons, 1 round<" in pages["rounds"]["en"]
    assert "2 games in each cell" in pages["ablation"]["en"]

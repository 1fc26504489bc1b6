"""What is said of rounds and cells, on games that are made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mariago.arena.opening_terms import OpeningTerms
from mariago.arena.records import GameRecord
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.standings import StoredMatch
from mariago.arena.statistics import Estimate, wilson_interval
from mariago.arena.statistics.differences import independent_difference, paired_difference
from mariago.board.points import BLACK, WHITE
from mariago.errors import BadInputError
from mariago.lessons import Given
from mariago.teaching.ablation_figures import (
    AblationFigures,
    CellFigures,
    figures_of_cells,
    verdict_of,
)
from mariago.teaching.ablation_outputs import ablation_csv, ablation_text
from mariago.teaching.cross_settings import AblationSettings, TeachSettings, checked
from mariago.teaching.lessons_used import Used
from mariago.teaching.run_folder import begin_run
from mariago.teaching.side_books import Told, can_learn, given_since

BOOK = Told(3, 4.0, 2, ())
USED = Used(2, 100, 5)


def terms(**others: object) -> MatchSettings:
    values = {"player_a": "heuristic:v3", "player_b": "heuristic:v2", "games": 4, "size": 7}
    return settings_of(**{**values, "move_limit": 20, **others})  # pyright: ignore


def stored(points: list[float]) -> StoredMatch:
    """Return a match in which player A won these points, game by game."""
    games: list[GameRecord] = []
    for number, won in enumerate(points):
        black = "a" if number % 2 == 0 else "b"
        own, other = (BLACK, WHITE) if black == "a" else (WHITE, BLACK)
        winner = 0 if won == 0.5 else own if won else other
        games.append(GameRecord(number, black, (), (), winner, 0.0, "limit"))
    return StoredMatch("made up", terms(games=len(points)), {"a": {}, "b": {}}, tuple(games))


def ablation(cells: dict[str, list[float]]) -> AblationSettings:
    return checked(
        AblationSettings, terms(), ["random"], games=len(cells["none"]), cells=tuple(cells)
    )


def figures(cells: dict[str, list[float]]) -> AblationFigures:
    made = [CellFigures(c, BOOK, USED, (stored(p),)) for c, p in cells.items()]  # pyright: ignore
    return figures_of_cells(ablation(cells), made)


def test_the_difference_of_two_shares_is_newcombes() -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, (a) 56/70 - 48/80, method 10
    found = independent_difference(wilson_interval(56, 70), wilson_interval(48, 80))
    assert found.as_list() == pytest.approx([0.2, 0.0524, 0.3339], abs=5e-5)
    nothing = independent_difference(Estimate(None, None, None, 0), wilson_interval(48, 80))
    assert nothing.as_list() == [None, None, None]


def test_scores_from_one_opening_are_compared_with_each_other() -> None:
    first, second = [1.0, 0.5, 0.0, 0.75] * 25, [0.5, 0.5, 0.0, 0.75] * 25
    found = paired_difference(first, second)
    assert found.value == pytest.approx(0.125)
    assert found.count == 100
    assert found.low is not None
    assert found.low > 0
    back = paired_difference(second, first)
    assert back.as_list() == pytest.approx([-x for x in (found.value, found.high, found.low)])  # type: ignore[operator]
    with pytest.raises(ValueError, match="2 and 1"):
        paired_difference([1.0, 0.0], [1.0])


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((30.0, 5.0, 55.0), "gain"),
        ((-30.0, -55.0, -5.0), "loss"),
        ((1.0, -20.0, 21.9), "nil"),
        ((1.0, -22.5, 21.0), "unknown"),
        ((100.0, -1.0, 201.0), "unknown"),
        ((None, None, None), "unknown"),
    ],
)
def test_only_a_whole_interval_says_anything(
    interval: tuple[float | None, float | None, float | None], verdict: str
) -> None:
    assert verdict_of(Estimate(*interval, 10)) == verdict


def test_cells_that_played_alike_do_not_differ() -> None:
    points = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0] * 50
    found = figures({"none": points, "cross": points, "shuffled": points})
    assert found.elo_difference("cross", "none").value == pytest.approx(0, abs=1e-6)
    assert found.score_difference("cross", "none").value == 0
    assert verdict_of(found.elo_difference("cross", "none")) == "nil"
    assert "cross: no gain: within 22 Elo of none either way" in ablation_text(found)
    assert found.elo_difference("none", "none").as_list() == [None, None, None]


def test_a_gain_is_told_opening_by_opening() -> None:
    # 200 openings; the taught student wins one game more in every fourth of them
    none = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0] * 50
    taught = [1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0] * 50
    found = figures({"none": none, "double": taught, "shuffled": none})
    gain = found.elo_difference("double", "none")
    assert verdict_of(gain) == "gain"
    assert verdict_of(found.elo_difference("none", "double")) == "loss"
    # The same scores are hardly told apart where openings are not compared with each other.
    apart = independent_difference(found.cell("double").score, found.cell("none").score)
    paired = found.score_difference("double", "none")
    assert apart.value == pytest.approx(paired.value)
    assert paired.high is not None
    assert paired.low is not None
    assert apart.high is not None
    assert apart.low is not None
    assert paired.high - paired.low < 0.8 * (apart.high - apart.low)
    lines = ablation_csv(found).splitlines()
    assert [line.split(",")[0] for line in lines] == ["cell", "none", "double", "shuffled"]
    values = found.as_dict()
    assert [cell["verdict"] for cell in values["cells"]] == ["", "gain", "nil"]  # type: ignore[index,union-attr]
    assert values["placebo"] == "shuffled"


def test_a_cell_without_a_complete_pair_says_nothing() -> None:
    lone = replace(stored([1.0, 0.0]), games=stored([1.0, 0.0]).games[:1])
    made = [CellFigures(c, BOOK, USED, (lone,)) for c in ("none", "cross")]  # pyright: ignore
    found = figures_of_cells(ablation({"none": [1.0, 0.0], "cross": [1.0, 0.0]}), made)
    assert verdict_of(found.elo_difference("cross", "none")) == "unknown"
    assert "cross: the games do not tell (-" in ablation_text(found)


def test_lessons_of_a_round_are_what_came_since_the_last() -> None:
    def told(*counts: int) -> Told:
        kinds = ("capture", "atari_save")
        given = tuple(
            Given(kind, "x", "y", n, 2.0 * n, n) for kind, n in zip(kinds, counts, strict=False)
        )
        return Told(sum(counts), 0.0, 0, given)

    assert given_since(told(3), told(5, 2)) == {"capture": (2, 4.0), "atari_save": (2, 4.0)}


def test_games_are_shared_out_among_third_parties() -> None:
    def run(games: int) -> AblationSettings:
        third = ["random", "heuristic:v2", "heuristic:v5"]
        return checked(AblationSettings, terms(), third, games=games)

    assert run(1000).third_games == (334, 334, 332)
    assert run(6).third_games == (2, 2, 2)
    for games in (4, 7):
        with pytest.raises(BadInputError, match=f"{games} games are no pairs"):
            run(games)


def test_who_can_learn() -> None:
    assert can_learn("heuristic:v3")
    assert can_learn("net:somewhere")
    assert not can_learn("random")
    only = terms(player_b="random")
    assert checked(TeachSettings, only, ["random"]).learners == ("a",)
    with pytest.raises(BadInputError, match="uses no lessons"):
        checked(TeachSettings, terms(player_a="random", player_b="random"), ["random"])
    with pytest.raises(BadInputError, match="uses no lessons"):
        checked(AblationSettings, terms(player_a="random"), ["random"])


@pytest.mark.parametrize(
    ("third", "others", "said"),
    [
        (["random", "random"], {}, "named twice"),
        (["random"], {"third_games": 3}, "3 games are no pairs"),
        (["random"], {"rounds": 0}, "rounds"),
    ],
)
def test_what_no_run_can_have(third: list[str], others: dict[str, object], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        checked(TeachSettings, terms(), third, **others)


def test_a_student_comes_without_a_book() -> None:
    with pytest.raises(BadInputError, match="without book="):
        checked(TeachSettings, terms(player_a="heuristic:v3,book=x"), ["random"])


@pytest.mark.parametrize(
    "cells", [("own", "cross"), ("none",), ("none", "own", "own"), ("none", "x")]
)
def test_cells_are_known_different_and_comparable(cells: tuple[str, ...]) -> None:
    with pytest.raises(BadInputError):
        checked(AblationSettings, terms(), ["random"], games=4, cells=cells)


@pytest.mark.parametrize(
    ("kind", "games"),
    [(TeachSettings, {"third_games": 8}), (AblationSettings, {"games": 8})],
)
def test_a_folder_with_too_few_openings_is_refused_before_the_run(
    kind: Any, games: dict[str, int]
) -> None:
    source = OpeningTerms.model_validate({"source": "folder", "name": "o", "distinct": 3})
    match = terms().model_copy(update={"openings": source, "games": 4})
    with pytest.raises(BadInputError, match=r"enough for 6 games .* play 8") as error:
        checked(kind, match, ["random"], **games)
    assert "--repeat-openings" in str(error.value.hint)
    again = source.model_copy(update={"repeat": True})
    checked(kind, match.model_copy(update={"openings": again}), ["random"], **games)
    enough = source.model_copy(update={"distinct": 4})
    checked(kind, match.model_copy(update={"openings": enough}), ["random"], **games)


def test_a_changed_run_names_what_changed_and_nothing_else(tmp_path: Path) -> None:
    match = {"komi": 7.5, "openings": {"source": "folder", "name": "a", "sha256": ""}}
    begin_run(tmp_path, "teach", {"match": match}, resume=False)
    with pytest.raises(BadInputError, match=r"one: match komi: 7.5 then, 6.5 now$"):
        begin_run(tmp_path, "teach", {"match": {**match, "komi": 6.5}}, resume=True)
    other = {**match, "openings": {**match["openings"], "name": "b"}}  # pyright: ignore
    with pytest.raises(BadInputError, match=r"one: match openings name: 'a' then, 'b' now$"):
        begin_run(tmp_path, "teach", {"match": other}, resume=True)
    with pytest.raises(BadInputError, match=r"openings: source=folder name=a then, None now$"):
        begin_run(tmp_path, "teach", {"match": {**match, "openings": None}}, resume=True)


def test_a_folder_keeps_one_run(tmp_path: Path) -> None:
    begin_run(tmp_path, "teach", {"rounds": 2, "x": 1}, resume=False)
    with pytest.raises(BadInputError, match="holds a run already"):
        begin_run(tmp_path, "teach", {"rounds": 2, "x": 1}, resume=False)
    begin_run(tmp_path, "teach", {"rounds": 2, "x": 1}, resume=True)
    with pytest.raises(BadInputError, match="x: 1 then, 2 now"):
        begin_run(tmp_path, "teach", {"rounds": 2, "x": 2}, resume=True)
    with pytest.raises(BadInputError, match="'teach' then, 'ablation' now"):
        begin_run(tmp_path, "ablation", {"rounds": 2, "x": 1}, resume=True)
    with pytest.raises(BadInputError, match="rounds: 2 then, 3 now"):
        begin_run(tmp_path, "teach", {"rounds": 3, "x": 1}, resume=True)
    begin_run(tmp_path, "teach", {"rounds": 3, "x": 1}, resume=True, grows="rounds")
    with pytest.raises(BadInputError, match="rounds: 3 then, 2 now"):
        begin_run(tmp_path, "teach", {"rounds": 2, "x": 1}, resume=True, grows="rounds")
    (tmp_path / "settings.json").write_text("[")
    with pytest.raises(BadInputError, match="damaged"):
        begin_run(tmp_path, "teach", {}, resume=True)

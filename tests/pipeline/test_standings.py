"""Standings of several matches: one table, who is one player and who is not."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from tests.pipeline.match_players import prepare
from tests.pipeline.page_texts import left_in_english

from mariago.arena import play_match
from mariago.arena.settings import settings_of
from mariago.arena.standings import Standings, StoredMatch, read_matches, standings_of
from mariago.arena.standings_notes import notes_of_match
from mariago.arena.standings_outputs import standings_csv, standings_dict, standings_text
from mariago.arena.standings_page import standings_html
from mariago.arena.statistics.sprt import SprtState, SprtTerms
from mariago.arena.stopping import Counted
from mariago.cli.main import call
from mariago.errors import MatchError
from mariago.reports import provenance
from mariago.words import LANGUAGES, texts

prepare()
RESIGNS = "odd,does=resign,at=4"
BREAKS = "odd,does=illegal,at=5"


def play(folder: Path, a: str, b: str, **others: object) -> None:
    values: dict[str, object] = {"games": 6, "size": 5, "komi": 0.5, "move_limit": 9, **others}
    play_match(settings_of(player_a=a, player_b=b, **values), folder)  # pyright: ignore


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    root = tmp_path_factory.mktemp("matches")
    play(root / "one", "random", RESIGNS)
    play(root / "two", BREAKS, "random", games=8)
    return [str(root / "one"), str(root / "two")]


def test_players_who_never_met_are_rated_through_the_third(places: list[str]) -> None:
    found = standings_of(read_matches(places))
    lines = {line.name: line for line in found.lines}
    best = found.lines[0]
    assert (best.name, best.games, best.wins, best.wins_without_faults) == ("random", 14, 14, 6)
    assert (lines[BREAKS].illegal, lines[BREAKS].faults, lines[BREAKS].losses) == (8, 0, 8)
    assert lines[RESIGNS].illegal == 0
    assert {line.group for line in found.lines} == {1}
    assert all(line.elo.low is not None for line in found.lines)
    assert any("one virtual game" in str(note) for note in found.notes)
    assert found.terms["komi"] == 0.5
    text = standings_text(found)
    for said in ("6/6", "8/8", "Davidson", "the mean is 0", "2 matches on 5x5"):
        assert said in text


def test_the_tables_for_programs_agree(places: list[str]) -> None:
    found = standings_of(read_matches(places), model="bradley-terry", anchor="random")
    rows = list(csv.DictReader(io.StringIO(standings_csv(found))))
    told = json.loads(json.dumps(standings_dict(found)))
    assert [row["player"] for row in rows] == [one["name"] for one in told["players"]]
    assert float(rows[0]["elo"]) == 0
    assert rows[0][f"against {RESIGNS}"] == "6/6"
    assert rows[0]["against random"] == ""
    assert told["model"] == "bradley-terry"
    assert sum(map(sum, told["cross"]["games"])) == 28
    assert told["descriptions"]["random"]["kind"] == "random"


def test_a_folder_its_file_and_its_url_are_one_match(places: list[str], tmp_path: Path) -> None:
    file = str(Path(places[0]) / "match.sqlite")
    assert len(read_matches([places[0], file, f"sqlite:///{file}"])) == 1
    copy = Path(shutil.copytree(places[0], tmp_path / "copy"))
    found = standings_of(read_matches([places[0], str(copy)]))
    assert found.lines[0].games == 6
    assert any("count once" in str(note) for note in found.notes)


def test_different_players_of_one_name_are_told_apart(places: list[str]) -> None:
    one, two = read_matches(places)
    before = two.players["b"]
    changed = StoredMatch(two.place, two.settings, {**two.players, "b": {**before, "seed": 9}},
                          two.games)  # fmt: skip
    found = standings_of([one, changed])
    assert {line.name for line in found.lines} == {"random #1", "random #2", RESIGNS, BREAKS}
    assert any("2 players are called random: seed 0 / 9" in str(note) for note in found.notes)
    assert any("Never met" in str(note) for note in found.notes)
    assert len(found.ratings.groups) == 2


def test_games_against_oneself_and_lone_games_are_left_out(places: list[str]) -> None:
    one, two = read_matches(places)
    alone = StoredMatch("m", one.settings.model_copy(update={"player_b": "random"}),
                        {"a": one.players["a"], "b": one.players["a"]}, one.games)  # fmt: skip
    short = StoredMatch("n", two.settings, two.players, two.games[:5])
    found = standings_of([alone, short])
    assert sum(line.games for line in found.lines) == 8
    assert {line.name: line.missing for line in found.lines} == {"random": 3, BREAKS: 3}
    for said in (
        "against itself are left out",
        "1 game of an incomplete pair is",
        "3 of 8 games are missing",
    ):
        assert any(said in str(note) for note in found.notes)


def test_matches_on_different_terms_are_not_mixed_unasked(
    places: list[str], tmp_path: Path
) -> None:
    play(tmp_path / "m", "random", RESIGNS, komi=6.5, games=2)
    matches = read_matches([places[0], str(tmp_path / "m")])
    with pytest.raises(MatchError, match=r"different terms: komi 0\.5, 6\.5"):
        standings_of(matches)
    found = standings_of(matches, mixed=True)
    assert found.lines[0].games == 8
    assert found.terms == {}


def told_of(places: list[str]) -> Standings:
    """Return standings of which everything is said that can be, but a sequential test's end."""
    one, two = read_matches(places)
    alone = one.settings.model_copy(update={"player_b": "random", "komi": 6.5, "move_limit": None})
    other = two.settings.model_copy(
        update={"rules": "japanese", "scoring": "area", "rows": 7, "columns": 6}
    )
    seeded = {**two.players, "b": {**two.players["b"], "seed": 9}}
    return standings_of(
        [
            one,
            StoredMatch("m", one.settings, one.players, one.games),
            StoredMatch("n", alone, {"a": one.players["a"], "b": one.players["a"]}, one.games[:1]),
            StoredMatch("o", other, seeded, two.games[:5]),
        ],
        mixed=True,
    )


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_no_note_on_a_page_is_left_in_english(places: list[str], lang: str) -> None:
    found = told_of(places)
    assert len(found.notes) == 9
    origin = provenance("mariago standings", 0)
    english, other = (standings_html(found, origin, one) for one in ("en", lang))
    known = {*(line.name for line in found.lines), *found.descriptions, origin.machine}
    data = ("Elo", "{", "mariago", "2", *known)
    assert [text for text in left_in_english(english, other) if not text.startswith(data)] == []
    for note in found.notes:
        said = note.said(texts(lang))
        assert said in unescape(other)
        # Names and places are left, and keys of descriptions.
        rest = re.sub("random|odd,does=[a-z]+,at=[0-9]|seed|" + re.escape(places[0]), "", said)
        assert not re.search("[A-Za-z]{2}", rest)


def test_notes_count_in_english(places: list[str]) -> None:
    notes = [str(note) for note in told_of(places).notes]
    assert "n: 1 game of random #1 against itself is left out." in notes
    assert "o: 3 of 8 games are missing." in notes
    assert (
        "Matches on different terms are counted alike: rows 5, 7; columns 5, 6; Chinese rules, "
        "Japanese rules; komi 0.5, 6.5; move limit 9, none; territory scoring, area scoring."
    ) in notes
    told = json.loads(json.dumps(standings_dict(told_of(places))))
    assert told["notes"] == notes


def test_a_match_ended_early_is_named_in_every_language() -> None:
    state = SprtState(SprtTerms.model_validate({}), 3.0, -2.9, 2.9, 12, "elo1")
    counted = Counted((), (), state, last=-1)
    said = [notes_of_match("runs/m", counted)[-1].said(texts(lang)) for lang in LANGUAGES]
    assert "sequential test" in said[0]
    assert len(set(said)) == 4


def test_a_match_without_games_has_lines_without_ratings(places: list[str]) -> None:
    one, _ = read_matches(places)
    found = standings_of([StoredMatch("m", one.settings, one.players, ())])
    assert [line.elo.value for line in found.lines] == [None, None]
    assert [line.missing for line in found.lines] == [6, 6]
    assert "random" in standings_text(found)
    assert standings_csv(found).count("\n") == 3


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = call([*arguments])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_the_command_prints_each_form(run: Run, places: list[str]) -> None:
    code, shown, _ = run("standings", *places)
    assert code == 0
    assert "Points / games" in shown
    code, shown, _ = run("standings", *places, "--json", "--rating", "bradley-terry")
    assert json.loads(shown)["model"] == "bradley-terry"
    code, shown, _ = run("standings", *places, "--csv", "--anchor", "random")
    assert shown.startswith("place,player,elo")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere: no match here"),
        (["PLACE", "--anchor", "rando"], "did you mean random?"),
        (["PLACE", "--json", "--csv"], "exclude each other"),
        (["foo://bar"], "not the URL of a database"),
        (["sqlite:///nowhere.db"], "no such file"),
    ],
)
def test_wrong_input_is_one_line(
    run: Run, places: list[str], arguments: list[str], said: str
) -> None:
    code, shown, log = run("standings", *(places[0] if a == "PLACE" else a for a in arguments))
    assert (code, shown) == (2, "")
    assert said in log
    assert "Traceback" not in log


def test_another_database_is_no_match_and_stays_as_it_was(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"")
    code, _, log = run("standings", str(other))
    assert code == 2
    assert "no match here" in log
    assert other.read_bytes() == b""

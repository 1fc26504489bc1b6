"""A searching player with a book: lessons say where it looks first, what it finds decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE
from mariago.errors import PlayerError
from mariago.lessons import Book, Lesson, PlayedGame
from mariago.lessons.key_kernels import pattern_of
from mariago.players import Limits, resolve_name
from mariago.players.lesson_policy import reranked
from mariago.players.lesson_reader import LessonReader, checking, reader_of
from mariago.players.search_player import SearchOptions, SearchPlayer
from mariago.rules import Position
from mariago.search import Evaluations
from mariago.teaching.side_books import can_learn

NAME = "search:x"
SIZE = 5
TAUGHT, FAVOURITE = 7, 12
STONES = ". . . . .\n. X . . .\n. . . O .\n. . . . .\n. . . . ."


class Corner:
    """A net that likes every move alike and one a little more; moves at ``bad`` lose."""

    def __init__(self, bad: int | None = None) -> None:
        self.bad = bad

    def evaluate(self, planes: np.ndarray, global_inputs: np.ndarray) -> Evaluations:
        count = len(planes)
        policy = np.full((count, SIZE * SIZE + 1), 1.0)
        policy[:, FAVOURITE] = 3.0
        value = np.zeros(count)
        if self.bad is not None:  # plane 2: stones of who does not move
            value[planes[:, 2].reshape(count, -1)[:, self.bad] > 0] = 0.9
        return Evaluations(policy, value, None, np.zeros((count, SIZE, SIZE)))

    def describe(self) -> dict[str, object]:
        return {"name": "corner"}


def position() -> Position:
    return Position.from_diagram(STONES, to_move=BLACK, move_number=10)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "lessons.book"
    game = PlayedGame(Position.empty(SIZE), ((BLACK, 0), (WHITE, 1)), black=NAME, white="random")
    key = int(pattern_of(position().state, TAUGHT))
    with Book.open(path, write=True) as opened:
        opened.add(game, [Lesson("capture", 1, TAUGHT, WHITE, BLACK, 1, 40, key, 1)])
    return path


def player(book: Path | None, bad: int | None = None, **keys: Any) -> SearchPlayer:
    options = SearchOptions.model_validate({"visits": 16, "lesson_scale": 0.1, **keys})
    reader = None if book is None else LessonReader(book, NAME)
    return SearchPlayer(NAME, Corner(bad), options, reader)  # pyright: ignore


WAYS = ({}, {"gumbel": True}, {"gumbel": True, "sampled": True}, {"transpositions": "on"})


@pytest.mark.parametrize("keys", WAYS, ids=str)
def test_lessons_raise_the_policy_of_the_root_and_no_more(book: Path, keys: Any) -> None:
    plain, learnt = player(None, **keys), player(book, **keys)
    before, after = (p.analyse(position(), Limits()) for p in (plain, learnt))
    assert np.array_equal(before.policy, after.policy), "what is told is what the net says"
    counts = learnt.lessons.table.counts_of(position())  # pyright: ignore
    raised = reranked(before.policy, counts, learnt.options)
    tree = learnt.search.tree
    assert tree is not None
    edges = tree.edges_of(0)
    assert tree.edge_prior[edges] == pytest.approx(raised[tree.edge_move[edges]])
    for node in range(1, len(tree)):
        below = tree.edge_prior[tree.edges_of(node)]
        assert len(below) == 0 or below.max() <= 3.001 * below.min()
    if "sampled" not in keys:
        visits = {found.move: found.visits for found in after.moves}
        assert (before.move, after.move) == (FAVOURITE, TAUGHT)
        assert visits[TAUGHT] > visits.get(FAVOURITE, 0)


def test_a_lesson_that_does_not_work_here_is_given_up(book: Path) -> None:
    learnt = player(book, bad=TAUGHT, visits=40)
    decision = learnt.choose(position(), Limits())
    assert decision.move != TAUGHT
    assert "lesson" not in decision.facts


def test_a_root_that_is_searched_again_is_raised_once(book: Path) -> None:
    learnt = player(book)
    learnt.analyse(position(), Limits())
    tree = learnt.search.tree
    assert tree is not None
    priors = tree.edge_prior[tree.edges_of(0)].copy()
    again = learnt.analyse(position(), Limits(visits=24))
    assert learnt.search.tree is tree
    assert np.array_equal(tree.edge_prior[tree.edges_of(0)], priors)
    learnt.watch(position(), lambda _: True)
    assert np.array_equal(tree.edge_prior[tree.edges_of(0)], priors)
    assert again.policy.sum() == pytest.approx(1)


def test_a_decision_says_what_lessons_did(book: Path) -> None:
    decision = player(book).choose(position(), Limits())
    told: Any = decision.facts["lesson_prior"]
    assert told["count"] == 40
    assert told["policy"] < told["raised_to"]
    assert "lesson" not in decision.facts, "that takes a second search"
    checked = player(book, lesson_check=True).choose(position(), Limits())
    assert (checked.move, checked.candidates) == (decision.move, decision.candidates)
    changed: Any = checked.facts["lesson"]
    assert (changed["count"], str(changed["instead_of"])) == (40, "C3")
    assert not {"lesson", "lesson_prior"} & set(player(None).choose(position(), Limits()).facts)


@pytest.mark.parametrize(
    "keys", [{}, {"noise": 0.25, "temperature": 1}, {"symmetries": 0}], ids=str
)
def test_looking_twice_changes_no_game(book: Path, keys: Any) -> None:
    games: list[list[int]] = []
    for check in (False, True):
        one = player(book, visits=6, lesson_check=check, **keys)
        one.new_game(5)
        at, moves = position(), []
        for _ in range(8):
            moves.append(one.choose(at, Limits()).move)
            at = at.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]


def test_names_and_descriptions(book: Path) -> None:
    assert can_learn("search")
    assert not can_learn("random")
    assert checking(f"search:x,book={book}") == f"search:x,book={book},lesson_check=true"
    assert checking("search:x") == "search:x"
    assert checking(f"net:x,book={book}") == f"net:x,book={book}"
    plain, learnt = player(None).describe(), player(book).describe()
    assert not any(key.startswith("lesson") or key == "book" for key in plain)
    assert learnt["lessons"]["patterns"] == 1  # pyright: ignore
    assert resolve_name("search:x,visits=9,book=b") == "search:x,book=b,visits=9"
    with pytest.raises(PlayerError, match="lesson_top without a book"):
        reader_of("search:x,lesson_top=3", SearchOptions.model_validate({"lesson_top": 3}))

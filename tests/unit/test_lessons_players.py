"""Players with a book: what lessons change, what they never do, and whose they are."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE
from mariago.errors import LessonError, PlayerError
from mariago.heuristic import score_moves
from mariago.lessons import Book, Lesson, PlayedGame
from mariago.lessons.key_kernels import pattern_of
from mariago.players import Limits, make_player, resolve_name
from mariago.players.katago_player import KatagoPlayer
from mariago.players.lesson_reader import LessonReader, label_of
from mariago.players.net_player import NetOptions, NetPlayer, reranked
from mariago.rules import Position

FREE = Limits()
BOARD = """
. . . . . . . . .
. . . . . . . . .
. . X . . . O . .
. . . . X . . . .
. . . O X . . . .
. . . . . . . . .
. . O . . . X . .
. . . . . . . . .
. . . . . . . . .
"""


def position(to_move: int = BLACK) -> Position:
    return Position.from_diagram(BOARD, to_move=to_move, move_number=30)


def taught(path: Path, move: int, weight: float, number: int = 0) -> None:
    """Put one lesson about ``move`` for ``heuristic`` and one for ``net:x`` into a book."""
    key = int(pattern_of(position().state, move))
    game = PlayedGame(
        Position.empty(9), ((BLACK, 0), (WHITE, 1)), black="heuristic", white="net:x",
        number=number,
    )  # fmt: skip
    lessons = [
        Lesson("capture", 1 + (to == BLACK), move, 3 - to, to, 1, weight, key, 1)
        for to in (BLACK, WHITE)
    ]
    with Book.open(path, write=True) as book:
        book.add(game, lessons)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return tmp_path / "lessons.db"


def second_best() -> int:
    """Return the move that the rules like best after the one they like best."""
    return int(np.argsort(-score_moves(position()), kind="stable")[1])


def test_a_lesson_changes_the_move_and_says_so(book: Path) -> None:
    move = second_best()
    taught(book, move, 40)
    plain = make_player("heuristic").choose(position(), FREE)
    decision = make_player(f"heuristic,book={book}").choose(position(), FREE)
    assert (plain.move != move, decision.move) == (True, move)
    told = decision.facts["lesson"]
    assert told["count"] == 40  # pyright: ignore
    assert str(told["instead_of"]) != ""  # pyright: ignore
    assert not plain.facts


def test_bonus_and_cap_are_keys(book: Path) -> None:
    move = second_best()
    taught(book, move, 40)
    for keys in ("lesson_bonus=0", "lesson_cap=0", "lesson_bonus=0.0001"):
        player = make_player(f"heuristic,book={book},{keys}")
        assert player.choose(position(), FREE).move != move
        assert not player.choose(position(), FREE).facts


def test_no_bonus_makes_a_player_fill_its_eye_or_play_what_is_forbidden(book: Path) -> None:
    eyes = Position.from_diagram(
        ". X . O .\nX X X O O\nX . X . O\n. X X O O\nX X . O .", to_move=BLACK, move_number=60
    )
    game = PlayedGame(Position.empty(5), ((BLACK, 0),), black="heuristic", white="heuristic")
    everywhere = [
        Lesson("capture", 1, m, WHITE, BLACK, 1, 1e6, int(pattern_of(eyes.state, m)), 1)
        for m in np.flatnonzero(eyes.stones.ravel() == 0).tolist()
    ]
    with Book.open(book, write=True) as opened:
        opened.add(game, everywhere)
    player = make_player(f"heuristic,book={book},lesson_bonus=1e6,lesson_cap=1e6")
    for seed in range(8):
        player.new_game(seed)
        move = player.choose(eyes, FREE).move
        assert eyes.is_legal(move)
        assert move not in (0, 11, 15), "own eyes"
    net = NetPlayer("net", even_net(), NetOptions(book=str(book), lesson_for="all"))
    net.lessons = LessonReader(book, "all")
    assert net.choose(eyes, FREE).move not in (0, 11)


def even_net(favourite: int | None = None) -> SimpleNamespace:
    """Return a net that likes all legal moves the same, ``favourite`` a little more."""

    def evaluate(positions: list[Position]) -> list[SimpleNamespace]:
        found = []
        for one in positions:
            policy = one.legal_mask().astype(np.float32)
            if favourite is not None:
                policy[favourite] *= 2
            found.append(SimpleNamespace(policy=policy / policy.sum(), value=0.0))
        return found

    return SimpleNamespace(evaluate_positions=evaluate, describe=lambda: {"name": "even"})


@pytest.mark.parametrize("kind", [NetPlayer, KatagoPlayer])
def test_a_net_is_reranked_by_lessons(book: Path, kind: type[NetPlayer]) -> None:
    taught(book, 2, 40)
    reader = LessonReader(book, "net:x")
    plain = kind("net:x", even_net(43), NetOptions())  # pyright: ignore
    learnt = kind("net:x", even_net(43), NetOptions(), reader)  # pyright: ignore
    assert plain.choose(position(), FREE).move == 43
    decision = learnt.choose(position(), FREE)
    assert (decision.move, decision.facts) == (
        2,
        {"lesson": {"count": 40.0, "instead_of": "H5"}},
    )
    assert sum(c.weight for c in decision.candidates) < 1
    assert learnt.describe()["lessons"]["side"] == "net:x"  # pyright: ignore
    assert "lessons" not in plain.describe()


def test_only_the_likeliest_moves_are_reranked() -> None:
    policy = np.array([0.5, 0.3, 0.2, 0.0])
    counts = np.array([0, 0, 50, 1000], np.float32)
    two, three = (NetOptions(lesson_top=n, lesson_scale=0.1, lesson_most=10) for n in (2, 3))
    assert np.array_equal(reranked(policy, counts, two), policy)
    raised = reranked(policy, counts, three)
    assert raised.sum() == pytest.approx(1)
    assert raised[3] == 0
    assert raised[2] / raised[0] == pytest.approx(0.4 * np.e)
    nothing = np.zeros(4)
    assert np.array_equal(reranked(nothing, counts, three), nothing)


def test_a_book_that_grew_is_read_when_the_next_game_begins(book: Path) -> None:
    move = second_best()
    taught(book, move, 0.001)
    player = make_player(f"heuristic,book={book}")
    player.new_game(1)
    before = player.describe()["lessons"]
    assert player.choose(position(), FREE).move != move
    taught(book, move, 40, number=1)
    assert player.choose(position(), FREE).move != move, "not in the middle of a game"
    player.new_game(1)
    assert player.choose(position(), FREE).move == move
    assert player.describe()["lessons"] != before


def test_whose_lessons_are_read(book: Path) -> None:
    taught(book, 2, 3)
    assert make_player(f"heuristic,book={book},lesson_bonus=30").describe()["lessons"] == {
        **LessonReader(book, "heuristic").describe()
    }
    with pytest.raises(LessonError, match="no lessons for 'heuristic:v6'") as error:
        make_player(f"heuristic:v6,book={book}")
    assert "heuristic, net:x; or all" in str(error.value.hint)
    for side in ("all", "net:x"):
        make_player(f"heuristic:v6,book={book},lesson_for={side}")


def test_an_empty_book_is_a_book_for_everybody(book: Path) -> None:
    Book.open(book, write=True).close()
    with_book = make_player(f"heuristic,book={book}")
    assert with_book.choose(position(), FREE) == make_player("heuristic").choose(position(), FREE)


def test_keys_of_lessons_need_a_book() -> None:
    with pytest.raises(PlayerError, match="lesson_bonus without a book"):
        make_player("heuristic,lesson_bonus=3")
    with pytest.raises(LessonError, match="there is no book"):
        make_player("heuristic,book=/nowhere/at/all.db")


def test_players_without_a_book_are_described_as_before() -> None:
    described = make_player("heuristic").describe()
    assert not [key for key in described if key == "book" or key.startswith("lesson")]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("heuristic,book=x.db,lesson_bonus=3", "heuristic"),
        ("heuristic:v6,book=x.db,without=capture", "heuristic:v6,without=capture"),
        ('net:"a, b",book="c, d",temperature=1', 'net:"a, b",temperature=1.0'),
    ],
)
def test_a_player_with_a_book_is_the_player_it_was(name: str, label: str) -> None:
    found = label_of(name)
    assert found == label.replace("1.0", "1")
    assert label_of(found) == found


def test_placebo_and_shuffled_tables_are_keys(book: Path) -> None:
    moves = ((BLACK, 12), (WHITE, 13), (BLACK, 0), (WHITE, 7), (BLACK, 4), (WHITE, 11),
             (BLACK, 20), (WHITE, 17))  # fmt: skip
    game = PlayedGame(Position.empty(5), moves, black="heuristic", white="heuristic")
    with Book.open(book, write=True) as opened:
        opened.add(game)
        real = opened.table()
        placebo = opened.table(placebo_seed=1)
        assert placebo.counts.sum() == real.counts.sum()
        assert placebo.digest != real.digest
        assert placebo.digest == opened.table(placebo_seed=1).digest
    name = resolve_name(f"heuristic,book={book},lesson_placebo=1")
    assert make_player(name).describe()["lessons"]["sha256"] == placebo.digest  # pyright: ignore

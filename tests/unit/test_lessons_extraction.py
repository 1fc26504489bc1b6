"""Which moves are lessons, to whom they are handed, and what they count."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from tests.unit.lesson_diagrams import LESSONS, NO_LESSONS, Taught, Untaught

from mariago.board.geometry import SYMMETRIES, move_table, turned
from mariago.board.points import BLACK, EMPTY, WHITE, vertex_to_move
from mariago.errors import IllegalMoveError, LessonError
from mariago.lessons import (
    PlayedGame,
    Teaching,
    game_of_record,
    lesson_kind,
    lessons_of_game,
    lessons_of_record,
    table_of,
    teaching_of,
)
from mariago.lessons.extraction import REFUSALS, why_refused
from mariago.lessons.key_kernels import pattern_of, position_key
from mariago.rules import Position
from mariago.tactics import facts_of_move

CASES = [*LESSONS, *NO_LESSONS]


def images(case: Taught | Untaught) -> list[tuple[Position, int]]:
    """Return the case for both colours under all symmetries: (position, move)."""
    drawn = Position.from_diagram(dedent(case.diagram).strip(), to_move=BLACK)
    move = vertex_to_move(case.move, drawn.size)
    found: list[tuple[Position, int]] = []
    for symmetry in SYMMETRIES:
        stones = np.ascontiguousarray(turned(drawn.stones, symmetry))
        swapped = np.where(stones == EMPTY, 0, 3 - stones)
        at = int(move_table(drawn.size, symmetry)[move])
        for board, side in ((stones, BLACK), (swapped, WHITE)):
            position = Position.from_stones(board, to_move=side, rules="new_zealand")
            found.append((position, at))
    return found


@pytest.mark.parametrize("case", LESSONS, ids=lambda case: case.name)
def test_a_lesson_is_one_for_both_colours_and_on_turned_boards(case: Taught) -> None:
    told = {lesson_kind(facts_of_move(position, move)) for position, move in images(case)}
    assert told == {(case.kind, case.points)}


@pytest.mark.parametrize("case", NO_LESSONS, ids=lambda case: case.name)
def test_what_is_near_a_lesson_is_none(case: Untaught) -> None:
    for position, move in images(case):
        facts = facts_of_move(position, move)
        assert lesson_kind(facts) is None
        assert (why_refused(facts) or "") == case.why


def test_a_pass_is_no_lesson() -> None:
    position = Position.empty(9)
    assert why_refused(facts_of_move(position, 81)) == "pass"
    assert lesson_kind(facts_of_move(position, 81)) is None


def test_every_reason_has_its_diagram() -> None:
    assert {case.why for case in NO_LESSONS} - {""} | {"pass"} == set(REFUSALS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_keys_do_not_know_colours_and_turns(case: Taught | Untaught) -> None:
    found = images(case)
    for key in (pattern_of, position_key):
        assert len({int(key(position.state, move)) for position, move in found}) == 1


def test_keys_tell_lessons_apart() -> None:
    for key in (pattern_of, position_key):
        keys = [int(key(p.state, m)) for p, m in (images(case)[0] for case in LESSONS)]
        assert len(set(keys)) == len(keys)


def test_a_pattern_sees_the_edge_and_the_liberties_of_what_it_touches() -> None:
    def key(diagram: str, vertex: str) -> int:
        position = Position.from_diagram(dedent(diagram).strip(), to_move=BLACK)
        return int(pattern_of(position.state, vertex_to_move(vertex, position.size)))

    middle = key(". . . . .\n" * 2 + ". O . . .\n" + ". . . . .\n" * 2, "C3")
    assert middle == key(". . . . .\n" * 2 + ". . . O .\n" + ". . . . .\n" * 2, "C3")
    assert middle != key(". . . . .\n" * 2 + "O . . . .\n" + ". . . . .\n" * 2, "B3")
    assert middle != key(". . . . .\n" * 2 + "X O . . .\nX X . . .\n" + ". . . . .\n", "C3")
    far = "X . . . . . . . X\n" + ". . . . . . . . .\n" * 7 + "X . . . . . . . X\n"
    empty = ". . . . . . . . .\n" * 9
    assert key(far, "E5") == key(empty, "E5"), "what is far off is not seen"


KEPT = ". O . . .\nO X . . .\n. . X . .\n. . . O .\n. . . . ."


@pytest.mark.parametrize(
    ("diagram", "move", "pattern", "position"),
    [
        (". . . . . . . . .\n" * 9, 40, 0xEF6835E3001D955, 0xB3D40190EA1B344F),
        (". . . . . . . . .\n" * 9, 0, 0xAAD4D26E17367E70, 0x2AA4FD0E09F13FC3),
        (KEPT, 0, 0x5BD56B768C500C6, 0x33D2B2D91607157D),
        (KEPT, 7, 0x43C135242621DB7, 0xAD5A08C8942530D),
    ],
)
def test_keys_stay_as_books_have_them(diagram: str, move: int, pattern: int, position: int) -> None:
    """Values of the first version: other keys would make every book mean nothing."""
    state = Position.from_diagram(diagram, to_move=BLACK).state
    assert (int(pattern_of(state, move)), int(position_key(state, move))) == (pattern, position)


CAPTURE = (
    (BLACK, 12), (WHITE, 13), (BLACK, 0), (WHITE, 7), (BLACK, 4), (WHITE, 11), (BLACK, 20),
    (WHITE, 17),
)  # fmt: skip


def capture_game(**others: object) -> PlayedGame:
    """White takes the stone in the middle of a 5x5 board with move 8."""
    values = {"start": Position.empty(5), "moves": CAPTURE, "winner": BLACK}
    return PlayedGame(**{**values, **others})  # pyright: ignore


def test_a_capture_is_handed_to_who_lost_the_stone() -> None:
    (one,) = [x for x in lessons_of_game(capture_game()) if x.kind == "capture"]
    assert (one.move_number, one.move, one.color, one.to, one.points) == (8, 17, WHITE, BLACK, 1)
    assert one.weight == 1.0


def test_the_winners_moves_count_double() -> None:
    (one,) = [x for x in lessons_of_game(capture_game(winner=WHITE)) if x.kind == "capture"]
    assert one.weight == 2.0


@pytest.mark.parametrize(
    ("to", "sides"), [("other", [BLACK]), ("own", [WHITE]), ("both", [BLACK, WHITE])]
)
def test_whom_lessons_go_to_is_a_choice(to: str, sides: list[int]) -> None:
    found = lessons_of_game(capture_game(winner=WHITE), teaching_of(to=to, winner_weight=5))
    assert [(x.to, x.weight) for x in found if x.kind == "capture"] == [(s, 5.0) for s in sides]


def test_without_weight_the_winner_teaches_nothing() -> None:
    assert not lessons_of_game(capture_game(winner=WHITE), Teaching(winner_weight=0))


def test_moves_of_a_random_opening_teach_nothing() -> None:
    assert [x.move_number for x in lessons_of_game(capture_game(opening=7))] == [8]
    assert not lessons_of_game(capture_game(opening=8))


def test_an_illegal_move_is_named() -> None:
    with pytest.raises(IllegalMoveError, match="move 2"):
        lessons_of_game(capture_game(moves=((BLACK, 3), (WHITE, 3))))


@pytest.mark.parametrize("wrong", [{"to": "nobody"}, {"winner_weight": -1}, {"weight": 2}])
def test_ways_of_teaching_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(LessonError, match="no way to teach"):
        teaching_of(**wrong)


class Record:
    """What the arena keeps of a game."""

    number, black, opening, ending = 3, "b", (12,), "limit"
    moves = tuple(move for _, move in CAPTURE)
    winner = WHITE


class Terms:
    """What the arena keeps of a match."""

    player_a, player_b, rows, columns, rules, komi = "random", "heuristic", 5, 5, "chinese", 7.5

    def as_json(self) -> str:
        return "{}"


def test_a_record_of_a_match_becomes_a_game() -> None:
    game = game_of_record(Record(), Terms(), match="runs/m")
    assert (game.black, game.white, game.winner, game.opening) == ("heuristic", "random", WHITE, 1)
    assert game.moves == CAPTURE
    assert lessons_of_record(Record(), Terms()) == lessons_of_game(game)


@pytest.mark.parametrize("ending", ["illegal", "fault"])
def test_who_wins_by_the_others_fault_does_not_count_double(ending: str) -> None:
    record = Record()
    record.ending = ending
    assert {x.weight for x in lessons_of_record(record, Terms())} == {1.0}


def test_a_table_gives_its_bonus_to_the_same_pattern_and_to_no_other_move() -> None:
    games = [capture_game()]
    taught = [x for x in lessons_of_game(games[0]) if x.kind == "capture"]
    table = table_of((x.pattern, 30.0) for x in taught)
    *_, (position, move) = games[0].positions()
    counts = table.counts_of(position)
    assert counts.shape == (26,)
    assert counts[move] == 30
    assert np.flatnonzero(table.bonus_of(position)).tolist() == [move]
    assert table.bonus_of(position)[move] == 1050
    assert table.bonus_of(position, cap=100)[move] == 100
    turned_board = position.symmetry(5)
    assert table.counts_of(turned_board)[move_table(position.size, 5)[move]] == 30


def test_an_illegal_move_gets_no_bonus() -> None:
    position = Position.from_diagram(". O . . .\nO O . . .\n" + ". . . . .\n" * 3, to_move=BLACK)
    table = table_of([(int(pattern_of(position.state, 0)), 50.0)])
    assert table.counts_of(position)[0] == 0
    assert table.counts_of(position.with_to_move(WHITE)).sum() == 0


def test_an_empty_table_says_nothing() -> None:
    table = table_of([])
    assert len(table) == 0
    assert not table.counts_of(Position.empty(9)).any()

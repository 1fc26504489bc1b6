"""Facts of a move on boards small enough to read."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.move_fact_diagrams import ALIVE, NET, board

from mariago.board.points import move_to_point, vertex_to_move
from mariago.errors import BadInputError, IllegalMoveError
from mariago.rules import Position
from mariago.tactics import (
    Facts,
    facts_of_move,
    laddered_stones,
    reads_as_captured,
    working_ladder_moves,
)
from mariago.tactics.shape_kernels import EYE, FALSE_EYE, NO_EYE, eye_at, is_tigers_mouth

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X . . . .
    . . X O . . . . .
    . . . X . . . . .
    . . . . . . . . .
    """
BREAKER = LADDER.replace(". . . X . . . . .", ". . . X . O . . .")
START = LADDER.replace(". . . X . . . . .", ". . . . . . . . .")
BROKEN_START = LADDER.replace(". . . X . . . . .", ". . . . . O . . .")


def facts(diagram: str, vertex: str, to_move: int = 1, **given) -> Facts:
    position = Position.from_diagram(diagram, to_move=to_move, **given)
    return facts_of_move(position, vertex_to_move(vertex, position.size))


def vertices(position: Position, moves) -> list[str]:
    from mariago.board.points import move_to_vertex

    return [str(move_to_vertex(move, position.size)) for move in moves]


def test_a_ladder_takes_the_stone_that_runs():
    white = Position.from_diagram(LADDER, to_move=2)
    assert vertices(white, laddered_stones(white)) == ["D3"]
    assert reads_as_captured(white, vertex_to_move("D3", white.size))
    ran = white.play_vertex("E3")
    assert vertices(ran, working_ladder_moves(ran)) != []


def test_running_from_a_working_ladder_is_told():
    told = facts(LADDER, "E3", to_move=2)
    assert told.own_caught == 2
    assert "A ladder can take 2 own stones." in told.sentences


def test_a_stone_on_the_way_breaks_the_ladder():
    white = Position.from_diagram(BREAKER, to_move=2)
    assert laddered_stones(white) == []
    told = facts(BREAKER, "E3", to_move=2)
    assert told.own_caught == 0
    assert told.saves == 1


def test_starting_a_ladder_says_whether_it_works():
    working = facts(START, "D2")
    assert (working.gives_atari, working.ladder_works, working.ladder_broken) == (1, 1, 0)
    assert "It catches 1 stone at D3: no escape works." in working.sentences
    broken = facts(BROKEN_START, "D2")
    assert (broken.gives_atari, broken.ladder_works, broken.ladder_broken) == (1, 0, 1)
    assert "It chases 1 stone at D3 in a ladder that does not work." in broken.sentences


def test_an_atari_that_no_chase_follows_is_no_ladder():
    told = facts(START, "E3")  # White extends to the open side with three liberties
    assert (told.gives_atari, told.ladder_works, told.ladder_broken) == (1, 0, 0)
    assert told.sentences == ["It puts 1 stone at D3 into atari."]


def test_a_move_that_averts_a_ladder_is_told():
    position = Position.from_diagram(START, to_move=2)
    assert "D3" in vertices(position, laddered_stones(position))
    assert facts(START, "D2", to_move=2).averts_ladder == 1


def test_no_stone_has_no_ladder():
    with pytest.raises(BadInputError):
        reads_as_captured(Position.empty(5), 3)


def test_captures_that_could_not_get_away_are_told_apart():
    told = facts(LADDER, "E3")
    assert told.captures == told.captures_caught == 1
    told = facts(BREAKER, "E3")
    assert told.captures == 1
    assert told.captures_caught == 0


MOUTH = """
    . . . . .
    . . X . .
    . X . . .
    . . X . .
    . . . . .
    """


def test_extending_and_connecting_out_of_atari_are_told_apart():
    extended = facts(board(5, X="C4", O="B4 D4 C5"), "C3")
    assert (extended.saves, extended.saves_by_connecting) == (1, 0)
    assert "It saves 1 own stone at C4 from atari by extending." in extended.sentences
    connected = facts(board(5, X="C4 C2", O="B4 D4 C5"), "C3")
    assert (connected.saves, connected.saves_by_connecting) == (1, 1)
    for lang, sentence in (
        ("en", "It saves 1 own stone at C4 from atari by connecting."),
        ("zh", "接上，使 C4 处己方 1 子脱离打吃。"),
        ("ja", "ツイで C4 の自分の 1 子をアタリから救う。"),
        ("ko", "이어서 C4의 자기 돌 1점을 단수에서 구한다."),
    ):
        assert sentence in connected.told(lang)
        assert len(connected.told(lang)) == len(connected.sentences)


def test_one_stone_that_could_not_get_away_is_told_of_as_one():
    assert "It could not have got away in any case." in facts(LADDER, "E3").sentences


def test_a_number_stands_apart_from_the_japanese_before_it():
    told = facts(NET, "F6").told("ja")
    assert "ゲタで E5 の 1 子を取る。" in told


def test_a_stone_in_a_tigers_mouth_is_told():
    told = facts(MOUTH, "C3", to_move=2)
    assert told.enters_tigers_mouth
    assert told.self_atari == 1
    assert str(told) == "White C3. It leaves 1 own stone in atari. It enters a tiger's mouth."


def test_filling_ones_own_tigers_mouth_is_told():
    assert facts(MOUTH, "C3").fills_tigers_mouth
    assert not facts(MOUTH, "D3").fills_tigers_mouth


@pytest.mark.parametrize(
    ("diagram", "vertex", "mouth"),
    [
        (MOUTH, "C3", True),
        ("X . X\n. . .", "B2", True),  # the border closes a side
        ("X X . .\n. . . .", "A1", False),  # one stone and two sides of border
        (". X .\nX . .", "A2", False),  # no side open: an eye
        (". X .\n. . .", "C2", False),  # one stone alone
        ("X . O\n. . .", "B2", False),  # the other colour closes a side
    ],
)
def test_a_tigers_mouth_has_three_closed_sides_and_one_open(diagram, vertex, mouth):
    position = Position.from_diagram(diagram)
    point = move_to_point(vertex_to_move(vertex, position.size), position.size)
    assert is_tigers_mouth(position.state, point, 1) == mouth


@pytest.mark.parametrize(
    ("diagram", "vertex", "kind"),
    [
        (". X .\nX . .\n. . .", "A3", EYE),  # corner
        (". X .\nX O .\n. . .", "A3", FALSE_EYE),
        ("X . X\n. X .\n. . .", "B3", EYE),
        ("X . X\nO X .\n. . .", "B3", FALSE_EYE),
        (". X . .\nX . X .\n. X O .\n. . . .", "B3", EYE),  # one spoiled corner of four
        (". . . . .\n. O X . .\n. X . X .\n. . X O .\n. . . . .", "C3", FALSE_EYE),
        (". X .\n. . X\n. X .", "B2", NO_EYE),
    ],
)
def test_eyes_are_false_by_their_corners(diagram, vertex, kind):
    position = Position.from_diagram(diagram)
    point = move_to_point(vertex_to_move(vertex, position.size), position.size)
    assert eye_at(position.state, point, 1) == kind


DOUBLE = """
    . . X . .
    . X O . .
    . . . O X
    . . . X .
    . . . . .
    """


def test_a_double_atari_and_walking_into_one_are_told():
    told = facts(DOUBLE, "C3")
    assert told.is_double_atari
    assert told.gives_atari == 2
    before = DOUBLE.replace(". X O", ". X .")
    told = facts(before, "C4", to_move=2)
    assert told.risks_double_atari
    assert "It allows a double atari." in told.sentences
    assert not facts(before, "C3", to_move=2).risks_double_atari


def test_territory_eyes_and_futile_points_are_told():
    diagram = """
        . X . O . O
        . X . O O .
        . X . O . O
        X X . O O O
        """
    assert not facts(diagram, "A4").fills_own_territory  # it has one eye yet
    assert facts(diagram, "E4", to_move=2).fills_own_eye
    assert facts(diagram, "E4", to_move=2).fills_own_territory
    assert not facts(diagram, "C4").fills_own_territory
    vital = facts(diagram, "A3", to_move=2)
    assert (vital.nakade, vital.futile) == (3, False)
    hopeless = facts(ALIVE, "A2", to_move=2)
    assert (hopeless.nakade, hopeless.futile) == (0, True)
    assert "futile" in " ".join(hopeless.sentences)
    assert facts(ALIVE, "A2").fills_own_territory


def test_a_pass_tells_only_of_stones_in_atari():
    position = Position.from_diagram("X O .\n. . .")
    told = facts_of_move(position, position.size.cells)
    assert told.is_pass
    assert told.in_atari == 1
    assert str(told) == "Black passes."
    assert [told.told(lang) for lang in ("en", "zh", "ja", "ko")] == [
        ["Pass."],
        ["停一手。"],
        ["パス。"],
        ["패스."],
    ]


def test_suicide_is_told_where_it_is_allowed_and_refused_where_not():
    diagram = ". X O .\nX X O .\nO O O ."
    assert facts(diagram, "A3", rules="tromp_taylor").is_suicide
    with pytest.raises(IllegalMoveError):
        facts(diagram, "A3")


def test_facts_agree_with_the_board_after_the_move():
    rng = np.random.default_rng(5)
    position = Position.empty(7, "tromp_taylor")
    for _ in range(120):
        moves = position.legal_moves()[:-1]
        if not moves:
            break
        move = int(rng.choice(moves))
        told = facts_of_move(position, move)
        after = position.play(move)
        mine = position.to_move
        assert told.captures == after.taken[mine - 1] - position.taken[mine - 1]
        assert told.is_suicide == (after.color_at(move) == 0)
        assert told.liberties_after == len(after.liberties_at(move))
        assert (told.own_caught > 0) == (
            told.liberties_after == 2 and reads_as_captured(after, move)
        )
        position = after


def test_a_dictionary_of_facts_leaves_out_what_says_nothing():
    told = facts(MOUTH, "C3", to_move=2).as_dict()
    assert told["enters_tigers_mouth"] is True
    assert "captures" not in told


@pytest.mark.parametrize(
    ("diagram", "vertex", "to_move", "sentence"),
    [
        (". O X\n. X .\n. . .", "A3", 1, "It captures 1 stone at B3."),
        (DOUBLE, "C3", 1, "It catches 2 stones at C4, D3: no escape works."),
        (NET, "F6", 1, "It catches 1 stone at E5 in a net."),
        (START, "F2", 2, "It saves 1 own stone at D3 from a ladder."),
        (board(7, X="B2", O="C2 B1"), "D1", 1,
         "It makes a ladder work, on 1 stone at B1."),
        (board(7, X="A7 B2", O="B7"), "A1", 1,
         "It lets a ladder work, on 1 own stone at A7."),
        (board(7, X="C2 D3 B2", O="C1 D1 D2"), "E2", 1,
         "It shuts in 3 stones at D2, which cannot get away any more."),
    ],
)  # fmt: skip
def test_a_sentence_names_the_stones_it_is_about(diagram, vertex, to_move, sentence):
    assert sentence in facts(diagram, vertex, to_move).sentences


def test_a_filled_ko_is_not_told_of_as_a_false_eye_too():
    told = facts(". X O .\nX . X O\n. X O .", "B2")
    assert told.fills_ko
    assert told.fills_false_eye
    assert "It fills a ko." in told.sentences
    assert not any("false eye" in sentence for sentence in told.sentences)

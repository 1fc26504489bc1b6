"""Game: play, passes, results, undo, set-up; handicap starts and the draw for colours."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from mariago.board.points import BLACK, EMPTY, WHITE, Size, move_to_vertex
from mariago.errors import IllegalMoveError, RulesError
from mariago.rules import (
    Game,
    Position,
    Result,
    crosswise_start,
    fixed_handicap_points,
    fixed_handicap_start,
    free_handicap_start,
    nigiri,
)
from mariago.rules.game import Player, Setup


def started(vertices: str, start: Position | None = None) -> Game:
    game = Game(start or Position.empty(9))
    for vertex in vertices.split():
        game.play(vertex)
    return game


def test_two_passes_end_a_game_that_then_waits_for_its_count() -> None:
    game = started("D4 pass E5 pass pass")
    assert game.is_over
    assert game.awaits_count
    with pytest.raises(RulesError, match="over"):
        game.play("A1")
    assert str(game.count(3.5)) == "B+3.5"
    assert not game.awaits_count
    with pytest.raises(RulesError, match="over"):
        game.count(1)


def test_a_repeated_board_under_simple_ko_is_no_result() -> None:
    game = started("B1 D1 A1 C1 B1", Position.empty((1, 4), "japanese"))
    assert game.result == Result.void()
    assert game.is_over
    assert not game.awaits_count


@pytest.mark.parametrize(
    ("end", "text"),
    [
        (lambda game: game.resign(), "B+R"),
        (lambda game: game.resign(BLACK), "W+R"),
        (lambda game: game.lose_on_time(), "B+T"),
        (lambda game: game.forfeit(WHITE), "B+F"),
    ],
)
def test_the_side_to_move_loses_unless_another_is_named(end: object, text: str) -> None:
    game = started("D4")
    end(game)  # type: ignore[operator]
    assert str(game.result) == text
    with pytest.raises(RulesError):
        game.resign()


def test_undo_takes_back_moves_and_the_result() -> None:
    game = started("D4 E5 pass pass")
    game.count(0)
    assert game.undo(2).to_move == BLACK
    assert game.result == Result.unknown()
    assert len(game) == 2
    assert game.position == started("D4 E5").position
    game.undo(0)
    with pytest.raises(RulesError):
        game.undo(3)


def test_positions_are_the_start_and_one_after_each_move() -> None:
    game = started("D4 E5 pass")
    boards = list(game.positions())
    assert boards[0] is game.start
    assert boards[-1] is game.position
    assert [board.move_number for board in boards] == [0, 1, 2, 3]
    assert [color for color, _ in game.moves] == [BLACK, WHITE, BLACK]


def test_an_illegal_move_says_its_number_and_changes_nothing() -> None:
    game = started("D4")
    with pytest.raises(IllegalMoveError) as caught:
        game.play("D4")
    assert str(caught.value) == "move 2: illegal move at D4: occupied"
    assert len(game) == 1


def test_records_may_break_the_turn_and_go_on_after_two_passes() -> None:
    size = Size(9, 9)
    moves = [(BLACK, 0), (BLACK, 1), (WHITE, 81), (BLACK, 81), (WHITE, 80)]
    game = Game.from_moves(
        Position.empty(size),
        moves,
        players={BLACK: Player("Shusaku", "4d")},
        result=Result.parse("B+R"),
        properties={"EV": "castle game"},
        source="a.sgf",
    )
    assert game.moves == moves
    assert (game.players[BLACK].name, game.players[WHITE].name) == ("Shusaku", "")
    assert (str(game.result), game.source, game.properties["EV"]) == ("B+R", "a.sgf", "castle game")
    with pytest.raises(IllegalMoveError, match="move 6"):
        Game.from_moves(Position.empty(size), [*moves, (BLACK, 0)])


def test_stones_set_in_the_middle_stand_where_the_record_puts_them() -> None:
    moves = [(BLACK, 0), (WHITE, 8), (BLACK, 4)]
    setups = [(0, BLACK, 40), (2, WHITE, 1), (2, EMPTY, 0), (3, BLACK, 20)]
    game = Game.from_moves(Position.empty(9), moves, setups=setups)
    assert game.start.color_at(40) == BLACK
    assert game.setups == [Setup(2, ((WHITE, 1), (EMPTY, 0))), Setup(3, ((BLACK, 20),))]
    assert [game.position.color_at(move) for move in (0, 1, 4, 8, 20)] == [0, 2, 1, 2, 1]
    assert game.position.move_number == 3
    game.undo()
    assert game.setups == [Setup(2, ((WHITE, 1), (EMPTY, 0)))]
    with pytest.raises(RulesError, match="before move 5"):
        Game.from_moves(Position.empty(9), moves, setups=[(4, BLACK, 0)])


def test_games_can_be_pickled() -> None:
    game = started("D4 E5")
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game
    assert copy.play("A1") == game.play("A1")


HANDICAPS = [
    (19, 2, "D4 Q16"),
    (19, 3, "D4 Q16 D16"),
    (19, 4, "D4 Q16 D16 Q4"),
    (19, 5, "D4 Q16 D16 Q4 K10"),
    (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
    (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
    (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
    (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
    (9, 6, "C3 G7 C7 G3 C5 G5"),
    (13, 5, "D4 K10 D10 K4 G7"),
    (8, 4, "C3 F6 C6 F3"),
    (7, 4, "C3 E5 C5 E3"),
    ("9x13", 9, "C3 G11 C11 G3 C7 G7 E3 E11 E7"),
]


@pytest.mark.parametrize(("size", "stones", "vertices"), HANDICAPS)
def test_fixed_handicap_stands_where_the_text_protocol_puts_it(
    size: int | str, stones: int, vertices: str
) -> None:
    # Go Text Protocol, version 2 (Farnebäck 2002), section 4.1.1
    start = fixed_handicap_start(size, stones)
    chosen = [move_to_vertex(m, start.size) for m in fixed_handicap_points(size, stones)]
    assert chosen == vertices.split()
    assert int((start.stones == BLACK).sum()) == stones
    assert (start.to_move, start.handicap, start.komi) == (WHITE, stones, 0.5)


@pytest.mark.parametrize(
    ("size", "stones"), [(19, 1), (19, 10), (8, 5), (7, 5), (6, 2), ("9x8", 5), ("19x5", 2)]
)
def test_handicaps_that_a_board_cannot_hold_are_refused(size: int | str, stones: int) -> None:
    with pytest.raises(RulesError) as caught:
        fixed_handicap_points(size, stones)
    assert caught.value.hint


def test_handicap_points_go_to_white_as_the_rules_say() -> None:
    assert fixed_handicap_start(19, 5, "chinese").handicap_bonus == 5
    assert fixed_handicap_start(19, 5, "aga").handicap_bonus == 4
    assert fixed_handicap_start(19, 5, "japanese", komi=0).handicap_bonus == 0


def test_free_handicap_stands_where_black_wants() -> None:
    start = free_handicap_start(9, [0, 40, 80], "aga", 6.5)
    assert start.stones.ravel()[[0, 40, 80]].tolist() == [1, 1, 1]
    assert (start.handicap, start.handicap_bonus, start.komi) == (3, 2, 6.5)
    for bad in ([1], [1, 1], [1, 81], [1, -1]):
        with pytest.raises(RulesError):
            free_handicap_start(9, bad)
    with pytest.raises(RulesError, match="no liberty"):
        free_handicap_start((1, 2), [0, 1])


def test_the_old_chinese_start_has_two_crosswise_stones_each() -> None:
    start = crosswise_start()
    stones = {
        move_to_vertex(int(move), start.size): int(start.stones.ravel()[move])
        for move in np.flatnonzero(start.stones)
    }
    assert stones == {"D4": BLACK, "Q16": BLACK, "D16": WHITE, "Q4": WHITE}
    assert (start.to_move, start.handicap, start.komi) == (BLACK, 0, 7.5)
    assert crosswise_start(to_move=WHITE).to_move == WHITE
    with pytest.raises(RulesError):
        crosswise_start(5)


def test_a_right_guess_at_nigiri_gets_black() -> None:
    rng = np.random.default_rng(1)
    draws = [nigiri(rng) for _ in range(400)]
    for draw in draws:
        right = (draw.grasped % 2 == 1) == (draw.guess == "odd")
        assert draw.guessed_right == right
        assert draw.black == ("guesser" if right else "grasper")
        assert 1 <= draw.grasped <= 20
    assert 150 < sum(draw.black == "guesser" for draw in draws) < 250
    assert all(nigiri(rng, "odd").guess == "odd" for _ in range(5))
    assert nigiri(np.random.default_rng(7)) == nigiri(np.random.default_rng(7))

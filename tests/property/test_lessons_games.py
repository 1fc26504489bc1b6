"""Lessons of random games: what they say holds on the board, under every symmetry and colour."""

from __future__ import annotations

import numpy as np
import pytest

from mariago.board.geometry import move_table
from mariago.board.points import BLACK, WHITE, opponent
from mariago.lessons import Lesson, PlayedGame, Teaching, lessons_of_game, table_of
from mariago.rules import Position
from mariago.tactics import reads_as_captured

PLAIN = Teaching(winner_weight=1)


def random_game(size: tuple[int, int], seed: int, length: int = 90) -> PlayedGame:
    """Return a game of random moves near other stones, so that much is taken and saved."""
    rng = np.random.default_rng(seed)
    position = Position.empty(size, "new_zealand")
    moves: list[tuple[int, int]] = []
    for _ in range(length):
        legal = [int(m) for m in position.legal_moves()[:-1]]
        if not legal:
            break
        stones = position.stones.ravel()
        near = [m for m in legal if any(stones[q] for q in neighbours(m, size))]
        move = int(rng.choice(near or legal))
        moves.append((position.to_move, move))
        position = position.play(move)
    return PlayedGame(Position.empty(size, "new_zealand"), tuple(moves), winner=BLACK)


def neighbours(move: int, size: tuple[int, int]) -> list[int]:
    row, column = divmod(move, size[1])
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [y * size[1] + x for y, x in around if 0 <= y < size[0] and 0 <= x < size[1]]


GAMES = [random_game(size, seed) for size in ((7, 7), (5, 8)) for seed in range(3)]


def stones_in_atari(position: Position, color: int) -> set[int]:
    stones = np.flatnonzero(position.stones.ravel() == color)
    return {int(m) for m in stones if len(position.liberties_at(int(m))) == 1}


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_what_a_lesson_says_holds_on_the_board(game: PlayedGame) -> None:
    found = {lesson.move_number: lesson for lesson in lessons_of_game(game, PLAIN)}
    assert found, "random games take stones"
    for number, (before, move) in enumerate(game.positions(), 1):
        if number in found:
            check_by_hand(found[number], before, before.play(move))


def check_by_hand(lesson: Lesson, before: Position, after: Position) -> None:
    """Check a lesson by the stones alone."""
    own = before.to_move
    assert (lesson.color, lesson.to) == (own, opponent(own))
    assert after.color_at(lesson.move) == own, "never a suicide, never a pass"
    theirs = int((before.stones == opponent(own)).sum() - (after.stones == opponent(own)).sum())
    if lesson.kind == "capture":
        assert lesson.points == theirs > 0
        return
    assert theirs == 0
    if lesson.kind == "atari_save":
        saved = stones_in_atari(before, own) - stones_in_atari(after, own)
        assert lesson.points == len(saved) > 0
        assert not reads_as_captured(after, lesson.move)
    else:
        caught = stones_in_atari(after, opponent(own)) - stones_in_atari(before, opponent(own))
        assert 0 < lesson.points <= len(caught)
        assert any(reads_as_captured(after, stone) for stone in caught)


def told(lessons: list[Lesson]) -> list[tuple[object, ...]]:
    return [(x.kind, x.move_number, x.points, x.pattern, x.position) for x in lessons]


@pytest.mark.parametrize("symmetry", range(1, 8))
def test_a_turned_game_teaches_the_same(symmetry: int) -> None:
    game = GAMES[0]
    table = move_table(game.start.size, symmetry)
    image = PlayedGame(game.start, tuple((c, int(table[m])) for c, m in game.moves), BLACK)
    assert told(lessons_of_game(image, PLAIN)) == told(lessons_of_game(game, PLAIN))


def test_a_game_with_swapped_colours_teaches_the_same() -> None:
    game = GAMES[0]
    start = game.start.with_to_move(WHITE)
    image = PlayedGame(start, tuple((opponent(c), m) for c, m in game.moves), WHITE)
    assert told(lessons_of_game(image, PLAIN)) == told(lessons_of_game(game, PLAIN))


def test_a_table_marks_every_lesson_it_was_made_of() -> None:
    for game in GAMES:
        lessons = lessons_of_game(game, PLAIN)
        table = table_of((lesson.pattern, lesson.weight) for lesson in lessons)
        by_number = {lesson.move_number: lesson for lesson in lessons}
        for number, (position, move) in enumerate(game.positions(), 1):
            counts = table.counts_of(position)
            assert not counts[position.stones.ravel().nonzero()].any()
            assert not counts[~position.legal_mask()].any()
            if number in by_number:
                assert counts[move] >= 1

"""Which games are the same game, and which are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.reference.changed_games import Moves, most_in_common, played, record, swapped, turned

from mariago.records.duplicates import FEW, GameRepeats, game_repeats, least_in_common
from mariago.records.intake import take_in
from mariago.records.sources import SourceFile
from mariago.records.spool import Spool

GAME = played(1)


def repeats_of(folder: Path, files: list[bytes]) -> GameRepeats:
    """Return what repeats what among games that are read in this order."""
    intake = take_in([SourceFile(f"{i}.sgf", data) for i, data in enumerate(files)], None, False)
    assert len(intake.facts) == len(files)
    folder.mkdir(exist_ok=True)
    spool = Spool(folder)
    spool.add(intake, np.zeros(len(files), np.uint8), [0] * len(files))
    spool.close()
    return game_repeats(folder)


def found(folder: Path, files: list[bytes]) -> dict[int, int]:
    repeats = repeats_of(folder, files)
    return dict(zip(repeats.repeating.tolist(), repeats.kept.tolist(), strict=True))


def without(moves: Moves, *numbers: int) -> Moves:
    return [move for number, move in enumerate(moves, 1) if number not in numbers]


def exchanged(moves: Moves, number: int) -> Moves:
    """Let the moves ``number`` and ``number + 2`` change places."""
    a, b = number - 1, number + 1
    return [*moves[:a], moves[b], moves[a + 1], moves[a], *moves[b + 1 :]]


def misplaced(moves: Moves, number: int) -> Moves:
    """Put a move beside the point where it was played, on one that is empty all game."""
    free = next(p for p in range(361) if all(p != move for _, move in moves))
    color, _ = moves[number - 1]
    return [*moves[: number - 1], (color, free), *moves[number:]]


COPIES = {
    "other names, komi, handicap and result": record(GAME, PB="x", KM="0", HA="3", RE="W+R"),
    **{f"symmetry {k}": record(turned(GAME, k)) for k in range(1, 8)},
    "colours swapped and turned": record(turned(swapped(GAME), 6)),
    "cut short": record(GAME[:60]),
    "cut short and mirrored": record(turned(GAME[:55], 2)),
    "a slip before move 50": record(misplaced(GAME, 31)),
    "a slip after it": record(misplaced(GAME, 90)),
    "moves in another order early": record(exchanged(exchanged(GAME, 20), 30)),
    "two moves missing late": record(without(GAME, 80, 81)),
    "two moves missing early": record(without(GAME, 33, 34)),
    "a move missing at the beginning": record(without(GAME, 3)),
    "passes at the end": record([*GAME, (1, 361), (2, 361)]),
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_a_game_are_found(tmp_path: Path, name: str) -> None:
    other = record(played(2))
    assert found(tmp_path, [record(GAME), other, COPIES[name]]) in ({2: 0}, {0: 2})


def test_the_longer_game_stays_wherever_it_stands(tmp_path: Path) -> None:
    files = [record(turned(GAME[:60], 5)), record(GAME[:100]), record(GAME), record(GAME[:100])]
    assert found(tmp_path, files) == {0: 2, 1: 2, 3: 2}
    repeats = repeats_of(tmp_path / "b", files)
    texts = [repeats.likeness.in_words(i) for i in range(3)]
    assert texts == ["60 of 60 stones, turned", "100 of 100 stones", "100 of 100 stones"]


def test_of_equally_long_games_the_first_stays(tmp_path: Path) -> None:
    assert found(tmp_path, [record(misplaced(GAME, 90)), record(GAME)]) == {1: 0}


def test_handicap_stones_set_up_or_played_are_the_same(tmp_path: Path) -> None:
    stones = [(1, 3 * 19 + 3), (1, 15 * 19 + 15), (1, 3 * 19 + 15)]
    rest = [move for move in swapped(played(7)) if move[1] not in {p for _, p in stones}]
    set_up = record(rest[:80], setup=stones, HA="3")
    as_moves = record([*stones[::-1], *rest[:80]])
    assert len(found(tmp_path, [set_up, as_moves])) == 1


DIFFERENT = {
    "an opening of 40 moves": record(played(3, 160, opening=[m for _, m in GAME[:40]])),
    "an opening of 80 moves": record(played(4, 160, opening=[m for _, m in GAME[:80]])),
    "no more than 45 moves, and cut off there": record(GAME[:45]),
    "the same points in another order": record([GAME[(59 - i) ^ 1] for i in range(60)] + GAME[60:]),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_games_that_share_less_are_two_games(tmp_path: Path, name: str) -> None:
    both = [record(GAME), DIFFERENT[name]]
    intake = take_in([SourceFile("x.sgf", data) for data in both], None, False)
    if len(intake.facts) == 2:
        assert found(tmp_path, both) == {}
    else:
        pytest.fail("the changed game cannot be played")


def test_what_is_asked_grows_with_the_board() -> None:
    cells = np.array([9, 81, 169, 289, 361, 625])
    assert least_in_common(cells).tolist() == [30, 30, 30, 40, 50, 50]


def test_short_games_are_the_same_move_by_move_alone(tmp_path: Path) -> None:
    files = [record(GAME[:10]), record(turned(GAME[:10], 3)), record(GAME[:11])]
    assert found(tmp_path, files) == {1: 0}


def test_copies_are_found_among_many_games_with_one_opening(tmp_path: Path) -> None:
    opening = [move for _, move in GAME[:50]]
    games = [played(100 + seed, 110, opening=opening) for seed in range(2 * FEW)]
    copies = [turned(games[5][:105], 3), games[40][:80], misplaced(games[77], 100)]
    files = [record(moves) for moves in [*games, *copies]]
    n = len(games)
    assert found(tmp_path, files) == {n: 5, n + 1: 40, n + 2: 77}


def test_a_game_that_goes_names_one_that_stays_and_is_like_it(tmp_path: Path) -> None:
    games = [GAME[:length] for length in (58, 64, 71, 79, 88, 98, 109, 120)]
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(games))
        kept = found(tmp_path / str(seed), [record(games[i]) for i in order])
        assert set(kept) & set(kept.values()) == set()
        assert all(len(games[order[a]]) < len(games[order[b]]) for a, b in kept.items())
        assert set(kept.values()) == {int(np.flatnonzero(order == 7)[0])}


def test_what_two_games_have_in_common_is_counted_in_order(tmp_path: Path) -> None:
    copy = turned(without(exchanged(misplaced(GAME, 61), 70), 33, 34), 6)
    repeats = repeats_of(tmp_path, [record(GAME), record(copy)])
    assert repeats.likeness.stones.tolist() == [most_in_common(GAME, copy)] == [115]
    assert repeats.likeness.shorter.tolist() == [118]

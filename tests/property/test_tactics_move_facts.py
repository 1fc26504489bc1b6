"""Facts of a move against a plain reference, and under symmetries, on random games."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.plain_go import PlainPosition, Point, neighbours

from mariago.board.geometry import move_table
from mariago.board.points import row_column
from mariago.rules import Position
from mariago.tactics import facts_of_move, laddered_stones, reads_as_captured
from mariago.tactics.facts import Facts


def random_positions(size: int, seed: int, every: int) -> list[tuple[Position, int]]:
    """Return positions of a random game, each with the move that follows."""
    rng = np.random.default_rng(seed)
    position = Position.empty(size)
    found: list[tuple[Position, int]] = []
    for ply in range(3 * size * size):
        moves = position.legal_moves()[:-1]
        if not moves:
            break
        move = int(rng.choice(moves))
        if ply % every == 0:
            found.append((position, move))
        position = position.play(move)
    return found


def plain(position: Position) -> PlainPosition:
    rows, columns = position.size
    stones = {
        row_column(move, position.size): position.color_at(move)
        for move in range(position.size.cells)
        if position.color_at(move)
    }
    return PlainPosition(rows, columns, stones=stones, to_move=position.to_move)


def chains(board: PlainPosition, color: int) -> set[frozenset[Point]]:
    return {frozenset(board.chain(p)) for p, held in board.stones.items() if held == color}


def liberties(board: PlainPosition, chain: frozenset[Point]) -> set[Point]:
    return board.liberties(next(iter(chain)))


def touching(board: PlainPosition, point: Point, color: int) -> set[frozenset[Point]]:
    around = neighbours(point, board.rows, board.columns)
    return {frozenset(board.chain(q)) for q in around if board.stones.get(q) == color}


def parted(board: PlainPosition, position: Position, point: Point, beside: set) -> int:
    """Count the chains ``beside`` the stone at ``point`` that are cut off from another of them."""
    size = position.size
    move = point[0] * size.columns + point[1]
    room = len(board.liberties(point))
    if room == 1 or (room == 2 and reads_as_captured(position, move)):
        return 0
    gone = {chain for chain in beside if next(iter(chain)) not in board.stones}
    count = 0
    for chain in beside:
        others = [other for other in beside if other != chain]
        cut = [
            chain in gone or other in gone or not liberties(board, chain) & liberties(board, other)
            for other in others
        ]
        count += any(cut)
    return count


def check(position: Position, move: int, told: Facts) -> None:
    before, point = plain(position), row_column(move, position.size)
    own, other = position.to_move, 3 - position.to_move
    after_position = position.play(move)
    after = plain(after_position)
    taken = {p for p, held in before.stones.items() if held == other and p not in after.stones}
    assert told.captures == len(taken)
    saved = {
        chain
        for chain in chains(before, own)
        if len(liberties(before, chain)) == 1 and len(after.liberties(next(iter(chain)))) > 1
    }
    by_capture = {
        chain
        for chain in saved
        if any(q in taken for p in chain for q in neighbours(p, before.rows, before.columns))
    }
    assert told.saves == sum(map(len, saved))
    assert told.saves_by_capturing == sum(map(len, by_capture))
    attacked = {
        chain
        for chain in touching(before, point, other)
        if len(liberties(before, chain)) == 2 and not chain & taken
    }
    assert told.gives_atari == sum(map(len, attacked))
    assert told.chains_in_atari == len(attacked)
    assert told.liberties_after == len(after.liberties(point))
    joined = touching(before, point, own)
    assert told.connects == (len(joined) if len(joined) > 1 else 0)
    assert told.takes_ko == (after_position.ko is not None)
    theirs = {
        frozenset(p for p in chain) for chain in touching(before, point, other) if not chain & taken
    }
    reply = position.with_to_move(other)
    may = reply.is_legal(move)
    wanted = parted(after, after_position, point, theirs) if len(theirs) > 1 and may else 0
    assert told.cuts == wanted
    if len(joined) > 1:
        could = 0
        if may:
            answered = reply.play(move)
            could = parted(plain(answered), answered, point, joined)
        assert told.could_be_cut == could


@pytest.mark.parametrize("seed", range(2))
def test_what_is_told_of_a_move_does_not_contradict_itself(seed: int) -> None:
    for position, move in random_positions(9, 300 + seed, 1):
        told = facts_of_move(position, move)
        assert len(told.shapes) <= 1
        assert not (told.nakade and (told.futile or told.fills_own_territory))
        assert not (told.net and (told.gives_atari or told.fills_ko or told.connects))
        assert not (told.ladder_broken and told.self_atari)
        assert told.ladder_works + told.ladder_broken <= told.gives_atari


@pytest.mark.parametrize("seed", range(6))
def test_simple_facts_agree_with_a_plain_reference(seed: int) -> None:
    for position, move in random_positions(5 + seed % 3 * 2, seed, 1):
        check(position, move, facts_of_move(position, move))


@pytest.mark.parametrize("seed", range(2))
def test_facts_commute_with_symmetries_and_the_exchange_of_colours(seed: int) -> None:
    for position, move in random_positions(9, 100 + seed, 3):
        told = set(facts_of_move(position, move).names)
        for symmetry in range(8):
            image = position.symmetry(symmetry)
            there = int(move_table(position.size, symmetry)[move])
            stones = image.stones
            swapped = Position.from_stones(
                np.where(stones == 0, 0, 3 - stones).astype(np.uint8),
                to_move=3 - image.to_move,
                ko=image.ko,
            )
            for seen in (image, swapped):
                found = set(facts_of_move(seen, there).names)
                assert found == told, (position, move, symmetry)


@pytest.mark.parametrize("seed", range(4))
def test_a_chain_saved_from_a_ladder_is_not_taken_at_once_or_in_a_ladder(seed: int) -> None:
    said = 0
    for position, move in random_positions(7 + seed % 2 * 2, 200 + seed, 1):
        told = facts_of_move(position, move)
        if not told.averts_ladder:
            continue
        said += 1
        after = position.play(move)
        safe = {
            chain
            for chain in chains(plain(after), position.to_move)
            if not falls_at_once(after, chain)
        }
        caught = set(laddered_stones(position))
        freed = {
            stone
            for stone in caught
            if position.color_at(stone) == position.to_move
            and len(position.liberties_at(stone)) == 2
            and any(row_column(stone, position.size) in chain for chain in safe)
        }
        assert 0 < told.averts_ladder <= len(freed)
    assert said > 0


def falls_at_once(after: Position, chain: frozenset[Point]) -> bool:
    """Say whether the side to move takes a chain of the other at once, or in a ladder."""
    row, column = next(iter(chain))
    move = row * after.size.columns + column
    room = len(after.liberties_at(move))
    return room == 1 or (room == 2 and reads_as_captured(after, move))

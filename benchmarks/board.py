"""The board: random games, legal masks, copies and the start, beside OpenSpiel's Go.

Random 19x19 games: both sides choose evenly among all legal actions, pass included; a game ends
at two passes, at a whole board seen before, or after 722 moves (twice the points): OpenSpiel's
own rules. Theirs runs in C++, inside one call of its ``RandomRolloutEvaluator``, which does not
count its moves: the mean length of a game is taken from games of the same policy played through
its Python interface.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
from typing import Any

import numba
import numpy as np

from benchmarks.frame import Row, cpu_time, ratio_row
from mariago.board import kernels
from mariago.board.legality_kernels import (
    legal_mask,
    legal_mask_superko,
    next_random,
    random_moves,
    seeded,
)
from mariago.rules import Position

SIDE = 19
GAMES = 40
LIMIT = 2 * SIDE * SIDE
_TABLE = 4096  # slots for the boards of one game
START = "import numpy; from mariago.rules import Position; Position.empty(19).legal_mask()"


@numba.njit(cache=False)
def _seen_before(table: Any, value: Any) -> Any:
    slot = np.int64(value & np.uint64(_TABLE - 1))
    while table[slot] != 0:
        if table[slot] == value:
            return True
        slot = (slot + 1) & (_TABLE - 1)
    table[slot] = value
    return False


@numba.njit(cache=False)
def play_even_games(seed: int, games: int, limit: int, empty: Any) -> Any:
    """Play games, every legal action and pass equally likely; return the moves played."""
    s = empty.copy()
    points = np.empty(empty.shape[0], np.int16)
    total = 0
    at_taken = kernels.HEADER + kernels.TAKEN * np.int64(s[kernels.AREA])
    for game in range(games):
        kernels.copy_into(s, empty)
        table = np.zeros(_TABLE, np.uint64)
        x = seeded(seed + game)
        n = 0
        for p in range(s[kernels.AREA]):
            if s[kernels.HEADER + p] == kernels.EMPTY:
                points[n] = p
                n += 1
        moves = 0
        while moves < limit and s[kernels.PASSES] < 2:
            left = n
            chosen = 0
            while chosen == 0:
                # One slot more than there are points: the pass. A refused point leaves the draw.
                x = next_random(x)
                i = np.int64(((x >> np.uint64(32)) * np.uint64(left + 1)) >> np.uint64(32))
                if i == left:
                    chosen = -1
                    break
                p = np.int64(points[i])
                left -= 1
                points[i] = points[left]
                points[left] = p
                if kernels.is_pseudo_legal(s, p, False):
                    chosen = p
            moves += 1
            if chosen < 0:
                kernels.play_pass(s)
                continue
            n -= 1
            points[left] = points[n]
            kernels.play(s, chosen)
            for k in range(s[kernels.N_TAKEN]):
                points[n] = s[at_taken + k]
                n += 1
            if _seen_before(table, kernels.hash_of(s)):
                break
        total += moves
    return total


@numba.njit(cache=False)
def _masks(s: Any, out: Any, seen: Any, times: int, superko: bool) -> Any:
    total = 0
    for _ in range(times):
        if superko:
            total += legal_mask_superko(s, True, True, seen, seen.shape[0], out)
        else:
            total += legal_mask(s, False, out)
    return total


@numba.njit(cache=False)
def _copies(target: Any, source: Any, times: int) -> Any:
    for _ in range(times):
        kernels.copy_into(target, source)
    return target[0]


def middle_game(moves: int, rules: str) -> Position:
    """Return a 19x19 position after random moves."""
    rng = random.Random(moves)
    position = Position.empty(SIDE, rules)
    while position.move_number < moves:
        position = position.play(rng.choice(position.legal_moves()[:-1]))
    return position


def _their_game_length(game: Any, games: int) -> float:
    rng = random.Random(1)
    lengths: list[int] = []
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        lengths.append(len(state.history()))
    return statistics.mean(lengths)


def random_game_rows(repeats: int) -> list[Row]:
    """Measure random games, with one policy for both, and with the policy that keeps eyes."""
    import pyspiel

    game = pyspiel.load_game("go", {"board_size": SIDE, "komi": 7.5})
    their_length = _their_game_length(game, 3 * GAMES)
    # A tree search of one simulation is GAMES random games from the position it is asked about.
    evaluator = pyspiel.RandomRolloutEvaluator(GAMES, 1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 1, False)
    start = game.new_initial_state()
    empty = kernels.new_state(SIDE, SIDE)
    our_games = 20 * GAMES
    our_moves = int(play_even_games(1, our_games, LIMIT, empty))
    ours = cpu_time(lambda: play_even_games(1, our_games, LIMIT, empty), repeats)
    theirs = cpu_time(lambda: search.mcts_search(start), repeats)
    same = ratio_row(
        "random 19x19 games",
        ours,
        theirs,
        unit="moves/s",
        of_seconds=lambda seconds: our_moves / seconds,
        their_scale=GAMES * their_length / our_moves,
        required=20,
        note=f"OpenSpiel's go in C++; mean length ours {our_moves / our_games:.0f},"
        f" theirs {their_length:.0f} moves",
    )
    kept = int(random_moves(SIDE, SIDE, 1, our_games, LIMIT))
    eyes = cpu_time(lambda: random_moves(SIDE, SIDE, 1, our_games, LIMIT), repeats)
    return [same, Row("random 19x19 games, eyes kept", kept / eyes.median_s, "moves/s")]


def query_rows(repeats: int) -> list[Row]:
    """Measure legal masks and copies in a middle game of 150 random moves."""
    import pyspiel

    simple, superko = middle_game(150, "chinese"), middle_game(150, "new_zealand")
    state = pyspiel.load_game("go", {"board_size": SIDE, "komi": 7.5}).new_initial_state()
    for _, move in simple.moves:
        row, column = divmod(move, SIDE)
        state.apply_action((SIDE - 1 - row) * SIDE + column)
    out, seen, times = np.empty(SIDE * SIDE + 1, np.uint8), superko.history_hashes, 2000
    array = simple.state
    target = np.empty_like(array)
    mask = cpu_time(lambda: _masks(array, out, seen, times, False), repeats)
    banned = cpu_time(lambda: _masks(superko.state, out, seen, times, True), repeats)
    copy = cpu_time(lambda: _copies(target, array, times), repeats)
    their_mask = cpu_time(lambda: state.legal_actions(), repeats)
    their_copy = cpu_time(lambda: state.clone(), repeats)

    def us(seconds: float) -> float:
        return seconds / times * 1e6

    move = simple.legal_moves()[0]
    return [
        ratio_row(
            "legal mask",
            mask,
            their_mask,
            unit="us",
            of_seconds=us,
            their_scale=1 / times,
            note="inside a kernel; theirs is legal_actions() through Python, list included",
        ),
        Row("legal mask, superko", us(banned.median_s), "us", note="150 boards to compare with"),
        ratio_row(
            "copy",
            copy,
            their_copy,
            unit="ns",
            of_seconds=lambda s: us(s) * 1e3,
            their_scale=1 / times,
            note="inside a kernel; theirs is clone() through Python",
        ),
        Row("Position.legal_mask()", cpu_time(simple.legal_mask, repeats).median_s * 1e6, "us"),
        Row("Position.play()", cpu_time(lambda: simple.play(move), repeats).median_s * 1e6, "us"),
        Row(
            "Position.play(), superko",
            cpu_time(lambda: superko.play(superko.legal_moves()[0]), repeats).median_s * 1e6,
            "us",
            note="finding the legal moves included",
        ),
    ]


def start_seconds() -> float:
    """Return the CPU seconds of a new process up to and with its first legal mask."""
    process = subprocess.Popen([sys.executable, "-c", START])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError("the start that was to be measured failed")
    return usage.ru_utime + usage.ru_stime


def start_rows(repeats: int) -> list[Row]:
    """Measure the start of a process, kernels already compiled and kept on disk."""
    if not hasattr(os, "wait4"):
        return []
    start_seconds()
    seconds = sorted(start_seconds() for _ in range(max(3, repeats)))
    median = statistics.median(seconds)
    spread = (seconds[-1] - seconds[0]) / median
    return [Row("start to first legal mask", median, "s CPU", required=1.5, spread=spread)]


def rows(repeats: int) -> list[Row]:
    """Return all rows of the board benchmark."""
    return [*random_game_rows(repeats), *query_rows(repeats), *start_rows(repeats)]

"""First moves of problems of life and death against their sources; floors may only rise.

Sources: Cho Chikun's elementary problems and Lee Changho's tesuji as sanderland/tsumego gives them,
and the 20 reference problems of adum/tsumegobench. Each problem gets ``tsumego.NODES`` positions,
about one second of one core. A source lists the first moves that it accepts; some have others that
work as well, which count as missed here. ``-m slow -s`` prints every problem that was missed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import islice

import pytest
from tests.peers.tsumego_files import ELEMENTARY, TESUJI, Problem, json_problems, sgf_problems

from mariago.board.points import move_to_vertex
from mariago.tactics.tsumego import solve_problem

ELEMENTARY_FLOOR, ELEMENTARY_CASES = 755, 900
TESUJI_FLOOR, TESUJI_CASES = 35, 147  # every fifth of 735
BENCH_FLOOR, BENCH_CASES = 12, 20
QUICK_FLOOR, QUICK_CASES = 12, 15  # every sixtieth of the elementary ones, with fewer positions
QUICK_NODES = 40_000


def found(problems: Iterable[Problem], **limits: int) -> tuple[int, int]:
    """Return how many first moves were found and how many problems there were; print the misses."""
    right = proven = cases = nodes = 0
    started = time.process_time()
    for problem in problems:
        answer = solve_problem(problem.position, **limits)
        cases += 1
        nodes += answer.nodes
        if answer.move in problem.moves:
            right += 1
            proven += answer.result != -1
            continue
        size = problem.position.size
        said = "no move" if answer.move is None else move_to_vertex(answer.move, size)
        wanted = " ".join(sorted(move_to_vertex(move, size) for move in problem.moves))
        sure = "not proven" if answer.result == -1 else f"result {answer.result}"
        print(f"{problem.name}: {said} ({answer.goal}, {sure}), the source says {wanted}")
    spent = time.process_time() - started
    print(
        f"{right} of {cases} first moves found, {proven} of them proven; {nodes / cases:.0f} "
        f"positions and {spent / cases:.2f} s a problem, {nodes / spent:.0f} positions a second"
    )
    return right, cases


@pytest.fixture
def archive(peer_data):
    return peer_data / "tsumego" / "sanderland_part.tar.gz"


def test_first_moves_of_some_elementary_problems_are_found(archive):
    problems = islice(json_problems(archive, ELEMENTARY), 0, None, 60)
    right, cases = found(problems, nodes=QUICK_NODES)
    assert cases == QUICK_CASES
    assert right >= QUICK_FLOOR


@pytest.mark.slow
def test_first_moves_of_elementary_problems_are_found(archive):
    right, cases = found(json_problems(archive, ELEMENTARY))
    assert cases == ELEMENTARY_CASES
    assert right >= ELEMENTARY_FLOOR


@pytest.mark.slow
def test_first_moves_of_tesuji_problems_are_found(archive):
    right, cases = found(islice(json_problems(archive, TESUJI), 0, None, 5))
    assert cases == TESUJI_CASES
    assert right >= TESUJI_FLOOR


@pytest.mark.slow
def test_first_moves_of_the_reference_problems_are_found(peer_data):
    right, cases = found(sgf_problems(peer_data / "tsumego" / "tsumegobench"))
    assert cases == BENCH_CASES
    assert right >= BENCH_FLOOR

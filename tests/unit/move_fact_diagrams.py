"""For each fact of a move a diagram where it holds, and a near miss: (fact, vertex, near, diagram).

X is to move unless the diagram says O. ``near`` is a move on the same board, or a move and a board
of its own, at which the fact does not hold.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CASES", "Case"]


class Case(NamedTuple):
    """A fact, a move at which it holds, and one at which it does not."""

    fact: str
    vertex: str
    diagram: str
    near: str
    near_diagram: str = ""  # the same where empty
    to_move: int = 1
    rules: str = "chinese"


WIDE = "\n".join([" ".join(["."] * 13)] * 13)
FULL = "\n".join([" ".join(["."] * 19)] * 19)


def board(size: int, **stones: str) -> str:
    """Return a diagram of a square board; ``X="C3 D4"`` puts black stones, ``O`` white ones."""
    rows = [["."] * size for _ in range(size)]
    for sign, vertices in stones.items():
        for vertex in vertices.split():
            column = "ABCDEFGHJKLMNOPQRST".index(vertex[0])
            rows[size - int(vertex[1:])][column] = sign
    return "\n".join(" ".join(row) for row in rows)


MOUTH = board(5, O="C4 B3 C2")
LADDER = board(9, X="D4 E4 C3 D2", O="D3")
LONG_LADDER = board(9, X="B3 C2 D3 B4", O="C3")
START = board(9, X="D4 E4 C3", O="D3")
BROKEN = board(9, X="D4 E4 C3", O="D3 F2")
NET = board(9, X="D5 E4 D6 F4", O="E5")
KO = ". X O .\nX O . O\n. X O ."
EYES = ". X . O . O\n. X . O O .\n. X . O . O\nX X . O O O"
SNAPBACK = board(7, X="B3 C3 D3 A3 A2 E2 A1 E1", O="B2 C2 D2 B1")
BROKEN_NET = board(9, X="D5 E4 D6 F4", O="E5 H7")
ALIVE = board(7, X="A4 B1 B2 B3 B4 B5 B6 B7")
UNSETTLED = board(7, X="B1 B2 B3 B4 B5 B6 B7")
EYE_OF_THREE = board(5, O="A2 B2 C2 D1")

CASES: list[Case] = [
    Case("captures", "A3", ". O X\n. X .\n. . .", "C2"),
    Case("saves_by_extending", "C5", board(5, X="C4", O="B4 D4 C3"), "C5",
         board(5, X="C4", O="B4 D4 C3 B5")),
    Case("saves_by_capturing", "B3", board(5, X="A4 B5 C4", O="B4 D4 C3"), "C5"),
    Case("gives_atari", "B3", ". . .\n. O X\n. X .", "C3"),
    Case("double_atari", "C3", board(5, X="C5 B4 E3 D2", O="C4 D3"), "C2"),
    Case("self_atari", "C3", MOUTH, "D4"),
    Case("sensible_self_atari", "C1", SNAPBACK, "C3", MOUTH),
    Case("working_ladder", "D2", START, "D2", board(9, X="D4 E4 C3", O="D3 F2")),
    Case("broken_ladder", "D2", BROKEN, "E3"),
    Case("broken_ladder", "D2", BROKEN, "D2", board(9, X="D4 E4 C3", O="D3 E2")),  # it connects
    Case("broken_ladder", "D2", BROKEN, "D2",
         board(9, X="D4 E4 C3", O="D3 F2 B3 C4")),  # C3 is in atari itself
    Case("broken_ladder", "D2", BROKEN, "B1",
         board(9, X="C1 C2 B3 A3", O="B2 A1 A2")),  # a throw-in
    Case("averts_ladder", "D2", START, "G7", to_move=2),
    Case("own_caught", "E3", LADDER, "E3", board(9, X="D4 E4 C3 D2", O="D3 F2"), to_move=2),
    Case("ladder_breaker", "G7", LONG_LADDER, "J8", to_move=2),
    Case("averts_ladder", "F2", START, "J8", to_move=2),  # from near by, not touching it
    Case("averts_ladder", "F2", START, "E5", LONG_LADDER, to_move=2),  # in atari: taken at once
    Case("ladder_made", "D1", board(7, X="B2", O="C2 B1"), "F1"),
    Case("net", "F6", BROKEN_NET, "C7"),  # no ladder took it before
    Case("ladder_made", "D1", board(7, X="B2", O="C2 B1"), "F6", BROKEN_NET),  # a net is told
    Case("ladder_lost", "G1", board(7, X="F1", O="G2 E1"), "B1"),
    Case("exposed", "A1", board(7, X="A7 B2", O="B7"), "C1"),
    Case("net", "F6", NET, "G7"),
    Case("net", "F6", NET, "F6", board(9, X="D5 E4 F4", O="E5")),
    Case("net", "F6", NET, "F6", board(9, X="D5 E4 D6 F4 H6 G5", O="E5 G6")),  # it gives atari
    Case("net", "F6", NET, "F6", board(9, X="D5 E4 D6 F4 F7 G6", O="E5")),  # it connects
    Case("closed_in", "B1", board(9, X="B4 C2 A4", O="A2"), "B1", board(9, X="B4 A4", O="A2")),
    Case("closed_in", "E2", board(7, X="C2 D3 B2", O="C1 D1 D2"), "E1"),
    Case("snapback", "C1", SNAPBACK, "D1"),
    Case("connect_and_die", "A1", board(7, X="A2 B2 C2 D2 E2", O="B1 C1 E1"), "D1"),
    Case("throw_in", "C1", SNAPBACK, "C3", MOUTH),
    Case("takes_ko", "C2", KO, "A3"),
    Case("fills_ko", "B2", ". X O .\nX . X O\n. X O .", "A3"),
    Case("offers_ko", "C2", ". X O .\nX . . O\n. X O .", "B2"),
    Case("nakade", "B1", EYE_OF_THREE, "A1"),
    Case("nakade", "A3", EYES, "A2", ALIVE, to_move=2),  # nothing kills the latter
    Case("nakade", "B1", board(5, O="A3 B3 C2 D1", X="A2"), "A1"),  # pyramid four, one stone in it
    Case("nakade", "B2", board(5, O="A3 B3 C3 D2 C1"), "B1"),  # bulky five would need C1
    Case("connects", "C3", board(5, X="B3 D3"), "C4"),
    Case("solid_connection", "C3", board(5, X="B3 D3", O="C4"), "C3", board(5, X="B3 B2 D3 D2")),
    Case("cuts", "C3", board(5, O="B3 D3", X="C4"), "C3", board(5, O="B3 B2 D3 D2", X="C4")),
    Case("enters_tigers_mouth", "C3", MOUTH, "D4"),
    Case("fills_tigers_mouth", "C3", board(5, X="C4 B3 C2"), "D3"),
    Case("makes_tigers_mouth", "C2", board(5, X="C4 B3"), "D4"),
    Case("fills_own_eye", "E4", EYES, "C4", to_move=2),
    Case("fills_false_eye", "A3", ". X . .\nX O . .\n. . . .", "C3"),
    Case("fills_own_territory", "A2", ALIVE, "A2", UNSETTLED),
    Case("fills_own_territory", "A2", ALIVE, "A4", EYES),  # it has one eye yet
    Case("futile", "A2", ALIVE, "A2", UNSETTLED, to_move=2),
    Case("futile", "A2", ALIVE, "A3", EYES, to_move=2),  # the vital point
    Case("risks_double_atari", "C4", board(5, X="C5 B4 E3 D2", O="D3"), "C3", to_move=2),
    Case("is_suicide", "A3", ". X O .\nX X O .\nO O O .", "D3", rules="tromp_taylor"),
    # shapes
    Case("stretch", "D4", board(7, X="D3", O="C3"), "D4", board(7, X="D3")),
    Case("stretch", "E4", board(7, X="D4", O="D5"), "E4", board(7, X="D4", O="E5")),
    Case("descent", "D2", board(7, X="D3"), "D3", board(7, X="D4")),
    Case("crawl", "D2", board(7, X="C2", O="C3 D3"), "D2", board(7, X="C2", O="C3")),
    Case("crawl", "D2", board(7, X="C2", O="C3 D3"), "D3", board(7, X="C3", O="C4 D4")),
    Case("block", "D2", board(7, X="C3 E3", O="D3"), "D2", board(7, X="C3", O="D3")),
    Case("block", "D2", board(7, X="C3 E3", O="D3"), "D2", board(7, X="C3 E3", O="D3 C2 E2")),
    Case("block", "A3", board(7, X="B4", O="A4"), "B3", board(7, X="A4", O="B4")),
    Case("push", "D4", board(7, X="D3", O="C4 E4"), "D4", board(7, X="D3", O="C4")),
    Case("push", "D4", board(7, X="D3", O="C4 E5"), "D4", board(7, X="D3", O="C5 E5")),
    Case("hane", "E4", board(7, X="D3", O="D4"), "E4", board(7, X="D3 F4", O="D4 E3")),
    Case("jump", "D5", board(7, X="D3"), "D5", board(7, X="D3", O="D4")),
    Case("two_point_jump", "E8", board(9, X="E5"), "E8", board(9, X="E5", O="E7")),
    Case("small_knight", "E5", board(7, X="D3"), "E5", board(7, X="D3", O="D4")),
    Case("large_knight", "E6", board(7, X="D3"), "E6", board(7, X="D3", O="E4")),
    Case("diagonal", "E4", board(7, X="D3"), "E4", board(7, X="D3", O="D4")),
    Case("extension", "F3", board(13, X="C3"), "F3", board(13, X="C3", O="E4")),
    Case("extension", "H4", board(13, X="C4"), "J4", board(13, X="C4")),
    Case("extension", "F3", board(13, X="C3", O="D5"), "F5", board(13, X="C5")),
    Case("clamp", "E2", board(7, X="C2", O="D2"), "E2", board(7, X="C2 E3", O="D2")),
    Case("bridge_under", "D2", board(7, X="C2 E2", O="D3"), "D2", board(7, X="C2 E2")),
    Case("bridge_under", "D1", board(7, X="C1 E1", O="D2"), "D4", board(7, X="C4 E4", O="D5")),
    Case("empty_triangle", "D4", board(7, X="D3 E3"), "D4", board(7, X="D3 E3", O="E4")),
    Case("empty_triangle", "D4", board(7, X="D3 E3"), "D4",
         board(7, X="D3 E3 C4")),  # it connects
    Case("empty_triangle", "D4", board(7, X="D3 E3"), "D4",
         board(7, X="D3 E3 C5 E5 D6", O="D5")),  # it takes
    Case("empty_triangle", "D4", board(7, X="D3 E3"), "E2",
         board(7, X="D2 E1", O="C2 D3 D1 F1")),  # it is forced
    Case("attachment", "D5", board(7, O="D4"), "D5", board(7, O="D4", X="C4")),
    # openings
    Case("four_four", "D16", FULL, "D16", board(19, X="C4", O="E17")),
    Case("three_three", "C3", board(9), "C3", board(9, O="D4")),
    Case("three_four", "Q17", FULL, "Q18"),
    Case("three_five", "C5", FULL, "C6"),
    Case("four_five", "D5", FULL, "E5"),
    Case("center_point", "K10", FULL, "K11"),
    Case("side_star", "K4", FULL, "K4", board(19, O="J5")),
    Case("side_star", "D8", board(15, X="D4"), "G4", WIDE),
    Case("approach", "F3", board(19, O="D4"), "F3", board(19, O="D4 C6")),
    Case("approach", "F3", board(13, O="D4"), "F3", board(11, O="D4")),  # the board is too small
    Case("approach", "F3", board(19, O="D4"), "F3", board(19, O="D4 G3")),  # in contact
    Case("approach", "G3", board(19, O="D3"), "G3", board(19, O="D3 G5 H4")),  # stones near it
    Case("enclosure", "F3", board(13, X="D4"), "F3", board(13, X="C3")),
    Case("enclosure", "F3", board(13, X="D4"), "F3", board(13, X="D4", O="F2")),
    Case("four_four", "D4", board(9), "D4", board(9, O="E4")),  # in contact
    Case("four_four", "D4", board(9, O="F6"), "D4", board(9, O="E5")),  # diagonally
    Case("three_three_invasion", "C3", board(19, O="D4"), "C3", board(19, O="D4 C4")),
    Case("approach", "E4", board(19, O="C4"), "B6", board(19, O="C4")),
    Case("enclosure", "E3", board(19, X="C4"), "E3", board(19, X="C4", O="D5")),
    Case("three_three_invasion", "C3", board(19, O="D4"), "C3", board(19, O="D4", X="F3")),
]  # fmt: skip

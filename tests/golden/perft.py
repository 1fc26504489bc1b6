"""Numbers of move sequences from the empty board, made by the plain engine.

``python -m tests.golden.perft`` counts them anew into ``perft.json``. Counted are sequences of
exactly ``depth`` moves. Without passes every move is a stone. With passes a pass is a move too, and
a game that has ended (two passes in a row; under simple ko a repeated board with the same side to
move) has no more moves. No such table of Go is published as far as we know; these numbers come
from an engine that shares no code with the kernels.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.reference.plain_go import PlainPosition

TABLE = Path(__file__).with_name("perft.json")

# ko rule, suicide: the four kinds of rules that the named sets are made of
KINDS = [("simple", False), ("positional", True), ("situational", False), ("situational", True)]
BOARDS = [((1, 1), 4), ((1, 2), 9), ((1, 3), 9), ((1, 4), 8), ((2, 2), 9), ((2, 3), 6)]
BOARDS += [((3, 3), 5), ((4, 4), 3), ((5, 5), 3), ((9, 9), 2)]


def perft_plain(position: PlainPosition, depth: int, passes: bool) -> int:
    if passes and (position.passes >= 2 or position.repeated):
        return 0
    points = position.legal_points()
    if depth == 1:
        return len(points) + passes
    count = sum(perft_plain(position.play(point), depth - 1, passes) for point in points)
    return count + (perft_plain(position.play_pass(), depth - 1, passes) if passes else 0)


def main() -> None:
    table = []
    for size, deepest in BOARDS:
        for ko_rule, suicide in KINDS:
            for passes in (False, True):
                start = PlainPosition(*size, ko_rule=ko_rule, suicide=suicide)
                counts = [perft_plain(start, depth, passes) for depth in range(1, deepest + 1)]
                row = {"size": list(size), "ko": ko_rule, "suicide": suicide, "passes": passes}
                table.append({**row, "counts": counts})
                print(table[-1], flush=True)
    text = ",\n".join(json.dumps(row) for row in table)
    TABLE.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

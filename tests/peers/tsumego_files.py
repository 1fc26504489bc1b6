"""Problems of life and death from files: a position, who moves, the first moves accepted."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mariago.board.points import BLACK, WHITE, sgf_to_move, size_of
from mariago.rules import Position
from mariago.sgf import GameTree, parse_collection

ELEMENTARY = "Cho Chikun Encyclopedia Life And Death - Elementary"
TESUJI = "Lee Changho Tesuji"
RULES = "japanese"


@dataclass(frozen=True)
class Problem:
    """One problem; ``moves`` are the first moves that its source accepts."""

    name: str
    position: Position
    moves: frozenset[int]


def _position(size_text: str, stones: dict[int, list[str]], to_move: int) -> Position:
    size = size_of(size_text)
    setup = [(color, sgf_to_move(p, size)) for color, points in stones.items() for p in points]
    position = Position.empty(size, rules=RULES)
    return position.with_setup(setup, without_breathless=True).with_to_move(to_move)


def json_problems(archive: Path, part: str) -> Iterator[Problem]:
    """Yield the problems of the archive whose path holds ``part``, by name; Black moves."""
    with tarfile.open(archive) as tar:
        names = sorted(n for n in tar.getnames() if part in n and n.endswith(".json"))
        for name in names:
            member = tar.extractfile(name)
            assert member is not None
            told = json.loads(member.read())
            stones = {BLACK: told.get("AB", []), WHITE: told.get("AW", [])}
            position = _position(told["SZ"], stones, BLACK)
            moves = {sgf_to_move(s[1], position.size) for s in told["SOL"] if s[0] == "B" and s[1]}
            yield Problem(name.rsplit("/", 1)[-1].removesuffix(".json"), position, frozenset(moves))


def _is_right(tree: GameTree, node: int, children: list[list[int]]) -> bool:
    pending = [node]
    while pending:
        at = pending.pop()
        if "RIGHT" in (tree.text(at, "C") or ""):
            return True
        pending.extend(children[at])
    return False


def sgf_problems(folder: Path) -> Iterator[Problem]:
    """Yield the problems of a folder of SGF files: RIGHT stands at the end of what is right."""
    for path in sorted(folder.rglob("*.sgf")):
        tree = parse_collection(path.read_bytes()).trees[0]
        children = tree.children()
        stones = {
            color: [raw.decode() for raw in tree.values(0, name)]
            for color, name in ((BLACK, "AB"), (WHITE, "AW"))
        }
        first = children[0][0]
        to_move = BLACK if tree.values(first, "B") else WHITE
        position = _position(tree.text(0, "SZ") or "19", stones, to_move)
        name = "B" if to_move == BLACK else "W"
        moves = {
            sgf_to_move(tree.values(child, name)[0].decode(), position.size)
            for child in children[0]
            if tree.values(child, name) and _is_right(tree, child, children)
        }
        yield Problem(path.stem, position, frozenset(moves))

"""Games and trees to SGF bytes: FF[4], UTF-8, the same bytes for the same game every time.

What is written reads back as the same game, and writing that again gives the same bytes.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mariago.board.points import BLACK, EMPTY, SGF_LETTERS, WHITE, Size
from mariago.rules.result import Result
from mariago.sgf.games import ReadGame
from mariago.sgf.grammar import Collection, GameTree, escaped
from mariago.sgf.repairs import counted_handicap
from mariago.sgf.results import largest_score, read_result
from mariago.sgf.values import largest_komi, read_rules

if TYPE_CHECKING:
    from mariago.rules.game import Game

__all__ = ["write_collection", "write_game", "write_numbers"]

_LINE = 78
_MOVES_A_LINE = 10
_SETUP = ((BLACK, b"AB"), (WHITE, b"AW"), (EMPTY, b"AE"))
_ORDERED = ("B", "W", "AB", "AW", "AE")
_RULES_TEXT = {
    "chinese": "Chinese",
    "japanese": "Japanese",
    "korean": "Korean",
    "ing": "GOE",
    "aga": "AGA",
    "new_zealand": "NZ",
    "tromp_taylor": "Tromp-Taylor",
}
# In this order, after FF GM CA AP SZ; KM RU HA RE PL are worked out.
_INFO = (
    *("GN", "EV", "RO", "DT", "PC", "SO", "PB", "BR", "BT", "PW", "WR", "WT", "TM", "OT"),
    *("US", "AN", "CP", "ON", "GC"),
)


def write_game(game: "Game") -> bytes:
    """Return the SGF of a game: what ``read_games`` and ``to_game`` turn into the same game.

    Kept are size, set-up stones, moves, komi, handicap, players, result, named rules, and those of
    ``properties`` that ``names.INFO_NAMES`` lists.
    """
    from mariago.sgf.conversion import numbers_of

    return write_numbers(numbers_of(game))


def write_numbers(game: ReadGame) -> bytes:
    """Return the SGF of a game in numbers, one move a node.

    Komi is a plain number (left out where unknown), a pass is ``[]``, set-up stones before a later
    move get a node of their own. Of several stones set on one point before the same move the last
    stays. Texts that ``info`` holds are kept, RU and RE as far as they say what the fields say.
    """
    stones: dict[int, dict[int, int]] = {}
    for ply, color, move in game.setup:
        stones.setdefault(ply, {})[move] = color
    root = b";" + b"".join(b"%b[%b]" % pair for pair in _root_properties(game))
    parts = [b"(", root, _setup_properties(stones.pop(0, {}), game.size), b"\n"]
    on_line = 0
    for ply, (color, move) in enumerate(game.moves):
        if ply in stones:
            parts.append(b"\n" * (on_line > 0))
            parts.append(b";" + _setup_properties(stones.pop(ply), game.size) + b"\n")
            on_line = 0
        name = b"B" if color == BLACK else b"W"
        parts.append(b";%b[%b]" % (name, _letters(move, game.size)))
        on_line += 1
        if on_line == _MOVES_A_LINE:
            parts.append(b"\n")
            on_line = 0
    parts.append(b"\n" * (on_line > 0))
    parts.extend(b";" + _setup_properties(late, game.size) + b"\n" for late in stones.values())
    parts.append(b")\n")
    return b"".join(parts)


def _root_properties(game: ReadGame) -> Iterator[tuple[bytes, bytes]]:
    rows, columns = game.size
    yield b"FF", b"4"
    yield b"GM", b"1"
    yield b"CA", b"UTF-8"
    yield b"AP", b"MariaGO"
    yield b"SZ", b"%d" % rows if rows == columns else b"%d:%d" % (columns, rows)
    for name in _INFO:
        if game.info.get(name):
            yield name.encode(), escaped(game.info[name])
    komi = _komi_to_write(game)
    if komi is not None:
        yield b"KM", _plain_number(komi)
    if game.handicap or counted_handicap(game.moves, game.setup):
        yield b"HA", b"%d" % game.handicap
    rules = game.rules_text
    if game.rules is not None and read_rules(rules) != game.rules:
        rules = _RULES_TEXT[game.rules]
    if rules:
        yield b"RU", escaped(rules)
    result = game.result_text
    largest = largest_score(game.size.cells, komi)
    if game.result is not None and read_result(result, largest) != game.result:
        result = _result_to_write(game.result, largest)
    if result:
        yield b"RE", escaped(result)
    usual = WHITE if game.handicap >= 2 else BLACK
    if game.first_player != usual:
        yield b"PL", b"B" if game.first_player == BLACK else b"W"


def _komi_to_write(game: ReadGame) -> float | None:
    """Return komi, None where a reader could make nothing of it: no number, or over the board."""
    komi = game.komi
    return komi if komi is not None and abs(komi) <= largest_komi(game.size.cells) else None


def _result_to_write(result: Result, largest: float) -> str:
    """Return RE; a score that is no number or cannot be leaves the winner alone."""
    if result.score is not None and not result.score <= largest:
        result = Result(result.winner, None, result.how)
    return str(result)


def _plain_number(value: float) -> bytes:
    """Return ``7.5``, ``0``; ``100.0`` and ``3.750`` where fewer digits would be repaired."""
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    if "." not in text:
        text += ".0" if abs(value) >= 100 else ""
    elif value % 0.5 == 0.25:
        text += "0"
    return text.removeprefix("-0" if text == "-0" else "").encode() or b"0"


def _letters(move: int, size: Size) -> bytes:
    if move == size.cells:
        return b""
    row, column = divmod(move, size.columns)
    return (SGF_LETTERS[column] + SGF_LETTERS[row]).encode()


def _setup_properties(stones: dict[int, int], size: Size) -> bytes:
    found = b""
    for color, name in _SETUP:
        points = sorted(move for move, set_to in stones.items() if set_to == color)
        if points:
            found += name + b"".join(b"[%b]" % _letters(move, size) for move in points)
    return found


def write_collection(trees: Collection | Iterable[GameTree]) -> bytes:
    """Return all trees with all their nodes and properties, unknown ones too.

    Values stay as they are, escapes included; FF and CA of each root become ``4`` and ``UTF-8``;
    a property that stands twice in one node is joined, except where the order tells. A tree
    that was cut off is closed: ask ``GameTree.is_whole`` first.
    """
    if isinstance(trees, Collection):
        trees = trees.trees
    return b"".join(_tree_bytes(tree) for tree in trees if tree.nodes)


def _tree_bytes(tree: GameTree) -> bytes:
    """Write one tree from its flat form; ``open_at`` holds the branching nodes of open brackets."""
    branches = [0] * len(tree.nodes)
    for parent in tree.parents[1:]:
        branches[parent] += 1
    out = bytearray(b"(")
    line_start = 0
    open_at: list[int] = []
    for node, parent in enumerate(tree.parents):
        if parent >= 0 and branches[parent] > 1:
            if parent != node - 1:
                while open_at.pop() != parent:
                    out += b")"
                out += b")"
            out += b"\n("
            line_start = len(out) - 1
            open_at.append(parent)
        elif node > 0 and (node == 1 or len(out) - line_start > _LINE):
            out += b"\n"
            line_start = len(out)
        out += _node_bytes(tree.nodes[node], is_root=parent < 0)
    out += b")" * len(open_at) + b")\n"
    return bytes(out)


def _node_bytes(node: list[tuple[str, list[bytes]]], *, is_root: bool) -> bytes:
    head = [("FF", [b"4"]), ("CA", [b"UTF-8"])] if is_root else []
    in_order: list[tuple[str, list[bytes]]] = []  # moves and set-up stones, whose order tells
    joined: dict[str, list[bytes]] = {}
    for name, values in node:
        if is_root and name in ("FF", "CA"):
            continue
        if name not in _ORDERED:
            joined.setdefault(name, []).extend(values)
        elif in_order and in_order[-1][0] == name and len(name) == 2:
            in_order[-1] = (name, [*in_order[-1][1], *values])
        else:
            in_order.append((name, values))
    parts = [b";"]
    for name, values in [*head, *in_order, *joined.items()]:
        parts.append(name.encode())
        parts.extend(b"[%b]" % _as_utf8(value) for value in values)
    return b"".join(parts)


def _as_utf8(value: bytes) -> bytes:
    return value if value.isascii() else value.decode("utf-8", "replace").encode("utf-8")

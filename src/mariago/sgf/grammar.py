"""SGF's grammar: bytes to trees of nodes. Knows nothing of Go.

A tree is stored flat: node after node as they stand in the file, each with the index of its parent
and its properties. Nothing recurses, so depth is limited by memory alone. Format: Hollosi, "SGF
FF[4]", https://www.red-bean.com/sgf/sgf4.html; FF[1] and FF[3] beside it.
"""

import re
from dataclasses import dataclass, field

from mariago.sgf.encodings import Decoded, decode_file
from mariago.sgf.problems import Problem, raise_first

__all__ = ["Collection", "GameTree", "escaped", "parse_collection", "unescaped"]

# The next token after white space: a value, a name, a bracket of the tree, or a stray byte.
_TOKEN = re.compile(
    rb"\s*+(?:\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]|([A-Za-z0-9_]++)|([();])|(.))", re.DOTALL
)
_VALUE, _NAME, _MARK, _STRAY = 1, 2, 3, 4
_GAME_START = re.compile(rb"\(\s*+;")
_LOOSE_START = re.compile(rb"\(\s*+[A-Za-z]{1,16}\s*+\[")
_BEFORE_GAME, _OPENING = b"( \t\r\n\f\v", ord("(")
# Behind a value: another one, a bracket of the tree, a node, or a property.
_PLAUSIBLE = re.compile(rb"\s*+(?:[\[();]|$|\w*[A-Z0-9_]\w*\s*+\[)")
_TO_BRACKET = re.compile(rb"(?:[^\]\\]|\\.)*+\]", re.DOTALL)
_MOVE_BEGINS = re.compile(rb";\s*+[BW]\s*+\[")
_UNESCAPED = re.compile(rb"(\\.)|\]", re.DOTALL)
_CLOSING, _LONGEST_JOINED = ord("]"), 4096
_TEXTS = frozenset(
    {
        *("C", "GC", "GN", "N", "PB", "PW", "BR", "WR", "BT", "WT", "US", "AN", "CP", "PC", "EV"),
        *("RO", "SO", "ON", "OT", "RU", "DT", "RE", "AP"),
    }
)
_ESCAPED = re.compile(r"\\(?:\r\n|\n\r|[\r\n]|(.))", re.DOTALL)
# In one file: small games take a hundred times the bytes of their text.
MOST_GAMES = 200_000
_LOWER = bytes(range(ord("a"), ord("z") + 1))


@dataclass(slots=True)
class GameTree:
    """One game: nodes in file order (parents before children, first child next).

    ``parents[i]`` is the index of node i's parent, -1 for the root; ``nodes[i]`` its properties in
    file order as (name, raw values), a repeated name standing twice; ``offsets[i]`` the byte of the
    decoded data where the node starts. Values are raw: UTF-8 bytes with their escapes. ``is_whole``
    is False where the file ends before the main line does, ``is_garbled`` True where more stray
    text than properties was met.
    """

    parents: list[int] = field(default_factory=list[int])
    nodes: list[list[tuple[str, list[bytes]]]] = field(
        default_factory=list[list[tuple[str, list[bytes]]]]
    )
    offsets: list[int] = field(default_factory=list[int])
    is_whole: bool = True
    is_garbled: bool = False

    def main_line(self) -> range:
        """Return the nodes of the main line: the root, then the first child each time."""
        end = 1
        while end < len(self.parents) and self.parents[end] == end - 1:
            end += 1
        return range(min(end, len(self.parents)))

    def children(self) -> list[list[int]]:
        """Return for every node the indices of its children, in file order."""
        found: list[list[int]] = [[] for _ in self.parents]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(node)
        return found

    def values(self, node: int, name: str) -> list[bytes]:
        """Return all raw values of ``name`` in a node, those of repeated properties joined."""
        found: list[bytes] = []
        for known, values in self.nodes[node]:
            if known == name:
                found.extend(values)
        return found

    def text(self, node: int, name: str) -> str | None:
        """Return the first value of ``name`` in a node as text, None where it has none."""
        values = self.values(node, name)
        return unescaped(values[0]) if values else None


@dataclass
class Collection:
    """All game trees of one file, its encoding, and what was wrong with it."""

    trees: list[GameTree]
    problems: list[Problem]
    decoded: Decoded


def unescaped(raw: bytes) -> str:
    """Return the text of a raw value: soft line breaks removed, escapes undone."""
    text = raw.decode("utf-8", "replace")
    if "\\" in text:
        text = _ESCAPED.sub(lambda match: match[1] or "", text)
    return text


def escaped(text: str, *, compose: bool = False) -> bytes:
    """Return the raw value of a text; ``compose`` also escapes colons."""
    text = text.replace("\\", "\\\\").replace("]", "\\]")
    if compose:
        text = text.replace(":", "\\:")
    return text.encode("utf-8", "replace")


def _with_brackets_escaped(raw: bytes) -> bytes:
    """Return a raw value in which every closing bracket is escaped."""
    return _UNESCAPED.sub(lambda match: match[1] or b"\\]", raw)


def parse_collection(data: bytes, strict: bool = False) -> Collection:
    """Read all game trees of a file.

    A file without a game gives no trees and the problem ``no_game``.

    Raises:
        SgfError: strict, and the file departs from the format.
    """
    decoded = decode_file(data)
    parser = _Parser(decoded)
    parser.run()
    problems = [*decoded.problems, *decoded.in_file(parser.problems)]
    if strict:
        raise_first(problems)
    return Collection(parser.trees, problems, decoded)


class _Parser:
    """One pass over the tokens of one file."""

    def __init__(self, decoded: Decoded) -> None:
        self.decoded = decoded
        self.data = decoded.data
        self.trees: list[GameTree] = []
        self.problems: list[Problem] = []
        self._seen: set[str] = set()  # names in the node being read
        self._stray_until = -1
        self._at = 0  # where the game being read begins
        self.is_full = False

    def note(self, code: str, text: str, where: int) -> None:
        self.problems.append(Problem(code, text, where))

    def run(self) -> None:
        at, count = 0, 0
        while True:
            start = self._find_game(at, count)
            if start is None and count == 0:
                self.note("no_game", "no game tree in the file", 0)
                return
            between = self.data[at:start].strip()
            if between:
                self._note_between(between, at, count)
            if start is None or self.is_full:
                return
            self._at = start
            trees, problems = len(self.trees), len(self.problems)
            at = self._read_game(start)
            self._judge(self.trees[trees:], len(self.problems) - problems)
            count += 1

    def _find_game(self, at: int, count: int) -> int | None:
        """Return where the brackets before the next game's first node begin."""
        match = _GAME_START.search(self.data, at)
        if match is None and count == 0:
            match = _LOOSE_START.search(self.data, at)
        if match is None:
            return None
        start = look = match.start()
        while look > at and self.data[look - 1] in _BEFORE_GAME:
            look -= 1
            if self.data[look] == _OPENING:
                start = look
        return start

    @staticmethod
    def _judge(trees: list[GameTree], problems: int) -> None:
        properties = sum(len(node) for tree in trees for node in tree.nodes)
        for tree in trees:
            tree.is_garbled = problems > properties

    def _note_between(self, between: bytes, at: int, count: int) -> None:
        if not between.strip(b") \t\r\n"):
            self.note("extra_paren", "a closing parenthesis too many", at)
        elif count == 0:
            self.note("text_before", "text before the first game", at)
        else:
            self.note("text_between", "text between or after games", at)

    def _start_tree(self) -> GameTree:
        """Begin a tree; one beyond ``MOST_GAMES`` is read for the brackets and then dropped."""
        tree = GameTree()
        if len(self.trees) < MOST_GAMES:
            self.trees.append(tree)
        elif not self.is_full:
            self.is_full = True
            self.note("too_many_games", f"games after the first {MOST_GAMES:,}", self._at)
        return tree

    def _read_game(self, at: int) -> int:
        """Read from an opening parenthesis to the one that closes it; return where that ends."""
        data, token = self.data, _TOKEN.match
        tree: GameTree | None = None
        stack: list[int] = []
        current = -1  # the node that the next one hangs on
        values: list[bytes] | None = None  # of the property being read
        node: list[tuple[str, list[bytes]]] | None = None
        main_line_closed = False
        text_start = -1  # of the value of a text property, while nothing has followed it
        while True:
            match = token(data, at)
            if match is None:
                break
            kind = match.lastindex
            if text_start >= 0 and kind in (_STRAY, _NAME) and values:
                end = self._end_of_text(text_start, at, match.start(kind))
                if end is not None:
                    values[-1] = _with_brackets_escaped(data[text_start:end])
                    at = end + 1
                    continue
            at = match.end()
            text_start = -1
            if kind == _VALUE:
                if values is None:
                    self.note("value_without_name", "a value without a name", match.start(1) - 1)
                else:
                    values.append(match[1])
                    if node and node[-1][0] in _TEXTS and node[-1][1] is values:
                        text_start = match.start(1)
            elif kind == _NAME:
                self._check_values(node, match.start(2))
                if node is None:
                    self.note("missing_semicolon", "a property before any node", match.start(2))
                    if tree is None or current < 0:
                        tree, main_line_closed = self._start_tree(), False
                    node, current = self._add_node(tree, current, match.start(2))
                values = self._add_property(node, match[2], match.start(2))
            elif kind == _MARK:
                mark = match[3]
                self._check_values(node, match.start(3))
                values = None
                if mark == b";":
                    if tree is None or current < 0:
                        tree, main_line_closed = self._start_tree(), False
                    node, current = self._add_node(tree, current, match.start(3))
                elif mark == b"(":
                    stack.append(current)
                    node = None
                else:
                    before, current = current, stack.pop()
                    node = None
                    main_line_closed = main_line_closed or current != before
                    if not stack:
                        return at
            elif match[4] == b"[":
                at = len(data)
                values = None
                self.note("open_value", "a value that the file's end cuts off", match.start(4))
            else:
                self._note_stray(match[4], match.start(4))
        self._check_values(node, len(data))
        self._end_inside(tree, main_line_closed)
        return len(data)

    def _end_of_text(self, start: int, closed: int, at: int) -> int | None:
        """Return where a text really ends whose first closing bracket was not escaped.

        Args:
            start: where the text begins; ``closed`` is behind the bracket that seemed to end it.
            at: the token behind that, which no property starts with.

        Returns:
            None where it cannot be told: the token may be one, the text would swallow a move, or
            there is but a bracket too many.
        """
        data = self.data
        if _PLAUSIBLE.match(data, closed):
            return None
        if (
            data[at] == _CLOSING
            and data.count(b"[", start, at) <= data.count(b"]", start, closed) - 1
        ):
            return None
        limit = min(len(data), at + _LONGEST_JOINED)
        while True:
            match = _TO_BRACKET.match(data, at, limit)
            if match is None or _MOVE_BEGINS.search(data, closed, match.end()):
                return None
            if _PLAUSIBLE.match(data, match.end()):
                self.note("unescaped_bracket", "a closing bracket inside a text", closed - 1)
                return match.end() - 1
            at = match.end()

    def _end_inside(self, tree: GameTree | None, main_line_closed: bool) -> None:
        if tree is None or main_line_closed:
            self.note("unclosed", "the last closing parenthesis is missing", len(self.data))
        else:
            tree.is_whole = False
            self.note("cut_off", "the file ends inside the main line", len(self.data))

    def _add_node(
        self, tree: GameTree, parent: int, where: int
    ) -> tuple[list[tuple[str, list[bytes]]], int]:
        node: list[tuple[str, list[bytes]]] = []
        self._seen.clear()
        tree.parents.append(parent)
        tree.nodes.append(node)
        tree.offsets.append(where)
        return node, len(tree.parents) - 1

    def _add_property(
        self, node: list[tuple[str, list[bytes]]], spelled: bytes, where: int
    ) -> list[bytes]:
        name = spelled if spelled.isupper() else spelled.translate(None, _LOWER)
        values: list[bytes] = []
        if not name:
            self.note("bad_name", f"{spelled[:20]!r} is no property name", where)
            return values  # read and dropped
        key = name.decode("ascii")
        if key in self._seen:
            self.note("repeated_property", f"{key} stands twice in one node", where)
        self._seen.add(key)
        node.append((key, values))
        return values

    def _check_values(self, node: list[tuple[str, list[bytes]]] | None, where: int) -> None:
        """Drop the last property of a node when no value followed its name."""
        if node and not node[-1][1]:
            self.note("missing_value", f"{node[-1][0]} has no value", where)
            node.pop()

    def _note_stray(self, byte: bytes, where: int) -> None:
        if where != self._stray_until:
            code = "stray_bracket" if byte == b"]" else "stray_text"
            self.note(code, f"{byte.decode('latin-1')!r} stands where a property should", where)
        self._stray_until = where + 1

"""Written games read back; broken files never break a reader; both readers agree."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mariago.board.points import BLACK, WHITE
from mariago.errors import RulesError
from mariago.rules import RULE_SETS, Game, Player, Position, Result
from mariago.sgf import (
    parse_collection,
    read_games,
    scan_files,
    write_collection,
    write_game,
    write_numbers,
)
from mariago.sgf import scan_kernels as scan
from mariago.sgf.grammar import GameTree, escaped, unescaped
from mariago.sgf.names import one_line

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).map(
    lambda text: one_line("PB", text)
)
RESULTS = st.one_of(
    st.sampled_from([Result.unknown(), Result.void(), Result.by_score(0), Result.by_time(WHITE)]),
    st.integers(-722, 722).map(lambda halves: Result.by_score(halves / 2)),
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    rows, columns = draw(st.integers(1, 25)), draw(st.integers(1, 25))
    start = Position.empty(
        (rows, columns),
        draw(st.sampled_from(sorted(RULE_SETS))),
        draw(st.integers(-2 * rows * columns, 2 * rows * columns)) / 2,
        handicap=draw(st.sampled_from([0, 2, 3, 5, 9])),  # one stone is none
    )
    game = Game(start.with_to_move(draw(st.sampled_from([BLACK, WHITE]))))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    for _ in range(draw(st.integers(0, 30))):
        if rng.random() < 0.1:
            points = rng.integers(0, rows * columns, 3)
            try:
                game.set_up({int(p): (int(rng.integers(3)), int(p)) for p in points}.values())
            except RulesError:
                continue
        color = game.position.to_move if rng.random() < 0.9 else int(rng.integers(1, 3))
        legal = game.position.with_to_move(color).legal_moves()
        game.result = Result.unknown()
        if game.position.is_over:
            break
        game.play(int(rng.choice(legal)), color)
    game.players = {c: Player(draw(TEXTS), draw(TEXTS)) for c in (BLACK, WHITE)}
    most = 2 * rows * columns  # points; more cannot be and reads as no score
    game.result = draw(RESULTS.filter(lambda result: (result.score or 0) <= most))
    game.properties = {"GN": draw(TEXTS), "EV": draw(TEXTS)}
    return game


@given(games())
@settings(max_examples=60, deadline=None)
def test_a_written_game_reads_back_as_the_same_game(game: Game) -> None:
    written = write_game(game)
    [read] = read_games(written)
    assert read.problems == []
    same = read.to_game()
    assert same.moves == game.moves
    assert same.start.stones.tolist() == game.start.stones.tolist()
    assert same.position.stones.tolist() == game.position.stones.tolist()
    assert (same.start.rules, same.start.komi) == (game.start.rules, game.start.komi)
    assert same.start.handicap == game.start.handicap
    assert same.players == game.players
    assert same.result == game.result
    assert same.properties.get("GN", "") == game.properties["GN"]
    if not game.moves:
        assert same.start.to_move == game.start.to_move
    assert write_game(same) == written


@given(st.text(max_size=40))
def test_any_text_survives_escaping(text: str) -> None:
    clean = text.encode("utf-8", "replace").decode("utf-8")
    assert unescaped(escaped(text)) == clean
    [tree] = parse_collection(b"(;C[" + escaped(text) + b"])").trees
    assert tree.text(0, "C") == clean


@st.composite
def trees(draw: st.DrawFn) -> GameTree:
    """A random tree; parents are drawn so that the flat order stays that of a file."""
    tree = GameTree()
    path: list[int] = []
    for node in range(draw(st.integers(1, 25))):
        if path:
            path = path[: draw(st.integers(1, len(path)))]
        tree.parents.append(path[-1] if path else -1)
        path.append(node)
        names = draw(st.lists(st.sampled_from(["B", "W", "C", "LB", "XYZ"]), max_size=3))
        texts = st.lists(TEXTS.map(escaped), min_size=1, max_size=3)
        tree.nodes.append([(name, draw(texts)) for name in dict.fromkeys(names)])
        tree.offsets.append(node)
    return tree


@given(st.lists(trees(), max_size=3))
@settings(max_examples=100, deadline=None)
def test_a_written_collection_reads_back_and_does_not_grow(collection: list[GameTree]) -> None:
    written = write_collection(collection)
    read = parse_collection(written)
    assert [tree.parents for tree in read.trees] == [tree.parents for tree in collection]
    for tree, original in zip(read.trees, collection, strict=True):
        for node in range(len(original.nodes)):
            for name, _ in original.nodes[node]:
                assert tree.values(node, name) == original.values(node, name)
    assert write_collection(read) == written


PIECES = [
    *("(;", ")", "(", ";", "[", "]", "\\", "\\]", " ", "\n", "B[dd]", "W[pp]", "W[]", "B[tt]"),
    *("AB[aa][bb]", "AW[cc]", "AE[aa]", "SZ[19]", "SZ[9]", "SZ[9:13]", "GM[1]", "GM[2]", "C[x]"),
    *(
        "HA[2]",
        "KM[6.5]",
        "KM[375]",
        "KM[0]",
        "KM[1e9]",
        "RE[B+1_0]",
        "GM[³]",
        "RE[B+R]",
        "AP[foxwq]",
        "PL[W]",
        "White[aa]",
        "B",
    ),
    *("[aa]", "AB[aa:cc]", "B[zz]", "KGSDE[aa]", "PB[秀策]", "CA[UTF-8]", "CA[GB2312]", "x", "Ä"),
]
MESSES = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map(
        lambda parts: ("(;B[dd]" + "".join(parts) + ")").encode()
    ),
    st.lists(st.sampled_from(PIECES), max_size=20).map(lambda parts: "".join(parts).encode()),
    st.lists(
        st.sampled_from([*(piece.encode() for piece in PIECES), b"\x83\\", b"\xb9\xc5", b"\xe4"]),
        max_size=20,
    ).map(lambda parts: b"(;" + b"".join(parts) + b")"),
    st.binary(max_size=60),
)


@given(MESSES)
@settings(max_examples=1500, deadline=None)
def test_no_file_breaks_a_reader_and_both_readers_agree(data: bytes) -> None:
    found = read_games(data)
    assert found
    batch = scan_files([data])
    if batch.codes[0] == scan.OK:
        assert [batch.game(0)] == found
        assert found[0].refusal is None
    for game in found:
        if max(game.size) <= 52:
            written = write_numbers(game)
            [again] = read_games(written)
            assert write_numbers(again) == written
            assert again.moves == game.moves
    written = write_collection(parse_collection(data))
    assert write_collection(parse_collection(written)) == written

"""Openings from files, dealt by a seed, and openings that a net finds balanced."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from mariago.arena import opening_balance
from mariago.arena.opening_balance import BalancedOpenings
from mariago.arena.opening_deal import with_openings
from mariago.arena.opening_pool import Pool, dealt_openings, read_pool
from mariago.arena.opening_terms import terms_of_text
from mariago.arena.schedule import colored, plan_games, start_position
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.start import Opening, Start, hash_of_openings
from mariago.arena.symmetry import board_key, game_key
from mariago.board.points import BLACK, WHITE, Size, vertex_to_move
from mariago.errors import BadInputError, MatchError
from mariago.rules import Position

NINE = Size(9, 9)


def make(**others: object) -> MatchSettings:
    values: dict[str, object] = {"player_a": "random", "player_b": "random", "size": 9, **others}
    return settings_of(**values)  # pyright: ignore


def points(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(vertex_to_move(one, NINE)) for one in text.split()))


def moves(text: str) -> tuple[int, ...]:
    return tuple(int(vertex_to_move(one, NINE)) for one in text.split())


def read(folder: Path, *, limit: int | None = None, **texts: str) -> Pool:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.sgf").write_text(text)
    return read_pool(str(folder), NINE, "chinese", limit)


# SGF: point dd is D6, pp is off a 9x9 board.
READ = {
    "stones, PL": (
        "(;SZ[9]AB[dd]AW[ff]PL[B])",
        Start(BLACK, points("D6"), points("F4")),
        "",
        BLACK,
    ),
    "PL[W]": ("(;SZ[9]AB[dd]AW[ff]PL[W])", Start(WHITE, points("D6"), points("F4")), "", WHITE),
    "no PL": ("(;SZ[9]AB[dd]AW[ff])", Start(BLACK, points("D6"), points("F4")), "", BLACK),
    "handicap": ("(;SZ[9]HA[2]AB[dd][ff])", Start(WHITE, points("D6 F4"), ()), "", WHITE),
    "handicap, PL goes before": (
        "(;SZ[9]HA[2]AB[dd][ff]PL[B])",
        Start(BLACK, points("D6 F4"), ()),
        "",
        BLACK,
    ),
    "moves alone": ("(;SZ[9];B[dd];W[ff];B[cc])", None, "D6 F4 C7", WHITE),
    "stones and moves": (
        "(;SZ[9]AB[dd]PL[W];W[ff];B[cc])",
        Start(WHITE, points("D6"), ()),
        "F4 C7",
        WHITE,
    ),
    "White moves first": ("(;SZ[9];W[ff];B[cc])", Start(WHITE, (), ()), "F4 C7", WHITE),
    "the main line, not its variation": (
        "(;SZ[9];B[dd](;W[ff];B[cc])(;W[ee]))",
        None,
        "D6 F4 C7",
        WHITE,
    ),
    "one side twice becomes a board": (
        "(;SZ[9];B[dd];B[ff])",
        Start(WHITE, points("D6 F4"), ()),
        "",
        WHITE,
    ),
    "stones put up midway become a board": (
        "(;SZ[9];B[dd];AW[ff];W[cc])",
        Start(BLACK, points("D6"), points("F4 C7")),
        "",
        BLACK,
    ),
    "PL behind the moves": (
        "(;SZ[9];B[dd];W[ff];PL[W])",
        Start(WHITE, points("D6"), points("F4")),
        "",
        WHITE,
    ),
    "a stone that was taken is gone": (
        "(;SZ[9]AW[aa]AB[ab];B[ba];B[ff])",
        Start(WHITE, points("A8 B9 F4"), ()),
        "",
        WHITE,
    ),
}


@pytest.mark.parametrize("name", READ)
def test_the_end_of_the_main_line_is_the_start(tmp_path: Path, name: str) -> None:
    text, start, line, to_move = READ[name]
    (opening,) = read(tmp_path / "o", one=text).openings
    assert (opening.start, opening.moves) == (start, moves(line))
    settings = make()
    position = start_position(settings, opening.start)
    for color, move in colored(settings, opening.moves, opening.start):
        assert position.to_move == color
        position = position.play(move)
    assert position.to_move == to_move
    assert start_position(settings, opening.start).komi == 7.5


UNUSABLE = {
    "occupied": ("(;SZ[9];B[dd];W[dd])", "occupied"),
    "no liberty": ("(;SZ[9]AB[ab][ba]AW[aa])", "liberty"),
    "two passes": ("(;SZ[9];B[dd];W[];B[])", "over at its end"),
    "as long as the games": ("(;SZ[9];B[dd];W[ff];B[cc];W[gg])", "4 moves"),
    "no game": ("hello", "unreadable"),
    "cut off": ("(;SZ[9];B[dd];W[f", "unreadable"),
}


def test_unusable_ones_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    texts = {f"bad{i}": text for i, (text, _) in enumerate(UNUSABLE.values())}
    pool = read(tmp_path / "o", limit=4, good="(;SZ[9]AB[dd])", large="(;SZ[19]AB[dd])", **texts)
    assert (len(pool.openings), pool.other_boards, pool.equal) == (1, 1, 0)
    for i, (_, said) in enumerate(UNUSABLE.values()):
        (told,) = [text for text in pool.unusable if f"bad{i}.sgf" in text]
        assert said in told
    assert len(pool.unusable) == len(UNUSABLE)


def test_equal_positions_count_once_turned_or_mirrored_but_not_with_colours_changed(
    tmp_path: Path,
) -> None:
    same = {
        "a": "(;SZ[9]AB[dd]AW[fe]PL[B])",
        "mirrored": "(;SZ[9]AB[fd]AW[de]PL[B])",
        "turned": "(;SZ[9]AB[ff]AW[de]PL[B])",
        "by_moves": "(;SZ[9];B[dd];W[fe])",
    }
    other = {"turn": "(;SZ[9]AB[dd]AW[fe]PL[W])", "colours": "(;SZ[9]AW[dd]AB[fe]PL[W])"}
    pool = read(tmp_path / "o", **same, **other)
    assert (len(pool.openings), pool.equal) == (3, 3)


def test_a_hash_hangs_on_the_openings_not_on_their_files(tmp_path: Path) -> None:
    one = read(tmp_path / "one", a="(;SZ[9]AB[dd])", b="(;SZ[9]AB[ee])")
    other = read(tmp_path / "other", x="(;SZ[9]AB[ee])", y="(;SZ[9]AB[dd])")
    third = read(tmp_path / "third", x="(;SZ[9]AB[ee])", y="(;SZ[9]AB[dc])")
    assert one.sha256 == other.sha256 != third.sha256
    assert dealt_openings(one, 2, 5, repeat=False)[0].start == (
        dealt_openings(other, 2, 5, repeat=False)[0].start
    )


def test_a_file_with_several_games_and_archives_are_folders_too(tmp_path: Path) -> None:
    texts = {"a.sgf": "(;SZ[9]AB[dd])(;SZ[9]AB[ee])(;SZ[9]AB[zz];B[ee];W[ee])", "b.sgf": "(;SZ[9])"}
    (tmp_path / "one.sgf").write_text(texts["a.sgf"])
    with zipfile.ZipFile(tmp_path / "o.zip", "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    with tarfile.open(tmp_path / "o.tar.gz", "w:gz") as archive:
        for name, text in texts.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    for name, found in (("one.sgf", 2), ("o.zip", 3), ("o.tar.gz", 3)):
        pool = read_pool(str(tmp_path / name), NINE, "chinese", None)
        assert len(pool.openings) == found
        assert [text.split(":")[0][-2:] for text in pool.unusable] == ["#3"]


def test_nothing_to_be_had_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="no opening for a 9x9 board: 1 for other boards, 0 that"):
        read(tmp_path / "o", a="(;SZ[13]AB[dd])")
    with pytest.raises(BadInputError, match="nowhere"):
        read_pool(str(tmp_path / "nowhere"), NINE, "chinese", None)


def test_openings_are_dealt_by_the_seed_and_more_keep_the_first_ones(tmp_path: Path) -> None:
    texts = {f"o{i}": f"(;SZ[9]AB[{'abcdefghi'[i]}a])" for i in range(5)}
    texts |= {f"p{i}": f"(;SZ[9]AB[{'bcdefgh'[i]}b])" for i in range(4)}
    pool = read(tmp_path / "o", **texts)
    there = len(pool.openings)
    all_of_them = dealt_openings(pool, there, 1, repeat=False)
    assert len(set(all_of_them)) == there
    assert dealt_openings(pool, 3, 1, repeat=False) == all_of_them[:3]
    assert dealt_openings(pool, there, 2, repeat=False) != all_of_them
    again = dealt_openings(pool, 2 * there + 1, 1, repeat=True)
    assert again[:there] == all_of_them
    assert set(again[there : 2 * there]) == set(all_of_them)
    with pytest.raises(MatchError, match=rf"{there} distinct openings are enough for {2 * there} "):
        dealt_openings(pool, there + 1, 1, repeat=False)


def test_gogui_s_openings_are_read_whole(peer_data: Path) -> None:
    place = str(peer_data / "records" / "openings_gogui.tar.gz")
    for size, files, distinct in ((9, 150, 118), (19, 112, 108)):
        pool = read_pool(place, Size(size, size), "chinese", None)
        assert len(pool.openings) == distinct
        assert len(pool.openings) + pool.equal == files
        assert pool.other_boards == 262 - files
        assert not pool.unusable


GOLDEN = [  # the plans of the version before there was another source
    ({"size": 9, "seed": 7}, "43a787287e570161"),
    ({"size": 19, "seed": 1}, "70a1f88b45b6bcd5"),
    ({"size": 9, "seed": 3, "handicap": 4}, "687a9328f3fff93c"),
    ({"size": 13, "seed": 2, "opening_moves": 7}, "dfc62caf108ce02d"),
]


@pytest.mark.parametrize(("values", "digits"), GOLDEN)
def test_random_openings_are_what_they_were(values: dict[str, object], digits: str) -> None:
    plan = plan_games(with_openings(make(games=20, **values), "random"))
    told = [[p.number, p.black, list(p.opening), p.seed_a, p.seed_b] for p in plan]
    assert hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16] == digits


REFUSED = [
    ("balanced,within=0.6", {}, "within"),
    ("balanced,depth=3", {}, "depth"),
    ("balanced,within", {}, "within"),
    ("balanced", {"judge": "heuristic"}, "has no net to judge by"),
    ("balanced", {"opening_moves": 0}, "at least one"),
    ("balanced", {"move_limit": 8}, "as long as the move limit"),
    ("balanced", {"repeat": True}, "nothing to repeat"),
    ("random", {"judge": "net"}, "are not judged"),
    ("@", {"handicap": 2}, "leave --handicap out"),
    ("@", {"opening_moves": 2}, "--opening-moves"),
    ("@", {"judge": "net"}, "are not judged"),
]


@pytest.mark.parametrize(("text", "values", "said"), REFUSED)
def test_terms_that_openings_cannot_have(
    tmp_path: Path, text: str, values: dict[str, object], said: str
) -> None:
    read(tmp_path / "o", a="(;SZ[9]AB[dd])")
    own = {name: values.pop(name) for name in ("judge", "repeat") if name in dict(values)}
    with pytest.raises(MatchError, match=said):
        with_openings(make(**values), text.replace("@", str(tmp_path / "o")), **own)  # pyright: ignore


def test_words_of_balanced_openings() -> None:
    terms = terms_of_text("balanced,within=0.05,temperature=0.8")
    assert terms is not None
    assert (terms.within, terms.temperature, terms.judge) == (0.05, 0.8, "net")
    assert terms_of_text("random") is None


def test_keys_of_games_hold_start_and_moves_together() -> None:
    board = Start(BLACK, points("D6"), points("F4")).board(NINE)
    key = game_key(board, moves("C7 G3"))
    assert key == game_key(board[:, ::-1], moves("G7 C3"))
    assert key != game_key(board[:, ::-1], moves("C7 G3"))
    assert key != game_key(board * 0, moves("C7 G3"))


def balanced(**others: object) -> BalancedOpenings:
    return BalancedOpenings(with_openings(make(seed=4, **others), "balanced"))


def test_balanced_openings_are_balanced_legal_and_different() -> None:
    drawn = balanced(opening_moves=4)
    found = drawn.first(4)
    drawn.close()
    keys: set[bytes] = set()
    for opening in found:
        position = Position.empty(9)
        for move in opening.moves:
            position = position.play(move)
        assert len(opening.moves) == 4
        assert NINE.cells not in opening.moves
        assert opening.black_wins is not None
        assert 0.4 <= opening.black_wins <= 0.6
        keys.add(board_key(position.stones, position.to_move))
    assert len(keys) == 4
    tries = [opening.tried for opening in found]
    assert tries == sorted(set(tries))
    # Fewer, or the rest behind those that are known, are the same ones.
    fewer = balanced(opening_moves=4)
    assert fewer.first(2) == found[:2]
    fewer.close()
    rest = BalancedOpenings(drawn.settings, found[:1])
    assert rest.first(4) == found
    rest.close()


def test_a_komi_at_which_nothing_is_balanced_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening_balance, "MOST_IN_VAIN", 32)
    drawn = balanced(opening_moves=2, komi=40.0)
    with pytest.raises(MatchError, match=r"none was new and balanced: Black's chance at komi 40"):
        drawn.first(1)
    drawn.close()


def test_openings_have_one_hash_for_one_order() -> None:
    one, other = Opening((1, 2)), Opening((3,), Start(WHITE, (4,), ()))
    assert hash_of_openings([one, other]) != hash_of_openings([other, one])
    assert Start.from_list(Start(WHITE, (4,), (5,)).as_list()) == Start(WHITE, (4,), (5,))

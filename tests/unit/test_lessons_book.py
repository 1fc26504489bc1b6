"""The book: games are learnt from once, taken back whole, and files that are no book refused."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE
from mariago.errors import LessonError
from mariago.lessons import Book, Lesson, PlayedGame, Teaching, table_of, teaching_of
from mariago.rules import Position

START = Position.empty(9, "chinese", 7.5)


def game(number: int = 0, **others: object) -> PlayedGame:
    values = {
        "start": START,
        "moves": ((BLACK, 40), (WHITE, 41), (BLACK, 31)),
        "winner": BLACK,
        "black": "heuristic",
        "white": "net:a",
        "match": "/runs/one",
        "match_key": "one",
        "number": number,
    }
    return PlayedGame(**{**values, **others})  # pyright: ignore


def lesson(pattern: int, weight: float = 2.0, color: int = BLACK, **others: object) -> Lesson:
    values = {
        "kind": "capture",
        "move_number": 1 if color == BLACK else 2,
        "move": 40 if color == BLACK else 41,
        "color": color,
        "to": 3 - color,
        "points": 3,
        "weight": weight,
        "pattern": pattern,
        "position": 2**64 - 7,
    }
    return Lesson(**{**values, **others})  # pyright: ignore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a book #1.db"


def filled(path: Path) -> Book:
    book = Book.open(path, write=True)
    book.add(game(0), [lesson(5), lesson(2**64 - 1), lesson(5, 1.0, WHITE)])
    book.add(game(1), [lesson(5)])
    book.add(game(0, match="/runs/two", match_key="two"), [lesson(9, 1.0, WHITE)])
    return book


def test_a_game_is_learnt_from_once(path: Path) -> None:
    with Book.open(path, write=True) as book:
        assert book.add(game(), [lesson(5), lesson(6)]) == 2
        assert book.add(game(), [lesson(5), lesson(6)]) is None
        assert book.add(game(1), []) == 0
        assert (book.game_count(), len(list(book.lessons()))) == (2, 2)
    with Book.open(path, write=True) as book:
        assert book.add(game(), [lesson(5)]) is None


def test_the_same_moves_in_another_match_are_another_game(path: Path) -> None:
    with filled(path) as book:
        assert book.game_count() == 3
        assert book.sides() == ["heuristic", "net:a"]


def test_a_lesson_says_where_it_is_from(path: Path) -> None:
    with filled(path) as book:
        known = list(book.lessons(pattern=2**64 - 1))
    assert [
        (k.giver, k.receiver, k.match, k.number, k.move_number, k.game, k.position) for k in known
    ] == [("heuristic", "net:a", "/runs/one", 0, 1, 1, 2**64 - 7)]


def test_tables_hold_what_was_handed_to_a_side(path: Path) -> None:
    with filled(path) as book:
        to_net, to_rules, everything = book.table("net:a"), book.table("heuristic"), book.table()
    assert dict(zip(to_net.keys.tolist(), to_net.counts.tolist(), strict=True)) == {
        5: 4.0,
        2**64 - 1: 2.0,
    }
    assert to_rules.keys.tolist() == [5, 9]
    assert everything.counts.sum() == 8
    assert to_net.digest != to_rules.digest


def test_a_shuffled_table_has_the_same_keys_and_the_same_counts(path: Path) -> None:
    table = table_of((key, float(key)) for key in range(1, 40))
    other = table.shuffled(3)
    assert np.array_equal(other.keys, table.keys)
    assert sorted(other.counts) == sorted(table.counts)
    assert not np.array_equal(other.counts, table.counts)
    assert other.digest == table.shuffled(3).digest != table.shuffled(4).digest


def test_taking_back_takes_a_game_with_all_its_lessons(path: Path) -> None:
    with filled(path) as book:
        assert book.undo(game=1) == (1, 3)
        assert book.undo(match="/runs/two") == (1, 1)
        assert [k.game for k in book.lessons()] == [2]
        assert book.undo(since="2000-01-01") == (1, 1)
        assert book.game_count() == 0
        with pytest.raises(LessonError, match="no such game") as refused:
            book.undo(since="2000-01-01")
        assert f"mariago lessons export {path} --out FILE.csv" in str(refused.value.hint)
        with pytest.raises(LessonError, match="nothing is named"):
            book.undo()
        assert book.add(game(0), [lesson(5)]) == 1, "what was taken back can be learnt again"


def test_a_reset_book_is_empty_and_keeps_its_teaching(path: Path) -> None:
    own = Teaching(to="own", winner_weight=1)
    with Book.open(path, write=True, teaching=own) as book:
        book.add(game(), [lesson(1)])
        assert book.reset() == (1, 1)
        assert book.teaching == own
        assert len(book.table()) == 0


def test_one_book_has_one_way_of_teaching(path: Path) -> None:
    Book.open(path, write=True, teaching=Teaching()).close()
    with pytest.raises(LessonError, match="is taught by"):
        Book.open(path, write=True, teaching=Teaching(to="own"))


def test_games_come_back_as_they_were_played(path: Path) -> None:
    start = Position.from_diagram(". X .\n. . .\nO . .", to_move=2, rules="japanese", komi=0.5)
    played = game(4, start=start, moves=((WHITE, 4), (BLACK, 8)), opening=1, played="2025-01-31")
    with Book.open(path, write=True) as book:
        book.add(played, [])
        back = book.game(1)
    assert back.start == start
    assert replace(back, start=start) == played
    assert back.key == played.key


def test_a_book_that_is_only_read_is_not_written(path: Path) -> None:
    filled(path).close()
    before = path.read_bytes()
    with Book.open(path) as book:
        assert book.game_count() == 3
        with pytest.raises(LessonError, match="may not be written to"):
            book.add(game(7), [])
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path], "no log is left behind"


def read_all(path: Path) -> None:
    with Book.open(path) as book:
        book.table()
        list(book.games())
        assert book.teaching


def broken(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE book SET format = 2", "has format 2, not 1"),
        ("UPDATE book SET format = 'x'", "has format 'x', not 1"),
        ("DELETE FROM book", "its tables are not those of a book"),
        ("DROP TABLE lesson", "its tables are not those of a book"),
        ("ALTER TABLE lesson DROP COLUMN weight", "lesson lacks columns"),
        ("DROP TABLE book", "no book of lessons"),
    ],
)
def test_an_edited_book_is_refused(path: Path, statement: str, said: str, write: bool) -> None:
    filled(path).close()
    broken(path, statement)
    with pytest.raises(LessonError, match=said) as error:
        Book.open(path, write=write)
    assert error.value.hint
    assert "\n" not in str(error.value)


def test_a_later_version_says_what_to_do(path: Path) -> None:
    filled(path).close()
    broken(path, "UPDATE book SET format = 99")
    with pytest.raises(LessonError) as error:
        Book.open(path)
    assert error.value.hint == "install the version that made it"


@pytest.mark.parametrize("write", [False, True])
def test_what_is_no_book_is_refused_and_stays(tmp_path: Path, write: bool) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("lessons of yesterday")
    broken(other, "CREATE TABLE things (x)")
    kept = text.read_bytes(), other.read_bytes()
    for path, said in ((text, "no book"), (other, "no book"), (tmp_path, "is a folder")):
        with pytest.raises(LessonError, match=said):
            Book.open(path, write=write)
    assert (text.read_bytes(), other.read_bytes()) == kept


def test_a_book_that_is_not_there_is_made_only_for_writing(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="there is no book"):
        Book.open(tmp_path / "none.db")
    with pytest.raises(LessonError, match="its folder is not there"):
        Book.open(tmp_path / "no folder" / "none.db", write=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", [20, 100, 5000])
def test_a_truncated_book_is_refused_in_one_line(path: Path, kept: int) -> None:
    filled(path).close()
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(LessonError, match=r"damaged|cannot be used") as error:
        read_all(path)
    assert error.value.hint


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE game SET start = '{}'",
        "UPDATE game SET moves = 'x'",
        "UPDATE game SET moves = '[1, 2]'",
        "UPDATE book SET teaching = '{}x'",
        'UPDATE book SET teaching = \'{"to": "nobody"}\'',
    ],
)
def test_damaged_values_are_told_in_one_line(path: Path, statement: str) -> None:
    filled(path).close()
    broken(path, statement)
    with pytest.raises(LessonError, match="damaged"):
        read_all(path)


def test_a_read_only_copy_without_its_log_can_be_read(path: Path, tmp_path: Path) -> None:
    filled(path).close()
    folder = tmp_path / "kept"
    folder.mkdir()
    copy = Path(shutil.copy(path, folder / "copy.db"))
    folder.chmod(0o555)
    try:
        with Book.open(copy) as book:
            assert book.game_count() == 3
    finally:
        folder.chmod(0o755)


def test_a_book_that_could_not_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    place = tmp_path / "book"
    with monkeypatch.context() as patch:
        patch.setattr("mariago.lessons.book.make_tables", full)
        with pytest.raises(LessonError, match="disk is full"):
            Book.open(place, write=True)
        assert list(tmp_path.iterdir()) == []

        def made_by_another(connection: object, _: object) -> None:
            connection.exec_driver_sql("CREATE TABLE theirs (x)")  # pyright: ignore
            connection.commit()  # pyright: ignore
            full()

        patch.setattr("mariago.lessons.book.make_tables", made_by_another)
        with pytest.raises(LessonError, match="disk is full"):
            Book.open(place, write=True)
        assert place.stat().st_size > 0
    place.unlink()
    Book.open(place, write=True).close()
    whole = place.read_bytes()
    with pytest.raises(LessonError, match="is taught by"):
        Book.open(place, write=True, teaching=teaching_of(to="own", winner_weight=3.0))
    assert place.read_bytes() == whole

"""The list of games on a page: how games travel in it, and that nothing in it can act."""

import base64
import hashlib
import json
import re

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE, Size
from mariago.errors import BadInputError
from mariago.reports import (
    BrowsedGame,
    BrowserColumn,
    GameBrowser,
    PlayedSteps,
    Section,
    page,
)

HOSTILE = "</script><script>alert('x')</script>\"&柯洁\x07"
SIZE = Size(2, 3)  # two rows, three columns
# Black takes the white stone at 1 with his second move; White passes; a white stone is set up.
GAME = PlayedSteps(
    SIZE,
    [(1, WHITE)],
    [
        (BLACK, 0, [(0, BLACK)]),
        (WHITE, 6, []),
        (BLACK, 2, [(2, BLACK), (1, 0)]),
        (WHITE, 5, [(4, WHITE), (5, WHITE)]),
    ],
    [-1, 0, 1, 31],
)


def decoded(coded: dict) -> list[list[int]]:
    """Return the board after every step, read as docstrings and the page's script say."""
    columns, rows = (int(side) for side in coded["s"].split("x"))
    board = np.zeros(rows * columns, int)
    start = coded.get("b", [])
    board[start[::2]] = start[1::2]
    boards = [board.tolist()]
    for k, pair in enumerate(re.findall("..", coded["m"])):
        color = BLACK if pair == pair.lower() else WHITE
        if pair.lower() != "zz":
            column, row = (ord(letter) - 97 for letter in pair.lower())
            board[row * columns + column] = color
        more = coded.get("x", {}).get(str(k), [])
        for point, stone in zip(more[::2], more[1::2], strict=True):
            board[point] = stone
        boards.append(board.tolist())
    return boards


def browser(*games: BrowsedGame) -> GameBrowser:
    columns = [BrowserColumn("Game", "number"), BrowserColumn("Black", has_choices=True)]
    return GameBrowser(columns, games, ["File"], ["takes"], notable=1, unmarked="no sample")


def test_a_game_travels_as_letters_and_what_else_changes() -> None:
    coded = GAME.coded()
    assert coded["m"] == "aaZZcaCB"
    assert coded["f"] == ".01O"
    assert decoded(coded) == [
        [0, 2, 0, 0, 0, 0],
        [1, 2, 0, 0, 0, 0],
        [1, 2, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 0, 1, 0, 2, 2],
    ]


def test_a_move_whose_stone_is_gone_at_the_next_step_leaves_its_point_empty() -> None:
    # As between two samples of a game whose moves in between are not known.
    steps = PlayedSteps(SIZE, [], [(BLACK, 0, [(3, WHITE)])], numbers=[17])
    assert decoded(steps.coded())[-1] == [0, 0, 0, 2, 0, 0]
    assert steps.coded()["n"] == [17]


def test_steps_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadInputError, match="1 marks, 0 steps"):
        PlayedSteps(SIZE, [], [], [0])
    with pytest.raises(BadInputError, match="off the board"):
        PlayedSteps(SIZE, [], [(BLACK, 7, [])])


def test_games_that_do_not_fit_the_list_are_refused() -> None:
    for games in ([BrowsedGame(1, [1])], [BrowsedGame(1, [1, "a"]), BrowsedGame(1, [2, "b"])]):
        with pytest.raises(BadInputError, match="do not fit"):
            browser(*games)


def test_names_in_the_list_cannot_leave_their_place() -> None:
    listed = browser(BrowsedGame(3, [3, HOSTILE], [HOSTILE], GAME))
    html = page("Games", [Section("Games", listed)])
    assert "alert('x')</script>" not in html
    held = re.findall(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)
    (game,) = json.loads(held[0])["games"]
    assert game[1] == [3, HOSTILE.replace("\x07", "\ufffd")]
    assert html.count("<template data-size") == 1


def test_the_pages_script_is_the_one_that_its_policy_allows() -> None:
    for section in (Section("Games", browser(BrowsedGame(1, [1, "a"], [], GAME))), Section("None")):
        html = page("Games", [section])
        (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"script-src 'sha256-{digest}'" in html
    assert "function Browser(" not in script  # the page without a list has no need of it


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_words_of_the_list_are_translated(lang: str) -> None:
    listed = browser(BrowsedGame(1, [1, "a"], [], GAME))
    html = page("", [Section("", listed)], lang)
    for english in ("Search", "Next game", "More games", "tactical move", "Without scripts"):
        assert english not in html

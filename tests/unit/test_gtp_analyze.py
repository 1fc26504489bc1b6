"""Analysis over GTP: the lines that boards read, and when they end."""

from __future__ import annotations

import io
import os
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.reference.gtp_scripts import session_of, texts_of

from mariago.board.points import BLACK, WHITE
from mariago.gtp import Session, serve
from mariago.gtp.analysis_lines import Wish, kata_line, lz_line, wish_of
from mariago.gtp.analyze_commands import COMMANDS
from mariago.gtp.lines import Lines
from mariago.nets.inference import Evaluation
from mariago.players.net_ownership import has_learnt_ownership
from mariago.players.net_player import NetOptions, NetPlayer
from mariago.players.search_player import SearchOptions, SearchPlayer
from mariago.rules import Game, Position
from mariago.scoring import dead_stones, score_area
from mariago.search import MoveFound, SearchResult

NUMBER = r"-?[0-9]+\.[0-9]+"
VERTEX = r"(?:[A-HJ-T][0-9]{1,2}|pass)"
KATA_MOVE = (
    rf"info move {VERTEX} visits [0-9]+ utility {NUMBER} winrate {NUMBER} scoreMean {NUMBER} "
    rf"scoreLead {NUMBER} prior {NUMBER} lcb {NUMBER} utilityLcb {NUMBER} order [0-9]+ "
    rf"pv(?: {VERTEX})+"
)
LZ_MOVE = (
    rf"info move {VERTEX} visits [0-9]+ winrate [0-9]+ prior [0-9]+ lcb [0-9]+ order [0-9]+ "
    rf"pv(?: {VERTEX})+"
)


class Corners:
    """A net that likes the first points of the board, and gives its upper half to Black."""

    info = None

    def evaluate(
        self, planes: np.ndarray, global_inputs: np.ndarray, legal: np.ndarray | None = None
    ) -> Evaluation:
        count, _, rows, columns = planes.shape
        policy = np.tile(1.0 / np.arange(2, rows * columns + 3), (count, 1))
        if legal is not None:
            policy = policy * legal
        sign = np.where(global_inputs[:, 5] < 0, 1.0, -1.0)  # komi is minus for Black
        owned = np.ones((count, rows, columns)) * sign[:, None, None]
        owned[:, (rows + 1) // 2 :] *= -1
        outcome = np.stack([0.5 + 0.2 * sign, 0.4 - 0.2 * sign, np.full(count, 0.1)], axis=1)
        policy = policy / policy.sum(axis=1, keepdims=True)
        return Evaluation(policy, outcome[:, 0] - outcome[:, 1], outcome, 3 * sign, owned)


def searching(size: int | str = 5, **keys: object) -> Session:
    options = SearchOptions.model_validate({"visits": 12, **keys})
    player = SearchPlayer("search:corners", Corners(), options)  # type: ignore[arg-type]
    return Session(lambda: player, "searching", size=size)


# -- what is asked for -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("", Wish(WHITE)),
        ("b", Wish(BLACK)),
        ("B 50", Wish(BLACK, 0.5)),
        ("50", Wish(WHITE, 0.5)),
        ("white interval 10", Wish(WHITE, 0.1)),
        ("0", Wish(WHITE, 0.01)),
        ("interval 20 ownership true maxmoves 3", Wish(WHITE, 0.2, 0, 3, ownership=True)),
        ("w 50 minmoves 4 rootInfo TRUE", Wish(WHITE, 0.5, 4, root=True)),
        ("pvVisits true ownership false movesOwnership true", Wish(WHITE, line_visits=True)),
    ],
)
def test_wishes_are_read(text: str, wish: Wish) -> None:
    assert wish_of(text.split(), WHITE) == wish


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("green", "syntax error"),
        ("b 50 maxmoves", "syntax error"),
        ("b 50 maxmoves many", "syntax error"),
        ("b -3", "syntax error"),
        ("interval -3", "syntax error"),
        ("b ownership perhaps", "syntax error"),
        ("b 10 avoid b D4,E4 3", "avoid is not supported"),
        ("allow w C3 1", "allow is not supported"),
    ],
)
def test_other_wishes_fail_their_command(text: str, fault: str) -> None:
    assert texts_of(searching(), f"kata-analyze {text}\nname\n") == [
        f"? {fault}",
        "MariaGO searching",
    ]


# -- lines -----------------------------------------------------------------------------------------


def found_of(to_move: int = BLACK) -> SearchResult:
    position = Position.empty("3x2", "chinese").with_to_move(to_move)
    moves = (
        MoveFound(0, 30, 0.25, 0.5, 2.5, 0.4, 0.1, (0, 5, 6), (30, 7, 1)),
        MoveFound(4, 3, 0.125, -1.0, -3.25, -0.5, -1.75, (4,), (3,)),
        MoveFound(6, 0, 0.0625, 0.0, 0.0, 0.0, -np.inf, (6,), (0,)),
    )
    owned = np.array([[1.0, 0.5, -0.25], [0.0, -1.0, 0.125]])
    zeros = np.zeros(7)
    return SearchResult(position, 0, moves, 34, 34, 34, 0.1, 0.25, 1.5, zeros, zeros, owned)


def test_the_lines_hold_the_figures_of_the_side_to_move() -> None:
    for side in (BLACK, WHITE):
        line = kata_line(found_of(side), Wish(side, ownership=True, root=True))
        assert line == (
            "info move A2 visits 30 utility 0.400000 winrate 0.750000 scoreMean 2.5000 "
            "scoreLead 2.5000 prior 0.250000 lcb 0.600000 utilityLcb 0.100000 order 0 "
            "pv A2 C1 pass "
            "info move B1 visits 3 utility -0.500000 winrate 0.000000 scoreMean -3.2500 "
            "scoreLead -3.2500 prior 0.125000 lcb 0.000000 utilityLcb -1.750000 order 1 pv B1 "
            "rootInfo visits 34 winrate 0.625000 scoreMean 1.5000 scoreLead 1.5000 "
            "ownership 1.0000 0.5000 -0.2500 0.0000 -1.0000 0.1250"
        )
    assert lz_line(found_of(), Wish(BLACK)) == (
        "info move A2 visits 30 winrate 7500 prior 2500 lcb 6000 order 0 pv A2 C1 pass "
        "info move B1 visits 3 winrate 0 prior 1250 lcb 0 order 1 pv B1"
    )


def test_as_many_moves_are_told_as_were_wished_for() -> None:
    assert kata_line(found_of(), Wish(BLACK, most_moves=1)).count("info move") == 1
    assert kata_line(found_of(), Wish(BLACK, least_moves=9)).count("info move") == 3
    assert "pvVisits 30 7 1 info" in lz_line(found_of(), Wish(BLACK, line_visits=True))


# -- sessions --------------------------------------------------------------------------------------


def test_a_player_that_does_not_search_has_one_clear_error() -> None:
    names = ("lz-analyze b 10", "kata-genmove_analyze b", "kata-search_analyze")
    said = texts_of(session_of(size=5), "\n".join(names) + "\nkata-raw-nn 0\n")
    assert (
        said[:3] == ["? this player does not search: analysis needs search:NET as the player"] * 3
    )
    assert said[3] == "? this player has no net: kata-raw-nn needs search:NET or net:NET"


def test_an_analysis_ends_with_the_next_line_and_says_something_before() -> None:
    session = searching()
    out = io.BytesIO()
    serve(session, io.BytesIO(b"3 kata-analyze b 1\n4 name\nlz-analyze\n"), out)
    match = re.fullmatch(
        rf"=3\n((?:{KATA_MOVE} ?)+\n)+\n=4 MariaGO searching\n\n=\n((?:{LZ_MOVE} ?)+\n)+\n",
        out.getvalue().decode(),
    )
    assert match is not None, out.getvalue()


def test_an_analysis_that_is_stopped_at_once_tells_of_moves_with_visits() -> None:
    class Stopped:
        def __init__(self) -> None:
            self.said: list[str] = []

        def begin(self) -> None:
            pass

        def is_interrupted(self) -> bool:
            return True

        def say(self, line: str) -> None:
            self.said.append(line)

    session = searching()
    outlet = Stopped()
    session.outlet = outlet  # type: ignore[assignment]
    assert COMMANDS["kata-analyze"].answer(session, ["b"]) == ""
    assert len(outlet.said) == 1
    visits = [int(number) for number in re.findall(r"visits ([0-9]+)", outlet.said[0])]
    assert visits
    assert min(visits) > 0


@pytest.mark.parametrize("root", ["gumbel=false", "gumbel=true"])
def test_a_move_is_analysed_then_played(root: str) -> None:
    session = searching(gumbel=root == "gumbel=true")
    out = io.BytesIO()
    serve(session, io.BytesIO(b"kata-genmove_analyze b 1 maxmoves 2\nlist_stones b\n"), out)
    text = out.getvalue().decode()
    moves = rf"{KATA_MOVE}(?: {KATA_MOVE})?\n"
    match = re.fullmatch(rf"=\n(?:{moves})+play ({VERTEX})\n\n= ({VERTEX})\n\n", text)
    assert match is not None, text
    assert match[1] == match[2]


def test_a_search_does_not_play_and_genmove_gives_the_same_move() -> None:
    script = "kata-search b\nlist_stones b\nreg_genmove b\n"
    said = texts_of(searching(keep=False), script)
    assert said[1] == ""
    assert said[0] == said[2]
    out = io.BytesIO()
    serve(searching(), io.BytesIO(b"kata-search_analyze b 100\nlist_stones b\n"), out)
    assert re.search(rf"\nplay {VERTEX}\n\n= \n\n$", out.getvalue().decode())


def test_a_search_that_may_be_cancelled_is_by_the_next_line() -> None:
    session = searching(visits=10**6)
    assert texts_of(session, "kata-search_cancellable b\nname\n") == [
        "cancelled",
        "MariaGO searching",
    ]
    out = io.BytesIO()
    serve(session, io.BytesIO(b"kata-search_analyze_cancellable b 100\n\nname\n"), out)
    assert out.getvalue().decode().endswith("play cancelled\n\n= MariaGO searching\n\n")


def test_analysis_and_play_go_on_with_what_the_other_found() -> None:
    session = searching(visits=5)
    serve(session, io.BytesIO(b"genmove b\nkata-analyze w 100\ngenmove w\nundo\n"), io.BytesIO())
    assert len(session.game) == 1
    assert session.player.search.tree is not None  # type: ignore[attr-defined]
    assert not session.player.search.tree.counts[:, 5].any()  # type: ignore[attr-defined]


@pytest.fixture
def pipes() -> Iterator[tuple[io.FileIO, io.BufferedWriter, io.FileIO, io.FileIO]]:
    ends = [os.pipe(), os.pipe()]
    made = (
        os.fdopen(ends[0][0], "rb", buffering=0),
        os.fdopen(ends[0][1], "wb"),
        os.fdopen(ends[1][0], "rb", buffering=0),
        os.fdopen(ends[1][1], "wb", buffering=0),
    )
    yield made  # type: ignore[misc]
    for end in made:
        end.close()


def test_reports_come_while_the_controller_is_silent(pipes: tuple) -> None:
    source, ours, answers, target = pipes
    session = searching()
    server = threading.Thread(target=serve, args=(session, source, target))
    server.start()
    ours.write(b"kata-analyze b 1 ownership true\n")
    ours.flush()
    assert answers.readline() == b"=\n"
    lines = [answers.readline().decode() for _ in range(3)]
    for line in lines:
        moves, _, owned = line.partition(" ownership ")
        assert re.fullmatch(rf"{KATA_MOVE}(?: {KATA_MOVE})*", moves)
        assert [float(word) for word in owned.split()] == [1.0] * 15 + [-1.0] * 10
    visits = [sum(int(n) for n in re.findall(r"visits ([0-9]+)", line)) for line in lines]
    assert visits == sorted(visits)
    ours.write(b"quit\n")
    ours.flush()
    while (line := answers.readline()) != b"\n":
        assert line.startswith(b"info move")
    assert answers.readline() == b"= \n"
    server.join(60)
    assert not server.is_alive()  # though the controller's end is still open


def test_a_controller_that_goes_during_an_analysis_ends_the_session_quietly(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Leaving(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() > 200:
                raise BrokenPipeError
            return super().write(data)

    class Silent(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(size)
            if not line:
                time.sleep(3600)
            return line

    serve(searching(), Silent(b"kata-analyze b 1\n"), Leaving())
    assert capfd.readouterr().err == ""


def test_only_one_line_is_read_ahead() -> None:
    source = io.BytesIO(b"one\ntwo\nthree")
    lines = Lines(source)
    assert lines.next() == b"one\n"
    for _ in range(2):
        deadline = time.monotonic() + 60
        while not lines.has_arrived() and time.monotonic() < deadline:
            time.sleep(0.001)
        assert source.tell() == 8
    assert [lines.next() for _ in range(3)] == [b"two\n", b"three", b""]
    assert lines.has_arrived() in (True, False)
    assert lines.next() == b""


# -- what the net alone says, and whose each point is ----------------------------------------------


def test_the_net_alone_speaks_for_white() -> None:
    said = texts_of(searching("3x2"), "play b A2\nkata-raw-nn 0\nkata-raw-nn all\nkata-raw-nn 8\n")
    lines = said[1].split("\n")
    assert lines[:6] == [
        "symmetry 0",
        "whiteWin 0.300000",
        "whiteLoss 0.600000",
        "noResult 0.100000",
        "whiteLead -3.0000",
        "policy",
    ]
    assert lines[6].split()[0] == "NAN"
    shares = [
        float(word) for row in lines[6:8] for word in row.split()[0 if row[0] != "N" else 1 :]
    ]
    passed = float(lines[8].removeprefix("policyPass "))
    assert sum(shares) + passed == pytest.approx(1, abs=1e-5)
    assert lines[9:] == ["whiteOwnership", "-1.0000 -1.0000 -1.0000", "1.0000 1.0000 1.0000"]
    assert [line for line in said[2].split("\n") if line.startswith("symmetry")] == [
        f"symmetry {turn}" for turn in range(8)
    ]
    assert said[3] == "? syntax error"


class TwoLiberties(Corners):
    """A net that holds chains of two liberties for dead."""

    def evaluate(
        self, planes: np.ndarray, global_inputs: np.ndarray, legal: np.ndarray | None = None
    ) -> Evaluation:
        said = super().evaluate(planes, global_inputs, legal)
        stones = planes[:, 1].astype(float) - planes[:, 2]
        return replace(said, ownership=stones * np.where(planes[:, 4] > 0, -1, 1))


BOARD = """
X X . . O
X X . X O
. . . . .
X . . . O
. . . . .
"""


def test_the_dead_are_those_of_the_players_own_net() -> None:
    position = Position.from_diagram(BOARD, rules="chinese", komi=0.5)
    for name in ("search", "net"):
        session = searching()
        session.begin(Game(position))
        net: Any = TwoLiberties()
        player: Any = (
            SearchPlayer("search", net, SearchOptions())
            if name == "search"
            else NetPlayer("net", net, NetOptions())
        )
        session.player = player
        said = texts_of(session, "final_status_list dead\nfinal_status_list alive\nfinal_score\n")
        assert said[0] == "E5 E4"
        assert said[1].split("\n") == ["A5 B5 A4 B4", "D4", "A2", "E2"]
        dead = np.zeros((5, 5), np.bool_)
        dead[:2, 4] = True
        assert said[2] == str(score_area(position, dead).result)


def test_an_ownership_that_gives_most_stones_away_is_no_guess() -> None:
    position = Position.from_diagram(BOARD, rules="chinese", komi=0.5)
    plain = dead_stones(position)
    wrong = np.where(position.stones == BLACK, -1.0, 1.0)
    assert np.array_equal(dead_stones(position, lambda _: wrong), plain)
    assert np.array_equal(dead_stones(position, lambda _: None), plain)


def test_nets_of_game_records_alone_have_not_learnt_whose_points_are() -> None:
    def described(**fields: object) -> Any:
        return SimpleNamespace(
            info=SimpleNamespace(**{"imported": {}, "training": {}, **fields}),
        )

    taught = {"data": {"teacher": {"name": "b6"}}, "recipe": {"losses": {"ownership": 0.1}}}
    untaught = {"data": {"origin": "KGS"}, "recipe": {"losses": {"ownership": 0.1}}}
    assert has_learnt_ownership(SimpleNamespace(info=None))  # type: ignore[arg-type]
    assert has_learnt_ownership(described(imported={"file": "x.bin.gz"}))
    assert has_learnt_ownership(described(training=taught))
    assert not has_learnt_ownership(described(training=untaught))
    assert not has_learnt_ownership(described())

"""Rating: agreement, losses with their signs, intervals by game, what is kept and resumed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.reference.rated_positions import prepare, small_set

from mariago.arena.rating import figure_players, rate_players, rating_dict, rating_text
from mariago.arena.rating.figures import FEWEST_GAMES, GameDraws
from mariago.arena.rating.log import FILE_NAME
from mariago.arena.rating.outputs import write_outputs
from mariago.arena.rating.packaged import read_set, set_bytes
from mariago.arena.rating.positions import PositionSet, equal_moves, thinned
from mariago.arena.rating.rate import rated_name
from mariago.board.points import BLACK, WHITE
from mariago.errors import BadInputError, PlayerError
from mariago.reports import provenance
from mariago.rules import Position

ORIGIN = provenance("mariago rate", 0)


@pytest.fixture(autouse=True)
def _told() -> None:
    prepare()


def test_the_player_that_plays_the_record_finds_all_of_it(tmp_path: Path) -> None:
    rating = rate_players(["told", "told,does=pass"], small_set(12), tmp_path)
    record, passes = figure_players(rating)
    assert record.whole.record.value == 1
    assert record.whole.teacher.value == 1
    assert record.whole.win_loss.value == 0
    assert record.whole.record.low is not None
    assert record.whole.record.low < 0.8, "twelve games do not prove that it never errs"
    assert passes.whole.record.value == 0
    assert passes.whole.teacher.value == 0
    assert passes.ahead.value == -1
    assert passes.ahead_teacher.value == -1
    assert (passes.whole.illegal_count, passes.whole.faults) == (0, 0)


def test_each_lead_stands_under_the_share_that_it_compares(tmp_path: Path) -> None:
    # The move of the record is the teacher's best in the set; the last place is neither of them.
    rating = rate_players(["told", "told,does=pass"], small_set(12), tmp_path)
    first, passes = figure_players(rating)
    passes = replace(passes, ahead_teacher=replace(passes.ahead_teacher, value=-0.25))
    lines = rating_text(rating, [first, passes]).splitlines()
    named = [line[2:24].strip() for line in lines]
    told = [lines[at] for at, name in enumerate(named) if name == "more than the first"]
    before = [named[at - 1] for at, name in enumerate(named) if name == "more than the first"]
    assert before == ["move of the record", "teacher's best move"]
    assert "-100.0" in told[0]
    assert "-25.0" in told[1]


def test_losses_are_those_written_down_by_hand_for_both_colours(tmp_path: Path) -> None:
    # Pass is the last of 9 moves after one stone (White's turn: 8 places behind), of 8 after two.
    rating = rate_players(["told,does=pass"], small_set(2), tmp_path)
    columns = rating.players[0].columns
    assert columns.lead_loss == pytest.approx([8, 7, 8, 7])
    assert columns.win_loss == pytest.approx([0.8, 0.7, 0.8, 0.7], abs=1e-6)
    assert figure_players(rating)[0].whole.lead_loss.value == pytest.approx(7.5)


def test_a_live_teacher_is_asked_as_the_opponent_and_its_sign_turned(tmp_path: Path) -> None:
    # For Black a stone of his at A3 is worth 0.5 and 5 points, White's at C3 0.25 and 2.5 to White.
    # White to move: best is C3 (2). The record's B3 leaves Black at 0: White loses 2.5 points.
    # Black to move: best is A3 (0). The record's A2 leaves Black at 0: he loses 5 points.
    players = ["told", "told,does=0"]
    rating = rate_players(players, small_set(2), tmp_path, teacher="told,does=teach")
    assert rating.players[0].columns.lead_loss == pytest.approx([2.5, 5, 2.5, 5])
    assert rating.players[0].columns.win_loss == pytest.approx([0.125, 0.25, 0.125, 0.25])
    # The first board is symmetric: A3 is C3 in a mirror. In the second A3 is Black's best itself.
    assert rating.players[1].columns.lead_loss == pytest.approx([0, 0, 0, 0])
    assert rating.players[1].columns.teacher.tolist() == [1, 1, 1, 1]
    assert np.isnan(rating.players[0].columns.first_ten).all(), "it names one move, not ten"


def test_a_second_pass_is_counted_and_not_asked_about(tmp_path: Path) -> None:
    from mariago.arena.rating.judging import outlook_after
    from mariago.players import make_player

    black_wins = Position.from_diagram(". X .\n. X .\n. X .", komi=0.5).play_pass()
    assert black_wins.to_move == WHITE
    found = outlook_after(make_player("told,does=raise"), black_wins, 9)
    assert found is not None
    assert found.value == -1
    assert found.lead == -8.5


@pytest.mark.parametrize(
    ("does", "illegal", "faults", "resigned"),
    [("illegal", 4, 0, 0), ("raise", 0, 4, 0), ("resign", 0, 0, 4)],
)
def test_what_is_no_legal_move_is_counted_and_ends_nothing(
    tmp_path: Path, does: str, illegal: int, faults: int, resigned: int
) -> None:
    rating = rate_players([f"told,does={does}", "told"], small_set(2), tmp_path)
    odd, whole = (one.whole for one in figure_players(rating))
    assert (odd.illegal_count, odd.faults, odd.resigned) == (illegal, faults, resigned)
    assert odd.record.value == 0
    assert odd.losses_of == 0
    assert odd.win_loss.value is None
    assert whole.record.value == 1
    if does == "illegal":
        assert rating.players[0].answers[0].detail == "B2: occupied"
    assert "told,does" in rating_text(rating, figure_players(rating))


def test_a_player_that_ends_its_worker_has_faults_and_others_go_on(tmp_path: Path) -> None:
    rating = rate_players(
        ["told,does=die", "told"], small_set(1), tmp_path, jobs=2, prepare=prepare
    )
    assert [answer.outcome for answer in rating.players[0].answers] == ["fault", "fault"]
    assert rating.players[1].columns.record.tolist() == [1, 1]


def test_answers_depend_on_the_seed_and_the_position_alone(tmp_path: Path) -> None:
    positions = small_set(6)
    first = rate_players(["told,does=seed"], positions, tmp_path / "a", seed=5)
    part = positions.take([7, 2])
    again = rate_players(["told,does=seed"], part, tmp_path / "b", seed=5)
    other = rate_players(["told,does=seed"], positions, tmp_path / "c", seed=6)
    moves = [answer.move for answer in first.players[0].answers]
    assert [answer.move for answer in again.players[0].answers] == [moves[7], moves[2]]
    assert [answer.move for answer in other.players[0].answers] != moves


def test_a_killed_rating_goes_on_and_further_players_join(tmp_path: Path) -> None:
    positions, whole, cut = small_set(6), tmp_path / "whole", tmp_path / "cut"
    rate_players(["told,does=seed"], positions, whole)
    lines = (whole / FILE_NAME).read_bytes().splitlines(keepends=True)
    cut.mkdir()
    (cut / FILE_NAME).write_bytes(b"".join(lines[:5]) + lines[5][:20])  # killed while writing
    asked: list[tuple[str, int]] = []

    def watch(name: str, count: int):
        from contextlib import nullcontext

        asked.append((name, count))
        return nullcontext(lambda: None)

    with pytest.raises(BadInputError, match="holds answers already"):
        rate_players(["told,does=seed"], positions, cut)
    again = rate_players(["told,does=seed", "told"], positions, cut, resume=True, watch=watch)
    assert asked == [("answers", 9 + 12)]
    kept = [json.loads(line) for line in lines[2:]]
    assert [a.move for a in again.players[0].answers] == [line["move"] for line in kept]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{}\n", "line 3"),
        (b"\xff\xfe\n", "line 3"),
        (b'{"kind":"answer","player":"told","at":"%s","outcome":"move","move":77,"wall_s":0,'
         b'"cpu_s":0}\n', "off the board"),
        (b'{"kind":"answer","player":"told","at":"%s","outcome":"fault","move":1,"wall_s":0,'
         b'"cpu_s":0}\n', "outcome 'fault'"),
        (b'{"kind":"answer","player":"told","at":"%s","outcome":"move","move":1,"wall_s":NaN,'
         b'"cpu_s":0}\n', "line 3"),
    ],
)  # fmt: skip
def test_answers_that_were_changed_are_refused(tmp_path: Path, line: bytes, said: str) -> None:
    positions = small_set(1)
    rate_players(["told"], positions, tmp_path)
    lines = (tmp_path / FILE_NAME).read_bytes().splitlines(keepends=True)
    lines[2] = line.replace(b"%s", positions.key(0).encode())
    (tmp_path / FILE_NAME).write_bytes(b"".join(lines))
    with pytest.raises(BadInputError, match="changed or is damaged") as caught:
        rate_players(["told"], positions, tmp_path, resume=True)
    assert said in str(caught.value)


def test_answers_to_other_positions_or_of_another_seed_are_refused(tmp_path: Path) -> None:
    rate_players(["told"], small_set(2), tmp_path)
    with pytest.raises(BadInputError, match="positions"):
        rate_players(["told"], small_set(3), tmp_path, resume=True)
    with pytest.raises(BadInputError, match="seed: 0 then, 1 now"):
        rate_players(["told"], small_set(2), tmp_path, seed=1, resume=True)


def test_bad_names_and_empty_sets_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="twice"):
        rate_players(["told", "told"], small_set(1), tmp_path)
    with pytest.raises(BadInputError, match="no player"):
        rate_players([], small_set(1), tmp_path)
    with pytest.raises(PlayerError, match="unknown player"):
        rate_players(["tole"], small_set(1), tmp_path)
    with pytest.raises(BadInputError, match="no positions"):
        PositionSet("none", "", "", (), ())
    assert not (tmp_path / FILE_NAME).exists()


def test_an_outside_engine_stays_for_all_positions_unless_told_otherwise() -> None:
    assert rated_name("gtp:gnugo") == "gtp:gnugo,fresh=false"
    assert rated_name("gtp:gnugo,fresh=true") == "gtp:gnugo,fresh=true"


def test_moves_that_a_symmetry_makes_equal_are_one_answer() -> None:
    empty = Position.empty(5)
    assert equal_moves(empty, 0) == {0, 4, 20, 24}
    assert equal_moves(empty, 25) == {25}
    lopsided = empty.play(1).play(12).play(8)
    assert equal_moves(lopsided, 0) == {0}


def test_intervals_count_games_and_not_positions() -> None:
    rng = np.random.default_rng(3)
    games = rng.random(40) < 0.5
    once = GameDraws(range(40)).share(games.astype(float))
    tenfold = GameDraws(np.repeat(np.arange(40), 10)).share(np.repeat(games, 10).astype(float))
    assert once.value == tenfold.value
    assert tenfold.as_list() == pytest.approx(once.as_list(), abs=0.02)
    few = GameDraws(range(FEWEST_GAMES - 1))
    assert few.mean(np.arange(FEWEST_GAMES - 1.0)).low is None


def test_the_interval_of_a_share_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(8)
    draws = GameDraws(np.repeat(np.arange(60), 5))
    held = 0
    for _ in range(200):
        chances = rng.beta(3, 3, 60)  # games differ
        found = draws.share((rng.random(300) < np.repeat(chances, 5)).astype(float))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5 <= found.high
    assert held >= 178, "of 200 at 95%: three standard deviations below 190"


def test_parts_by_move_board_and_rank_hold_every_position_once(tmp_path: Path) -> None:
    figures = figure_players(rate_players(["told"], small_set(3), tmp_path))[0]
    assert {name: part.positions for name, part in figures.by_move.items()} == {"1-30": 6}
    assert {name: part.positions for name, part in figures.by_size.items()} == {"3x3": 6}
    ranks = {name: part.positions for name, part in figures.by_rank.items()}
    assert ranks == {"9k-1k": 3, "1d-4d": 3}


def test_at_most_so_many_of_a_game_are_drawn_and_always_the_same() -> None:
    owners = [0] * 50 + [1] * 3 + [2]
    drawn = thinned(owners, 0, 4, seed=1)
    assert np.bincount(np.array(owners)[drawn]).tolist() == [4, 3, 1]
    assert np.array_equal(drawn, thinned(owners, 0, 4, seed=1))
    assert len(thinned(owners, 5, 4, seed=1)) == 5


def test_the_file_of_a_set_reads_as_it_was_written(tmp_path: Path) -> None:
    positions = small_set(3)
    path = tmp_path / "set.parquet"
    path.write_bytes(set_bytes(positions))
    again = read_set(path)
    assert again.sha256 == positions.sha256
    assert again.games == positions.games
    assert again.labels is not None
    assert positions.labels is not None
    assert again.labels.judged == positions.labels.judged
    for before, after in zip(positions.labels.win_after, again.labels.win_after, strict=True):
        assert after == pytest.approx(before, abs=0.5 / 200 + 1e-6, nan_ok=True)
    for before, after in zip(positions.labels.lead_after, again.labels.lead_after, strict=True):
        assert after == pytest.approx(before, abs=0.05 + 1e-6, nan_ok=True)
    for junk in (b"", b"PAR1 nothing"):
        path.write_bytes(junk)
        with pytest.raises(BadInputError):
            read_set(path)


def test_files_for_programs_tell_vertices_and_figures(tmp_path: Path) -> None:
    import csv

    rating = rate_players(["told", "told,does=pass"], small_set(2), tmp_path)
    figures = figure_players(rating)
    write_outputs(rating, figures, ORIGIN)
    with (tmp_path / "answers.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert (rows[0]["record"], rows[0]["answer"], rows[0]["is_record"]) == ("B3", "B3", "1")
    assert (rows[4]["answer"], rows[4]["points_lost"]) == ("pass", "8.0")
    told = json.loads((tmp_path / "rating.json").read_text("utf-8"))
    assert told == json.loads(json.dumps(rating_dict(rating, figures, ORIGIN)))
    assert told["players"][1]["whole"]["lead_loss"]["value"] == pytest.approx(7.5)
    assert rating.positions.position(0).to_move == WHITE
    assert rating.positions.position(1).to_move == BLACK

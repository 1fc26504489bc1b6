"""A match's results as files for programs and as a table for people."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

from mariago.arena import figures_csv
from mariago.arena.clock import NOT_REPEATABLE
from mariago.arena.limits import Stand, stands_at, stopped_at
from mariago.arena.match import MatchResult
from mariago.arena.opening_figures import figures_of_openings, opening_lines
from mariago.arena.pace import pace_of
from mariago.arena.records import ENDINGS, GameRecord
from mariago.arena.second_figures import SecondFigures, second_lead
from mariago.arena.statistics import Estimate, SprtState
from mariago.arena.summary import LeadFigures, SideFigures, Summary
from mariago.board.files import write_whole
from mariago.reports import Provenance
from mariago.words import counted

__all__ = [
    "counting_in_words",
    "percent",
    "results_dict",
    "signed",
    "summary_text",
    "verdict_line",
    "write_results",
]


def results_dict(
    result: MatchResult, origin: Provenance, also_at: Sequence[int] | None = None
) -> dict[str, object]:
    """Return everything about a match as plain values; leads and margins in points.

    ``also_at``: move limits at which the games are counted too; ``None``: usual ones.
    """
    stands = stands_at(result.settings, result.games, also_at)
    return {
        "settings": result.settings.model_dump(mode="json"),
        "players": result.players,
        "summary": result.summary.as_dict(),
        "openings": figures_of_openings(result).as_dict(),
        "by_move_limit": [stand.as_dict() for stand in stands],
        "seconds_a_move": {
            player: pace_of(result.games, player).as_dict() for player in ("a", "b")
        },
        "second_referee": None if result.second is None else result.second.as_dict(),
        "games": [game.as_dict() for game in result.games],
        "provenance": origin.as_dict(),
    }


MOST_NAMED = 30  # games of a second referee, in the table
_CSV_COLUMNS = (
    *("game", "pair", "black", "white", "result", "winner", "lead_a", "ending", "counting"),
    *(
        "moves",
        "opening_stones",
        "opening_moves",
        "seconds_a",
        "seconds_b",
        "turns_a",
        "turns_b",
        "detail",
    ),
)


def _won_by(game: GameRecord) -> str:
    return {0.0: "b", 0.5: "", 1.0: "a"}[game.points_of("a")]


def _csv_text(result: MatchResult, limits: Sequence[int]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    at = [name for limit in limits for name in (f"winner_at_{limit}", f"lead_a_at_{limit}")]
    writer.writerow((*_CSV_COLUMNS, *at, *_second_columns(result)))
    names = result.settings.names
    stopped = stopped_at(result.settings, result.games, limits)
    for row, game in enumerate(result.games):
        white = "b" if game.black == "a" else "a"
        there = [games[row] for games in stopped]
        writer.writerow(
            [
                *(game.number + 1, game.pair + 1, names[game.black], names[white]),
                *(str(game.result), _won_by(game), game.lead_of("a"), game.ending, game.counting),
                *(len(game.moves), 0 if game.start is None else game.start.stones),
                len(game.opening),
                *(round(game.seconds[player], 6) for player in ("a", "b")),
                *(game.turns[player] for player in ("a", "b")),
                game.detail,
                *(cell for one in there for cell in (_won_by(one), one.lead_of("a"))),
                *_second_cells(result, game),
            ]
        )
    return out.getvalue()


def _second_columns(result: MatchResult) -> tuple[str, ...]:
    return () if result.second is None else ("winner_second", "lead_a_second", "second_detail")


def _second_cells(result: MatchResult, game: GameRecord) -> list[object]:
    if result.second is None:
        return []
    found = result.second.recounts.get(game.number)
    lead = second_lead(game, result.second.recounts, "a")
    winner = "" if not lead else "a" if lead > 0 else "b"
    return [winner, lead, "" if found is None else found.detail]


def write_results(
    result: MatchResult, origin: Provenance, also_at: Sequence[int] | None = None
) -> None:
    """Write ``results.json``, ``results.csv`` (a row a game, from 1) and ``figures.csv``."""
    text = json.dumps(results_dict(result, origin, also_at), ensure_ascii=False, indent=1) + "\n"
    write_whole(result.folder / "results.json", text)
    stands = stands_at(result.settings, result.games, also_at)
    limits = [stand.limit for stand in stands if stand.limit is not None]
    write_whole(result.folder / "results.csv", _csv_text(result, limits))
    write_whole(result.folder / figures_csv.FILE_NAME, figures_csv.figures_csv(result, stands))


def percent(estimate: Estimate) -> str:
    """Return ``62.5% [48.1%, 75.0%]``."""
    return _shown(estimate, lambda x: f"{100 * x:.1f}%")


def signed(estimate: Estimate, digits: int = 1) -> str:
    """Return ``+3.5 [-1.5, +8.5]``; an open bound is an infinity sign."""
    return _shown(estimate, lambda x: f"{round(x, digits) + 0.0:+.{digits}f}")


def _shown(estimate: Estimate, form: Callable[[float], str]) -> str:
    if estimate.count == 0:
        return "-"
    if estimate.value is not None:
        value = form(estimate.value)
    else:
        value = "+∞" if estimate.high is None else "-∞"
    if estimate.low is None and estimate.high is None:
        return value
    low = "-∞" if estimate.low is None else form(estimate.low)
    high = "+∞" if estimate.high is None else form(estimate.high)
    return f"{value} [{low}, {high}]"


def counting_in_words(result: MatchResult) -> str:
    """Return how stopped and finished games were counted."""
    settings = result.settings
    finished = "two passes: by the rules"
    if settings.move_limit is None:
        return f"to two passes, by {settings.rules} rules"
    return f"stopped after {settings.move_limit} moves, reference {settings.scoring}; {finished}"


def _side_line(side: SideFigures) -> str:
    seconds = "-" if side.seconds_a_move is None else f"{side.seconds_a_move:.4f}"
    return (
        f"{counted(side.wins, 'win')}, {side.wins_without_faults} without faults, "
        f"as Black {side.wins_as_black}/{side.games_as_black}, "
        f"as White {side.wins_as_white}/{side.games_as_white}; illegal {side.illegal}, "
        f"{f'on time {side.on_time}, ' if side.on_time else ''}"
        f"faults {side.faults}; {seconds} s a move"
    )


def _lead_line(lead: LeadFigures) -> str:
    few = "" if lead.median.low is not None else " (too few pairs for an interval)"
    return (
        f"{signed(lead.median)}{few}, {counted(len(lead.games), 'game')} counted by {lead.counting}"
    )


DECISIONS = {
    "elo0": "elo0 is taken: A is not stronger by elo1",
    "elo1": "elo1 is taken: A is stronger by more than elo0",
}


def _time_lines(result: MatchResult) -> list[tuple[str, str]]:
    time = result.settings.time
    return [] if time is None else [("Time", f"{time}"), ("  Note", NOT_REPEATABLE)]


def _sprt_lines(sprt: SprtState | None, summary: Summary) -> list[tuple[str, str]]:
    """Return where a sequential test stands, and what its stopping does to the other figures."""
    if sprt is None:
        return []
    terms = sprt.terms
    kind = "" if terms.scale == "logistic" else " normalised"
    asked = f"elo0={terms.elo0:g}, elo1={terms.elo1:g}{kind}, alpha={terms.alpha:g}, "
    bounds = f"[{sprt.lower:.2f}, {sprt.upper:.2f}]"
    stands = f"LLR {sprt.llr:+.2f} in {bounds} after {counted(sprt.pairs, 'pair')}"
    said = DECISIONS[sprt.decision] if sprt.decision else "undecided: all games are played"
    lines = [("Sequential test", asked + f"beta={terms.beta:g}"), ("  State", f"{stands}; {said}")]
    if sprt.decision:
        lines.append(("  Note", "score, Elo and intervals are biased by stopping early"))
    if summary.beyond:
        lines.append(
            ("  Not counted", f"{counted(len(summary.beyond), 'game')} beyond the decision")
        )
    return lines


def verdict_line(s: Summary) -> str:
    """Return who is stronger, as far as the games tell, and else how many games would."""
    if s.score.value is None:
        return "nothing yet: no pair of games is complete"
    if s.sprt is not None and s.sprt.decision:
        return f"by the sequential test {DECISIONS[s.sprt.decision]}"
    if s.tells:
        return f"{(s.a if s.score.value > 0.5 else s.b).name} is stronger here"
    told = s.pairs_to_tell or 0
    if s.score.count < told:
        return (
            f"too few games to tell who is stronger; about {told} pairs, {2 * told} games, would "
            "tell a score of 55% from 50%, four times in five"
        )
    return "the games do not tell who is stronger: the two are about equal"


def _stand_line(stand: Stand) -> tuple[str, str]:
    leads = "; ".join(f"median lead {signed(lead)} by {way}" for way, lead in stand.leads.items())
    counted = f"{stand.reached} of {stand.games} games counted there"
    return f"  After {stand.limit} moves", f"{percent(stand.score)}; {counted}; {leads or '-'}"


def _second_lines(second: SecondFigures | None) -> list[tuple[str, str]]:
    """Return how far a second referee agrees."""
    if second is None:
        return []
    other = f"another winner in {len(second.differing)}, {percent(second.rate)}"
    lines = [
        (
            "Second referee",
            f"{second.referee}: counted {second.counted} of {second.asked}; {other}",
        ),
        ("  A's score by it", percent(second.score)),
        ("  Difference", f"{signed(second.difference)} points in the median of A's lead"),
    ]
    if second.differing:
        numbers = ", ".join(str(n + 1) for n in second.differing[:MOST_NAMED])
        more = len(second.differing) - MOST_NAMED
        lines.append(("  Other winner in", f"{numbers}{f' and {more} more' if more > 0 else ''}"))
    for number in second.not_counted[:MOST_NAMED]:
        said = f"not counted: {second.recounts[number].detail}"
        lines.append((f"  Game {number + 1}", said))
    return lines


def summary_text(result: MatchResult, also_at: Sequence[int] | None = None) -> str:
    """Return the table that the command line shows."""
    stands = stands_at(result.settings, result.games, also_at)[:-1] if result.games else ()
    settings, s = result.settings, result.summary
    level = f"{100 * s.level:.0f}%"
    most = "" if s.sprt is None else "at most "
    stones = f", {settings.handicap} handicap stones, White first" if settings.handicap else ""
    missing = ", ".join(str(number + 1) for number in s.missing) or "none"
    lines = [
        ("Player A", f"{settings.player_a}: {_side_line(s.a)}"),
        ("Player B", f"{settings.player_b}: {_side_line(s.b)}"),
        ("Board", f"{settings.size}, {settings.rules}, komi {settings.komi:g}{stones}"),
        ("Counting", counting_in_words(result)),
        *opening_lines(figures_of_openings(result)),
        *_time_lines(result),
        ("Verdict", verdict_line(s)),
        ("Games", f"{s.played} of {most}{s.planned}; draws {s.draws}, no result {s.no_result}"),
        ("Missing games", missing),
        *_sprt_lines(s.sprt, s),
        (f"A's score, {level}", f"{percent(s.score)} over {counted(s.score.count, 'pair')}"),
        ("  Bootstrap", f"{percent(s.bootstrap)} drawing whole pairs"),
        ("  Wilson", f"{percent(s.wilson)} taking games as independent"),
        ("  Pairs of 0 ½ 1 1½ 2", " ".join(map(str, s.pentanomial))),
        ("  Elo", f"{signed(s.elo, 0)}"),
        *(_stand_line(stand) for stand in stands),
        *((f"A's median lead, {level}", _lead_line(lead)) for lead in s.leads),
        *_second_lines(result.second),
        ("Black's wins", f"{s.black_wins} of {s.played}"),
        ("Ended by", ", ".join(f"{name} {count}" for name, count in s.endings.items()) or "-"),
        ("Median length", "-" if s.median_length is None else f"{s.median_length:g} moves"),
        (
            "Duplicates",
            f"{counted(s.duplicate_games, 'game')}, "
            f"{counted(s.duplicates_at_move_20, 'board')} at move 20",
        ),
    ]
    width = max(len(name) for name, _ in lines)
    shown = [f"{name:<{width}}  {text}" for name, text in lines]
    shown += [
        f"{'Game ' + str(game.number + 1):<{width}}  {ENDINGS[game.ending]}: {game.detail}"
        for game in result.games
        if game.ending in ("illegal", "fault")
    ]
    return "\n".join(shown)

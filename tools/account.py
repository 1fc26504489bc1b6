"""Run the account of a rule-based player and a net that teach each other again, with intervals.

::

    python tools/account.py                      # 200 games each, 19x19, the packaged net
    python tools/account.py --net net:FOLDER --jobs 2
    python tools/account.py --games 4 --size 9 --limits 20,0 --runs /tmp/small --docs /tmp/small

Games are stopped after 80, 150 and 200 moves, or played to the end; komi is 6.5, and every game is
counted as it stands, territory and prisoners. For each limit the two play ``--games`` games, hand
each other their good moves (a winner's double), and play as many again, from other openings, with
what they have learnt. Colours are swapped in pairs, which the account did not do.

``runs/account`` gets the games and books; called again with the same options it goes on where it
stood, also after being killed. ``docs/reference/account.md``, ``account.json`` and two charts in
``docs/images`` are written after every step; a limit that is not done is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mariago.arena.outputs import percent, signed
from mariago.arena.settings import MatchSettings, settings_of
from mariago.arena.standings import StoredMatch
from mariago.arena.statistics import Estimate
from mariago.arena.statistics.differences import independent_difference
from mariago.arena.summary import summarise
from mariago.board.files import write_whole
from mariago.board.points import size_of
from mariago.errors import BadInputError, MariagoError
from mariago.lessons import Teaching
from mariago.players import resolve_name
from mariago.reports.charts import Bar, category_chart, interval_chart
from mariago.teaching.lessons_used import lessons_used
from mariago.teaching.run_folder import begin_run, play_once
from mariago.teaching.side_books import (
    SIDES,
    Told,
    can_learn,
    given_since,
    grow_book,
    told_by,
    with_book,
)
from mariago.teaching.third_parties import meeting, seed_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path(__file__).with_name("account_page.md")
LIMITS = (80, 150, 200, 0)
KOMI = 6.5
LOOKED_AT = 20  # games of each side in which it is asked again what lessons changed
TOLD = {
    (80, "before"): "1 of 22",
    (150, "before"): "47 of 78 (100 were played)",
    (150, "after"): "125 of 189",
    (200, "before"): "6 of 7 (40 were planned)",
}
"""Games that the rule-based player won by the account, always with Black."""


@dataclass(frozen=True)
class Account:
    """What is run."""

    heuristic: str
    net: str
    games: int
    size: str
    limits: tuple[int, ...]
    rules: str
    seed: int

    def terms(self, limit: int) -> MatchSettings:
        """Return the settings of all games with one limit; 0: to the end."""
        return settings_of(
            player_a=self.heuristic,
            player_b=self.net,
            games=self.games,
            size=self.size,
            rules=self.rules,
            komi=KOMI,
            move_limit=limit or None,
            scoring="territory",
            seed=self.seed,
        )


def in_words(limit: int) -> str:
    """Return a limit as tables show it."""
    return f"{limit} moves" if limit else "to the end"


def play_limit(account: Account, limit: int, runs: Path, jobs: int) -> dict[str, Any]:
    """Play both matches of a limit, or what is left of them, and return their figures."""
    terms, place = account.terms(limit), runs / f"limit-{limit or 'none'}"
    played = 0

    def on_game() -> None:
        nonlocal played
        played += 1
        if played % 10 == 0 or played == 2 * account.games:
            print(f"{in_words(limit)}: {played}/{2 * account.games}", file=sys.stderr, flush=True)

    names = {"a": account.heuristic, "b": account.net}
    first = meeting(terms, names["a"], names["b"], account.games, seed_of(account.seed, limit, 0))
    before = play_once(first, place / "before", jobs=jobs, on_game=on_game)
    given: dict[str, object] = {}
    taught = dict(names)
    for side in SIDES:
        if not can_learn(names[side]):
            continue
        book = place / f"{side}.book"
        grow_book(book, [(place / "before", before)], side, Teaching())
        told = told_by(book)
        kinds = given_since(Told(0, 0.0, 0, ()), told)
        given[side] = {
            "lessons": told.lessons,
            "patterns": told.patterns,
            "kinds": {kind: count for kind, (count, _) in kinds.items()},
        }
        taught[side] = with_book(names[side], book)
    second = meeting(
        terms, taught["a"], taught["b"], account.games, seed_of(account.seed, limit, 1)
    )
    after = play_once(second, place / "after", jobs=jobs, on_game=on_game)
    used = {
        side: asdict(
            lessons_used(after, place / "after", LOOKED_AT, side=side, player=taught[side])
        )
        for side in SIDES
        if side in given
    }
    scores = [summarise(match.settings, match.games).score for match in (before, after)]
    return {
        "limit": limit,
        "before": match_figures(before, runs),
        "after": match_figures(after, runs),
        "difference": independent_difference(scores[1], scores[0]).as_list(),
        "given": given,
        "used": used,
    }


def within(runs: Path, value: Any) -> Any:
    """Return plain values in which the places of files begin below ``runs``, on any machine."""
    if isinstance(value, dict):
        return {key: within(runs, held) for key, held in value.items()}
    return value.replace(f"{runs}{os.sep}", "") if isinstance(value, str) else value


def match_figures(match: StoredMatch, runs: Path) -> dict[str, Any]:
    """Return one match's figures; score and lead are the rule-based player's."""
    summary = summarise(match.settings, match.games)
    return {
        "games": summary.played,
        "wins": summary.a.wins,
        "losses": summary.b.wins,
        "wins_as_black": summary.a.wins_as_black,
        "games_as_black": summary.a.games_as_black,
        "score": summary.score.as_list(),
        "pairs": summary.score.count,
        "lead": summary.lead.median.as_list() if summary.lead else [None] * 3,
        "endings": dict(summary.endings),
        "median_length": summary.median_length,
        "duplicates": summary.duplicate_games,
        "faults": [summary.a.illegal + summary.a.faults, summary.b.illegal + summary.b.faults],
        "players": within(runs, match.players),
    }


def estimate(values: list[float | None], count: int) -> Estimate:
    """Return an estimate from what JSON holds."""
    return Estimate(values[0], values[1], values[2], count)


def result_rows(figures: list[dict[str, Any]]) -> list[str]:
    """Return the table of results in Markdown."""
    rows = [
        "| games | lessons | won | as Black | score | median lead | the account |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in figures:
        for when in ("before", "after"):
            part = one[when]
            rows.append(
                f"| {in_words(one['limit'])} | {when} | {part['wins']} of {part['games']} "
                f"| {part['wins_as_black']} of {part['games_as_black']} "
                f"| {percent(estimate(part['score'], part['pairs']))} "
                f"| {signed(estimate(part['lead'], part['pairs']))} "
                f"| {TOLD.get((one['limit'], when), '')} |"
            )
    return rows


def lesson_rows(figures: list[dict[str, Any]], names: dict[str, str]) -> list[str]:
    """Return the table of lessons in Markdown."""
    rows = [
        "| games | taught | captures | rescues | ladders | moves changed | of |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in figures:
        for side, given in one["given"].items():
            kinds, used = given["kinds"], one["used"].get(side, {})
            counts = [kinds.get(kind, 0) for kind in ("capture", "atari_save", "working_chase")]
            told = " | ".join(f"{count:,}" for count in counts)
            changed = f"{used.get('changed', 0):,} | {used.get('moves', 0):,}"
            rows.append(f"| {in_words(one['limit'])} | `{names[side]}` | {told} | {changed} |")
    return rows


def verdict(one: dict[str, Any]) -> str:
    """Return in one line what the lessons did to the rule-based player's score."""
    value, low, high = one["difference"]
    if value is None or low is None or high is None:
        return f"- {in_words(one['limit'])}: no pair is complete."
    said = f"{100 * value:+.1f} points of a hundred [{100 * low:+.1f}, {100 * high:+.1f}]"
    if low > 0:
        told = "the rules gained on the net by the lessons"
    elif high < 0:
        told = "the net gained on the rules by the lessons"
    else:
        told = "the games do not tell whom the lessons helped"
    return f"- {in_words(one['limit'])}: {said}; {told}."


def draw(figures: list[dict[str, Any]], images: Path) -> None:
    """Draw scores with intervals, and lessons by giver and kind."""
    bars = [
        Bar(f"{in_words(one['limit'])}, {when}", *one[when]["score"], f"{one[when]['games']} games")
        for one in figures
        for when in ("before", "after")
        if None not in one[when]["score"]
    ]
    title = "Score of the rule-based player"
    images.mkdir(parents=True, exist_ok=True)
    write_whole(images / "account-scores.svg", interval_chart(bars, title=title, reference=0.5))
    words = {"capture": "captures", "atari_save": "rescues", "working_chase": "ladders"}
    whose = {"a": "net to rules", "b": "rules to net"}
    totals: dict[str, float] = {}
    for one in figures:
        for side, given in one["given"].items():
            for kind, count in given["kinds"].items():
                name = f"{whose[side]}, {words[kind]}"
                totals[name] = totals.get(name, 0.0) + count
    chart = category_chart(sorted(totals.items()), title="Lessons given, all limits together")
    write_whole(images / "account-lessons.svg", chart)


def write_docs(account: Account, figures: list[dict[str, Any]], docs: Path, command: str) -> None:
    """Write the page, the figures and the charts."""
    names = {"a": account.heuristic, "b": account.net}
    page = PAGE.read_text("utf-8").format(
        heuristic=account.heuristic,
        net=account.net,
        size=size_of(account.size),
        komi=KOMI,
        games=account.games,
        rules=account.rules.capitalize(),
        looked_at=LOOKED_AT,
        command=command,
        results="\n".join(result_rows(figures)),
        verdicts="\n".join(map(verdict, figures)),
        lessons="\n".join(lesson_rows(figures, names)),
    )
    reference = docs / "reference"
    reference.mkdir(parents=True, exist_ok=True)
    draw(figures, docs / "images")
    values = {"account": asdict(account), "command": command, "limits": figures}
    write_whole(reference / "account.json", json.dumps(values, indent=1) + "\n")
    write_whole(reference / "account.md", page)
    _list_page(docs / "index.md")


def _list_page(index: Path) -> None:
    """Name the page in the index of the docs, once."""
    if not index.exists():
        return
    text = index.read_text("utf-8")
    if "reference/account\n" not in text:
        write_whole(
            index, text.replace("reference/lessons\n", "reference/lessons\nreference/account\n")
        )


def _limits(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+(,\d+)*", text):
        raise BadInputError(f"{text!r} is no list of limits", where="--limits", hint="80,150,200,0")
    return tuple(int(part) for part in text.split(","))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heuristic", default="heuristic:v7")
    parser.add_argument("--net", default="net", help="a player; without it the packaged net")
    parser.add_argument("--games", type=int, default=200, help="before, and as many after")
    parser.add_argument("--size", default="19")
    parser.add_argument("--limits", default=",".join(map(str, LIMITS)), help="0: to two passes")
    parser.add_argument("--rules", default="japanese")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", type=Path, default=ROOT / "runs" / "account")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs")
    chosen = parser.parse_args()
    account = Account(
        resolve_name(chosen.heuristic),
        resolve_name(chosen.net),
        chosen.games,
        chosen.size,
        _limits(chosen.limits),
        chosen.rules,
        chosen.seed,
    )
    begin_run(chosen.runs, "account", asdict(account), resume=True)
    command = shlex.join(["python", "tools/account.py", *sys.argv[1:]])
    figures: list[dict[str, Any]] = []
    for limit in account.limits:
        figures.append(play_limit(account, limit, chosen.runs, chosen.jobs))
        write_docs(account, figures, chosen.docs, command)
    print("\n".join([*result_rows(figures), "", *map(verdict, figures)]))


if __name__ == "__main__":
    try:
        main()
    except MariagoError as error:
        sys.exit(f"error: {error}\n{error.hint or ''}".rstrip())
    except KeyboardInterrupt:
        sys.exit("interrupted: what was played is kept, the same command goes on")

"""A rating from players' names to their figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mariago.arena.rating.asking import Ask, Asker, Prepare, ask_all
from mariago.arena.rating.figures import Columns
from mariago.arena.rating.log import Answer, AnswerLog, check_folder
from mariago.arena.rating.positions import (
    FIRST_MOVES,
    Judged,
    Outlook,
    PositionSet,
    equal_moves,
)
from mariago.arena.rating.seen import Seen, seen_by
from mariago.board import jit
from mariago.errors import BadInputError
from mariago.players import PlayerName, parse_name, resolve_name

__all__ = ["RatedPlayer", "Rating", "Teacher", "Watch", "rate_players", "rated_name"]

Watch = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Called with a name and how many questions it is asked; its context gives what counts one."""


@dataclass(frozen=True)
class Teacher:
    """Who judges, and all that was judged."""

    describes: dict[str, Any]
    judged: tuple[Judged, ...]
    """By position."""
    outlooks: dict[tuple[int, int], Outlook]
    """By position and move: what its mover may expect, as far as the teacher was asked."""

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.describes.get("name", "teacher"))

    def loss(self, number: int, equal: frozenset[int]) -> tuple[float, float]:
        """Return (points, chance to win) that a move costs against the teacher's best; or NaN.

        ``equal`` holds the move and those that mean the same. Both moves are judged by what
        follows them, so a move can cost less than nothing.
        """
        best = self.judged[number].moves[:1]
        if not best:
            return np.nan, np.nan
        ours = next((self.outlooks[number, m] for m in equal if (number, m) in self.outlooks), None)
        theirs = self.outlooks.get((number, best[0]))
        if ours is None or theirs is None:
            return np.nan, np.nan
        if best[0] in equal:
            ours = theirs
        known = theirs.lead is not None and ours.lead is not None
        lead = (theirs.lead or 0.0) - (ours.lead or 0.0) if known else np.nan
        return lead, theirs.win_rate - ours.win_rate


@dataclass(frozen=True)
class RatedPlayer:
    """A player and its answers."""

    name: str
    describes: dict[str, Any]
    answers: tuple[Answer, ...]
    """By position."""
    columns: Columns
    seen: Seen


@dataclass(frozen=True)
class Rating:
    """What was asked, of whom, and what came back."""

    positions: PositionSet
    seed: int
    players: tuple[RatedPlayer, ...]
    teacher: Teacher | None
    folder: Path


def rated_name(text: str) -> str:
    """Return a player's name with aliases followed, as it is asked.

    An outside engine is one process for all positions, unless the name says ``fresh=true``: it is
    set up for each.
    """
    name = parse_name(resolve_name(text))
    if name.kind == "gtp" and "fresh" not in name.keys:
        name = PlayerName(name.kind, name.target, {**name.keys, "fresh": "false"})
    return resolve_name(str(name))


def rate_players(
    players: Sequence[str],
    positions: PositionSet,
    folder: Path,
    *,
    teacher: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    resume: bool = False,
    prepare: Prepare | None = None,
    watch: Watch | None = None,
) -> Rating:
    """Ask players about every position, keeping each answer in ``folder`` as it comes.

    Args:
        teacher: a player that judges in place of the labels of ``positions``.
        jobs: worker processes; the answers do not depend on it, where players keep to their seed.
        resume: go on with the answers in ``folder``; a folder without any begins them.
        prepare: called in every worker first, to register kinds.

    Raises:
        BadInputError: no player, or one twice; see :meth:`AnswerLog.begin`.
        PlayerError: a player that cannot be built, or a teacher that fails.
    """
    names = [rated_name(name) for name in players]
    if not names:
        raise BadInputError("no player to be rated", hint="mariago players lists names")
    if len(set(names)) < len(names):
        raise BadInputError(f"a player twice: {max(names, key=names.count)}")
    asker = Asker(positions, seed)
    judge = None if teacher is None else rated_name(teacher)
    check_folder(folder, resume=resume)
    log: AnswerLog | None = None
    try:
        asked = [*names] if judge is None or judge in names else [*names, judge]
        described = {name: asker.player(name).describe() for name in asked}
        log = AnswerLog.begin(folder, positions, seed, resume=resume)
        for name, about in described.items():
            log.introduce(name, about)
        if jobs > 1:
            jit.warm_all()  # once here rather than in every worker
        work = _Work(log, asker, jobs, prepare, watch or (lambda _name, _count: nullcontext(_idle)))
        work.answer(names)
        judged_by = _packaged(positions) if judge is None else work.judge(judge, names)
        rated = [_rated(name, log, asker, judged_by) for name in names]
    finally:
        for name in list(asker.players):
            asker.let_go(name)
        if log is not None:
            log.close()
    return Rating(positions, seed, tuple(rated), judged_by, folder)


def _idle() -> None:
    """Count nothing."""


@dataclass
class _Work:
    """What is still to be asked, and asking it."""

    log: AnswerLog
    asker: Asker
    jobs: int
    prepare: Prepare | None
    watch: Watch

    def answer(self, players: Sequence[str]) -> None:
        """Ask the players, one after the other, what they have not answered yet."""
        keys = self._keys()
        self._ask(
            "answers",
            [
                Ask(name, n)
                for name in players
                for n, at in enumerate(keys)
                if (name, at) not in self.log.answers
            ],
        )

    def judge(self, teacher: str, players: Iterable[str]) -> Teacher:
        """Have positions judged, then what follows the teacher's best and the players' moves."""
        keys, log = self._keys(), self.log
        self._ask(
            f"{teacher}: positions",
            [
                Ask(teacher, n, as_teacher=True)
                for n, at in enumerate(keys)
                if (teacher, at) not in log.judged
            ],
        )
        lines = [log.judged[teacher, at] for at in keys]
        judged = tuple(Judged(tuple(line.moves), line.value, line.lead) for line in lines)
        wanted: dict[tuple[int, int], None] = {}
        for n, at in enumerate(keys):
            answers = (log.answers[player, at].move for player in players)
            for move in (*judged[n].moves[:1], *answers):
                if move is not None:
                    wanted[n, move] = None
        self._ask(
            f"{teacher}: moves",
            [
                Ask(teacher, n, as_teacher=True, move=move)
                for n, move in wanted
                if (teacher, keys[n], move) not in log.outlooks
            ],
        )
        outlooks: dict[tuple[int, int], Outlook] = {}
        for n, move in wanted:
            line = log.outlooks[teacher, keys[n], move]
            if line.value is not None:
                outlooks[n, move] = Outlook(line.value, line.lead)
        about = {**log.players[teacher], **_net_of(log.players[teacher]), "name": teacher}
        return Teacher(about, judged, outlooks)

    def _keys(self) -> list[str]:
        positions = self.asker.positions
        return [positions.key(n) for n in range(len(positions))]

    def _ask(self, name: str, asks: list[Ask]) -> None:
        if not asks:
            return
        with self.watch(name, len(asks)) as count:
            for line in ask_all(asks, self.asker, self.jobs, self.prepare):
                self.log.add(line)
                count()


def _net_of(describes: dict[str, Any]) -> dict[str, Any]:
    """Return the hash of a player's net, by which it is known again."""
    net = describes.get("net")
    return {"sha256": net["sha256"]} if isinstance(net, dict) and "sha256" in net else {}


def _packaged(positions: PositionSet) -> Teacher | None:
    """Return the teacher whose labels come with the positions, None where there are none."""
    labels = positions.labels
    if labels is None:
        return None
    outlooks: dict[tuple[int, int], Outlook] = {}
    for n in range(len(positions)):
        for move in range(len(labels.win_after[n])):
            found = labels.outlook(n, move)
            if found is not None:
                outlooks[n, move] = found
    return Teacher(dict(labels.teacher), labels.judged, outlooks)


def _rated(name: str, log: AnswerLog, asker: Asker, teacher: Teacher | None) -> RatedPlayer:
    positions = asker.positions
    answers = [log.answers[name, positions.key(n)] for n in range(len(positions))]
    seen = seen_by(asker.player(name), positions, {} if teacher is None else teacher.describes)
    return RatedPlayer(
        name,
        log.players[name],
        tuple(answers),
        _columns(positions, answers, teacher),
        seen,
    )


def _columns(positions: PositionSet, answers: Sequence[Answer], teacher: Teacher | None) -> Columns:
    n = len(answers)
    record, best, ten, lead, win = (np.full(n, np.nan) for _ in range(5))
    for i, answer in enumerate(answers):
        move = answer.move
        equal = frozenset[int]() if move is None else equal_moves(positions.position(i), move)
        record[i] = positions.move_of_record(i) in equal
        if teacher is None:
            continue
        first = teacher.judged[i].moves
        if first:
            best[i] = first[0] in equal
        if len(first) == FIRST_MOVES:
            ten[i] = not equal.isdisjoint(first)
        if move is not None:
            lead[i], win[i] = teacher.loss(i, equal)
    cpu = [np.nan if a.cpu_s is None else a.cpu_s for a in answers]

    def flags(outcome: str) -> np.ndarray:
        return np.array([a.outcome == outcome for a in answers], np.float64)

    return Columns(
        *(record, best, ten, lead, win),
        *(flags("illegal"), flags("fault"), flags("resigned")),
        np.array([a.wall_s for a in answers]),
        np.array(cpu, np.float64),
    )

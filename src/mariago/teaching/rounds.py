"""Cross lessons in rounds: play, learn, meet third parties, and again with what was learnt.

Everything is made from the settings step by step, and a step that is there is not made again: a
run that is killed goes on where it stood and ends as if it had not been.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from mariago.arena.standings import StoredMatch
from mariago.lessons.extraction import GoodMove
from mariago.players.lesson_reader import label_of
from mariago.teaching.cross_settings import TeachSettings
from mariago.teaching.lessons_used import Used, lessons_used, total_used
from mariago.teaching.rounds_figures import RoundFigures, RunFigures, figures_of_run
from mariago.teaching.run_folder import begin_run, play_once
from mariago.teaching.side_books import (
    SIDES,
    Side,
    Told,
    given_since,
    grow_book,
    told_by,
    with_book,
)
from mariago.teaching.third_parties import MATCHES, THIRD, meeting, pair_scores, seed_of
from mariago.teaching.tuned_side import Tuned, check_torch, tune_side, with_net

__all__ = ["book_path", "planned_games", "teach", "times_met"]

OnGame = Callable[[str], None]
OnRound = Callable[[RunFigures], None]
NOBODY = Told(0, 0.0, 0, ())
TUNING = 5
"""First word of the seeds of tunings."""


def book_path(folder: Path, side: str, number: int) -> Path:
    """Return where a side's book after a round lies."""
    return folder / "books" / f"{side}-{number:02d}.book"


def planned_games(settings: TeachSettings) -> tuple[int, tuple[int, ...]]:
    """Return how many games a run has: of the two players, and against each third party.

    A tuned net and the same with its old weights both play the third parties.
    """
    sides = sum(times_met(settings, side) for side in SIDES)
    third = tuple(sides * settings.third_games for _ in settings.third)
    return settings.rounds * settings.match.games, third


def times_met(settings: TeachSettings, side: str) -> int:
    """Return how often a side meets each third party."""
    times = 1 + settings.rounds * (side in settings.learners)
    if settings.tune is None or side not in settings.tuned:
        return times
    return times + max(0, settings.rounds - settings.tune.every + 1)


def teach(
    settings: TeachSettings,
    folder: Path,
    *,
    jobs: int = 1,
    resume: bool = False,
    on_game: OnGame = lambda _: None,
    on_round: OnRound = lambda _: None,
    on_learning: OnGame = lambda _: None,
) -> RunFigures:
    """Run all rounds, or the rest of them, in ``folder`` and return what came of them.

    Args:
        jobs: worker processes; nothing but the time depends on it.
        on_game: called with what is being played for every game that is there or comes.
        on_round: called with the figures so far after each round.
        on_learning: called with how far a book is, and the tuning of a net.

    Raises:
        BadInputError: the folder holds another run, or one that is not to be gone on with.
        MatchError, PlayerError, LessonError: see :func:`mariago.arena.match.play_match`.
        NetError, RecordsError: see :func:`mariago.nets.tuning.tune_net`.
    """
    if settings.tuned:
        check_torch()
    begin_run(folder, "teach", settings.as_dict(), resume=resume, grows="rounds")
    run = _Run(settings, folder, jobs, on_game, on_learning)
    rounds: list[RoundFigures] = []
    figures = figures_of_run(settings, rounds)
    for number in range(settings.rounds + 1):
        rounds.append(run.round(number, rounds[0] if rounds else None))
        figures = figures_of_run(settings, rounds)
        on_round(figures)
    return figures


class _Run:
    """One run while it goes on."""

    def __init__(
        self,
        settings: TeachSettings,
        folder: Path,
        jobs: int,
        on_game: OnGame,
        on_learning: OnGame,
    ) -> None:
        self.settings = settings
        self.folder = folder
        self.jobs = jobs
        self.on_game = on_game
        self.on_learning = on_learning
        self.told: dict[str, Told] = dict.fromkeys(SIDES, NOBODY)
        self.tuned: dict[tuple[str, int], Tuned] = {}
        """By side and round: the net that it has after it."""

    def player(self, side: str, number: int, *, weights: bool = True) -> str:
        """Return a side's name with what it has learnt by the end of a round.

        Args:
            weights: with the tuned net, if there is one; else with the one that it came with.
        """
        name = self.settings.names[side]
        if number == 0 or side not in self.settings.learners:
            return name
        book, tuned = book_path(self.folder, side, number), self.tuned.get((side, number))
        if tuned is None or not weights:
            return with_book(name, book)
        return with_book(with_net(name, tuned.net), book, lesson_for=label_of(name))

    def round(self, number: int, first: RoundFigures | None) -> RoundFigures:
        """Play a round; 0 is what the players are before any."""
        match = self._lesson_match(number) if number else None
        given: dict[str, dict[str, tuple[int, float]]] = {}
        for side in self.settings.learners:
            now = told_by(book_path(self.folder, side, number))
            given[side] = given_since(self.told[side], now)
            self.told[side] = now
        tuned = {side: self._tune(side, number) for side in self.settings.tuned if number}
        third: dict[str, tuple[StoredMatch, ...]] = {}
        plain: dict[str, tuple[StoredMatch, ...]] = {}
        used: dict[str, Used] = {}
        for side in SIDES:
            if first is not None and side not in self.settings.learners:
                third[side] = first.third[side]  # the same player from the same openings
            else:
                third[side], used[side] = self._third(side, number)
            if (side, number) in self.tuned:
                plain[side] = self._with_old_weights(side, number, third[side])
        return RoundFigures(
            number=number,
            scores=() if match is None else tuple(pair_scores(match).values()),
            games=() if match is None else match.games,
            given=given,
            told=dict(self.told),
            used=used if number else {},
            third=third,
            tuned={side: one for side, one in tuned.items() if one is not None},
            plain=plain,
        )

    def _tune(self, side: str, number: int) -> Tuned | None:
        """Tune a side's net after a round, where it is time to, and keep it as the side's."""
        tune, settings = self.settings.tune, self.settings
        assert tune is not None
        found = None
        if number % tune.every == 0:
            name = settings.names[side]
            found = tune_side(
                name,
                book_path(self.folder, side, number),
                self.folder / "tuned" / f"{side}-{number:02d}",
                tune,
                settings.match.size,
                seed_of(settings.match.seed, TUNING, "ab".index(side)),
                lambda text: self.on_learning(f"round {number}, {name}: {text}"),
            )
        known = found or self.tuned.get((side, number - 1))
        if known is not None:
            self.tuned[side, number] = known
        return found

    def _with_old_weights(
        self, side: str, number: int, third: tuple[StoredMatch, ...]
    ) -> tuple[StoredMatch, ...]:
        """Return the matches of the same side with the same book and the net that it came with."""
        if self.tuned[side, number].is_changed:
            return self._third(side, number, weights=False)[0]
        for match in third:  # the same player, whose games are there
            for _ in match.games:
                self.on_game(f"round {number}, {self.settings.names[side]}")
        return third

    def _lesson_match(self, number: int) -> StoredMatch:
        settings, base = self.settings, self.settings.match
        folder = self.folder / f"round-{number:02d}" / "match"
        names = [self.player(side, number - 1) for side in SIDES]
        terms = meeting(base, names[0], names[1], base.games, seed_of(base.seed, MATCHES, number))
        said = f"round {number}, {settings.names['a']} against {settings.names['b']}"
        match = play_once(terms, folder, jobs=self.jobs, on_game=lambda: self.on_game(said))
        known: dict[tuple[str, int], list[GoodMove]] = {}
        for side in settings.learners:
            grow_book(
                book_path(self.folder, side, number),
                [(folder, match)],
                cast("Side", side),
                settings.teaching,
                before=book_path(self.folder, side, number - 1) if number > 1 else None,
                names={one: label_of(name) for one, name in settings.names.items()},
                known=known,
                tell=lambda text: self.on_learning(f"round {number}, {text}"),
            )
        return match

    def _third(
        self, side: str, number: int, *, weights: bool = True
    ) -> tuple[tuple[StoredMatch, ...], Used]:
        settings, base = self.settings, self.settings.match
        name = self.player(side, number, weights=weights)
        called = side if weights else f"{side}-old-weights"
        matches: list[StoredMatch] = []
        used: list[Used] = []
        each = -(-settings.looked_at // len(settings.third))
        for k, third in enumerate(settings.third):
            folder = self.folder / f"round-{number:02d}" / f"{called}-third-{k + 1}"
            terms = meeting(base, name, third, settings.third_games, seed_of(base.seed, THIRD, k))
            said = f"round {number}, {settings.names[side]} against {third}"
            match = play_once(terms, folder, jobs=self.jobs, on_game=lambda: self.on_game(said))  # noqa: B023
            matches.append(match)
            if number and weights:
                used.append(lessons_used(match, folder, each, player=name))
        return tuple(matches), total_used(used)

"""The openings of a match: drawn or read once, and kept beside its games."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from mariago.arena.opening_balance import BalancedOpenings, described_judge
from mariago.arena.opening_pool import Pool, dealt_openings, read_pool
from mariago.arena.opening_terms import terms_of_text
from mariago.arena.schedule import plan_games
from mariago.arena.settings import MatchSettings, checked_settings
from mariago.arena.start import Opening
from mariago.arena.store import MatchStore
from mariago.arena.store_besides import keep_openings, kept_openings
from mariago.errors import MatchError

__all__ = ["OnOpenings", "can_be_dealt", "openings_of", "with_openings"]

AT_ONCE = 16  # balanced openings that are kept together
OnOpenings = Callable[[int, int], None]


def with_openings(
    settings: MatchSettings, text: str, *, judge: str | None = None, repeat: bool = False
) -> MatchSettings:
    """Return the settings with the openings that ``--openings`` names: a folder is read, a judge
    is looked at.

    Raises:
        MatchError: no opening for this board, or terms that openings cannot have.
        BadInputError: a place that is missing or damaged.
        PlayerError: a judge that cannot be built.
    """
    terms = terms_of_text(text, judge)
    if repeat and (terms is None or terms.source != "folder"):
        hint = "only openings of a folder come again; others are drawn anew"
        raise MatchError("nothing to repeat", where="--repeat-openings", hint=hint)
    if terms is None:
        return settings
    if terms.source == "balanced":
        name, told = described_judge(terms.judge)
        terms = terms.model_copy(update={"judge": name, "sha256": told})
    else:
        pool = _pool(terms.place, settings)
        values: dict[str, object] = {
            "name": Path(terms.place).resolve().name,
            "sha256": pool.sha256,
            "repeat": repeat,
            "distinct": len(pool.openings),
            "other_boards": pool.other_boards,
            "equal": pool.equal,
            "unusable": pool.unusable,
        }
        terms = terms.model_copy(update=values)
    return checked_settings({**dict(settings), "openings": terms})


def _pool(place: str, settings: MatchSettings) -> Pool:
    return read_pool(place, settings.size, settings.rules, settings.move_limit)


def can_be_dealt(settings: MatchSettings) -> None:
    """Refuse settings whose openings cannot be had, before there is anything on disk.

    Raises:
        MatchError: too few in the folder, or none that is balanced.
    """
    terms = settings.openings
    if terms is None:
        plan_games(settings)
    elif terms.source == "folder" and terms.place:
        _of_folder(settings, settings.games // 2)
    elif terms.source == "balanced":
        with _balanced(settings) as drawn:
            drawn.first(1)


def _of_folder(settings: MatchSettings, count: int) -> list[Opening]:
    terms = settings.openings
    assert terms is not None
    if not terms.place:
        hint = "begin the match anew, or resume it with --openings"
        raise MatchError("the folder of the openings is not named", where="--openings", hint=hint)
    pool = _pool(terms.place, settings)
    if pool.sha256 != terms.sha256:
        raise MatchError("the openings have changed", where=terms.place, hint="begin anew")
    return dealt_openings(pool, count, settings.seed, repeat=terms.repeat)


@lru_cache(maxsize=4)
def _drawn_so_far(told: str) -> list[Opening]:
    """Return the balanced openings that this process knows of settings, as a list to add to."""
    del told
    return []


@contextmanager
def _balanced(
    settings: MatchSettings, known: list[Opening] | None = None
) -> Generator[BalancedOpenings]:
    own = ("player_a", "player_b", "games", "time", "sprt", "scoring")
    so_far = _drawn_so_far(settings.model_dump_json(exclude=set(own)))
    drawn = BalancedOpenings(settings, max(so_far, known or [], key=len))
    try:
        yield drawn
    finally:
        so_far[:] = drawn.found
        drawn.close()


def openings_of(
    store: MatchStore, settings: MatchSettings, on_openings: OnOpenings | None = None
) -> list[Opening] | None:
    """Return the openings of a match by pairs, from its store as far as they are there.

    Those that are missing are added to the store. ``None``: the short random ones, which are not
    kept, since they hang on the seed alone.

    Args:
        on_openings: called with (how many are there, how many are wanted) as they come.

    Raises:
        MatchError: see :func:`can_be_dealt`; or the store holds others.
    """
    terms, count = settings.openings, settings.games // 2
    if terms is None:
        return None
    kept = kept_openings(store)
    if terms.source == "folder":
        if len(kept) < count or terms.place:
            found = _of_folder(settings, max(count, len(kept)))
            if [one.as_list() for one in found[: len(kept)]] != [one.as_list() for one in kept]:
                raise store.damaged("its openings are not those of its folder")
            keep_openings(store, found[len(kept) :], len(kept))
            kept = found
    elif len(kept) < count:
        with _balanced(settings, kept) as drawn:
            if drawn.found[: len(kept)] != kept:
                raise store.damaged("its openings are not those of its settings")
            while len(kept) < count:
                found = drawn.first(min(count, len(kept) + AT_ONCE))
                keep_openings(store, found[len(kept) :], len(kept))
                kept = found
                if on_openings is not None:
                    on_openings(len(kept), count)
    return kept[:count]

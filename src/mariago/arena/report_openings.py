"""The openings of a match in its report."""

from __future__ import annotations

from mariago.arena.match import MatchResult
from mariago.arena.opening_figures import HASH_DIGITS, figures_of_openings, span
from mariago.arena.settings import MatchSettings
from mariago.reports import Definitions, Section, Table
from mariago.words import Texts

__all__ = ["opening_section", "source_in_words"]

MOST_NAMED = 50  # files that cannot be used
RANGE = " – "


def source_in_words(settings: MatchSettings, _: Texts) -> str:
    """Return where the openings of a match or a league come from."""
    terms = settings.openings
    if terms is None:
        return _("short random ones")
    if terms.source == "folder":
        again = f" ({_('they may repeat')})" if terms.repeat else ""
        return terms.name + again
    return _(
        "balanced ones, judged by {judge}: Black's chance within {points} points of 50%",
        judge=terms.judge,
        points=f"{100 * terms.within:g}",
    )


def opening_section(result: MatchResult, _: Texts) -> Section:
    """Return what is to be known of the openings."""
    figures = figures_of_openings(result)
    items = [
        (_("Source"), source_in_words(result.settings, _)),
        (_("Distinct openings"), f"{figures.distinct} / {figures.pairs}"),
        (_("Stones put up"), span(figures.stones, RANGE)),
        (_("Moves that nobody chose"), span(figures.moves, RANGE)),
    ]
    if figures.repeated:
        items.append((_("Repeated openings"), str(figures.repeated)))
    if figures.least is not None and figures.most is not None:
        items.append((_("Black's chance"), f"{figures.least:.1%} – {figures.most:.1%}"))
        items.append((_("Rejected"), f"{figures.rejected} / {figures.tried}"))
        items.append((_("Temperature"), f"{figures.temperature:g}"))
    if figures.source == "folder":
        items.append((_("For other boards"), str(figures.other_boards)))
        items.append((_("Equal to others"), str(figures.equal)))
    items.append(("SHA-256", figures.sha256[:HASH_DIGITS]))
    blocks: list[Definitions | Table] = [Definitions(*items)]
    if figures.unusable:
        rows = [list(text.partition(": ")[::2]) for text in figures.unusable[:MOST_NAMED]]
        caption = _("Openings that cannot be used: {count}", count=len(figures.unusable))
        blocks.append(Table([_("File"), _("Reason")], rows, caption=caption))
    return Section(_("Openings"), *blocks)

"""A sequential test in the report of a match."""

from __future__ import annotations

from mariago.arena.statistics import SprtState
from mariago.arena.summary import RULE_OF_STOPPING, Summary
from mariago.reports import Callout, Definitions
from mariago.words import Texts

__all__ = ["sprt_blocks", "sprt_verdict"]


def sprt_verdict(summary: Summary, sprt: SprtState, _: Texts) -> str:
    """Return in one sentence what the test decided about Player A."""
    taken, other = sprt.terms.elo0, sprt.terms.elo1
    if sprt.decision == "elo1":
        taken, other = other, taken
    return _(
        "The sequential test takes {a} to be {taken} Elo above {b} rather than {other}.",
        a=summary.a.name,
        b=summary.b.name,
        taken=f"{taken:g}",
        other=f"{other:g}",
    )


def sprt_blocks(summary: Summary, sprt: SprtState, _: Texts) -> list[Definitions | Callout]:
    """Return the test's terms and where it stands."""
    terms = sprt.terms
    asked = f"elo0={terms.elo0:g}, elo1={terms.elo1:g}, alpha={terms.alpha:g}, beta={terms.beta:g}"
    decision = sprt_verdict(summary, sprt, _) if sprt.decision else _("undecided")
    items = [
        (_("Sequential test"), f"{asked}, scale={terms.scale}"),
        (
            _("Log likelihood ratio"),
            _.several(
                "{ratio} after {count} pair; bounds {lower} and {upper}",
                "{ratio} after {count} pairs; bounds {lower} and {upper}",
                sprt.pairs,
                ratio=f"{sprt.llr:+.2f}",
                lower=f"{sprt.lower:+.2f}",
                upper=f"{sprt.upper:+.2f}",
            ),
        ),
        (_("Decision"), decision),
    ]
    if summary.beyond:
        items.append((_("Games beyond the decision, not counted"), str(len(summary.beyond))))
    blocks: list[Definitions | Callout] = [Definitions(*items)]
    if sprt.decision:
        blocks.append(Callout(_(RULE_OF_STOPPING), title=_("Stopped early")))
    return blocks

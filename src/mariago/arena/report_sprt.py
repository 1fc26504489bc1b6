"""A sequential test in the report of a match."""

from __future__ import annotations

from mariago.arena.statistics import SprtState
from mariago.arena.summary import RULE_OF_STOPPING, Summary
from mariago.reports import Callout, Definitions
from mariago.words import Texts

__all__ = ["sprt_blocks", "sprt_verdict"]


def sprt_verdict(a: str, sprt: SprtState, _: Texts) -> str:
    """Return in one sentence what the test decided about Player A."""
    known = {"a": a, "elo0": f"{sprt.terms.elo0:+g}", "elo1": f"{sprt.terms.elo1:+g}"}
    if sprt.decision == "elo1":
        return _("The sequential test took {elo1} Elo for {a}, not {elo0}.", **known)
    return _("The sequential test took {elo0} Elo for {a}, not {elo1}.", **known)


def sprt_blocks(summary: Summary, sprt: SprtState, _: Texts) -> list[Definitions | Callout]:
    """Return the test's terms and where it stands."""
    terms = sprt.terms
    asked = f"elo0={terms.elo0:g}, elo1={terms.elo1:g}, alpha={terms.alpha:g}, beta={terms.beta:g}"
    decision = sprt_verdict(summary.a.name, sprt, _) if sprt.decision else _("undecided")
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

"""A game viewer that is folded away under its title, for pages that hold many games."""

from dataclasses import dataclass

from mariago.reports.stepper import Stepper

__all__ = ["FoldedGame"]


@dataclass(frozen=True, slots=True)
class FoldedGame(Stepper):
    """A :class:`Stepper` that opens when its title is clicked, without scripts too."""

    opened: bool = False
    """Whether it stands open when the page is first shown."""

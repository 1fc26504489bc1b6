"""The rule sets as data: what they say of ko, suicide, counting, komi and handicap.

A rule set is a row of one table; nothing in the package asks for a rule set by name where a field
would do. ``docs/reference/rules.md`` lists where a field stands in for a rule it does not hold
in full.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

from mariago.errors import RulesError

KoRule = Literal["simple", "positional", "situational"]
Scoring = Literal["area", "territory"]
HandicapBonus = Literal["none", "n", "n-1"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "ko": ("simple", "positional", "situational"),
    "scoring": ("area", "territory"),
    "handicap_bonus": ("none", "n", "n-1"),
}


def komi_of(value: object) -> float:
    """Return komi in points.

    Raises:
        RulesError: not a finite number.
    """
    try:
        komi = float(value)  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        komi = math.nan
    if not math.isfinite(komi):
        raise RulesError(f"komi cannot be {value!r}", hint="komi is a number of points, as 7.5")
    return komi


@dataclass(frozen=True)
class RuleSet:
    """One set of rules.

    ``ko``: ``"simple"`` forbids taking a ko back at once, and a whole board that comes back then
    ends the game as no result; ``"positional"`` forbids any earlier board; ``"situational"`` any
    earlier board with the same side to move. ``suicide`` says whether a move may remove its own
    chain. ``komi`` is the usual one in points. ``handicap_bonus`` is what White gets for N >= 2
    handicap stones.

    Raises:
        RulesError: a field holds a value that is not in its list, or komi is no finite number.
    """

    name: str
    ko: KoRule
    suicide: bool
    scoring: Scoring
    komi: float
    handicap_bonus: HandicapBonus = "none"

    def __post_init__(self) -> None:
        for field, choices in _CHOICES.items():
            value = getattr(self, field)
            if value not in choices:
                raise RulesError(
                    f"{field} cannot be {value!r}", hint=f"choose from {', '.join(choices)}"
                )
        komi_of(self.komi)

    def replace(
        self,
        *,
        name: str = "custom",
        ko: KoRule | None = None,
        suicide: bool | None = None,
        scoring: Scoring | None = None,
        komi: float | None = None,
        handicap_bonus: HandicapBonus | None = None,
    ) -> "RuleSet":
        """Return a rule set of one's own: this one with some fields changed, named ``"custom"``."""
        return replace(
            self,
            name=name,
            ko=self.ko if ko is None else ko,
            suicide=self.suicide if suicide is None else suicide,
            scoring=self.scoring if scoring is None else scoring,
            komi=self.komi if komi is None else komi,
            handicap_bonus=self.handicap_bonus if handicap_bonus is None else handicap_bonus,
        )

    @property
    def is_superko(self) -> bool:
        """Whether a move that brings back a whole board is illegal."""
        return self.ko != "simple"

    def bonus_for(self, handicap: int) -> int:
        """Return the points White gets for ``handicap`` stones; fewer than two stones are none."""
        if handicap < 2 or self.handicap_bonus == "none":
            return 0
        return handicap if self.handicap_bonus == "n" else handicap - 1


RULE_SETS: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        RuleSet("chinese", "simple", False, "area", 7.5, "n"),
        RuleSet("japanese", "simple", False, "territory", 6.5),
        RuleSet("korean", "simple", False, "territory", 6.5),
        RuleSet("ing", "positional", True, "area", 8.0),
        RuleSet("aga", "situational", False, "area", 7.5, "n-1"),
        RuleSet("new_zealand", "situational", True, "area", 7.0),
        RuleSet("tromp_taylor", "positional", True, "area", 7.5),
    )
}
"""Every named rule set. The order is fixed: files store the place in it."""

_OTHER_NAMES = {
    "cn": "chinese",
    "jp": "japanese",
    "kr": "korean",
    "goe": "ing",
    "nz": "new_zealand",
    "newzealand": "new_zealand",
    "tt": "tromp_taylor",
    "tromptaylor": "tromp_taylor",
}


def rules_of(value: "str | RuleSet") -> RuleSet:
    """Return the rule set of this name; a RuleSet is returned as it is.

    Case, hyphens and blanks do not matter; ``nz``, ``tt``, ``cn``, ``jp``, ``kr`` and SGF's
    ``GOE`` are understood.

    Raises:
        RulesError: no rule set has this name.
    """
    if isinstance(value, RuleSet):
        return value
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise RulesError(f"{value!r} is not a rule set", hint=f"choose from {', '.join(RULE_SETS)}")
    name = value.strip().lower().replace("-", "_").replace(" ", "_")
    found = RULE_SETS.get(_OTHER_NAMES.get(name, name))
    if found is None:
        raise RulesError(f"{value!r} is not a rule set", hint=f"choose from {', '.join(RULE_SETS)}")
    return found

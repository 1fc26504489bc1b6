"""Rule sets by name, and in KataGo's words."""

from __future__ import annotations

import json
from typing import Any

from mariago.errors import BadInputError, RulesError
from mariago.gtp.arguments import MANY, Entry, Table
from mariago.gtp.session import Session
from mariago.rules import RuleSet, rules_of

__all__ = ["COMMANDS"]

Words = tuple[str, ...]
_BONUS_OUT = {"none": "0", "n": "N", "n-1": "N-1"}
_BONUS_IN = {word: bonus for bonus, word in _BONUS_OUT.items()}
# Keys of KataGo's rules that name no rule of ours: the value that we play by.
_FIXED = {"tax": ("NONE", "SEKI"), "hasButton": (False,), "friendlyPassOk": (True, False)}


def _unknown() -> BadInputError:
    return BadInputError("unknown rules")


def _named(words: Words) -> RuleSet:
    try:
        return rules_of(" ".join(words))
    except RulesError:
        raise _unknown() from None


def _set_named(session: Session, words: Words) -> str:
    session.set_terms(rules=_named(words))
    return ""


def _set(session: Session, words: Words) -> str:
    text = " ".join(words)
    session.set_terms(rules=_of_json(text, session.rules) if text[0] == "{" else _named(words))
    return ""


def _of_json(text: str, now: RuleSet) -> RuleSet:
    """Return the rules of KataGo's JSON; keys that it lacks stay as they are."""
    try:
        said: Any = json.loads(text)
    except ValueError:
        raise _unknown() from None
    if not isinstance(said, dict) or any(said.get(k, v[0]) not in v for k, v in _FIXED.items()):
        raise _unknown()
    suicide = said.get("suicide", now.suicide)
    bonus = _BONUS_IN.get(str(said.get("whiteHandicapBonus", _BONUS_OUT[now.handicap_bonus])))
    if not isinstance(suicide, bool) or bonus is None:
        raise _unknown()
    try:
        return now.replace(
            ko=str(said.get("ko", now.ko)).lower(),  # pyright: ignore[reportArgumentType]
            scoring=str(said.get("scoring", now.scoring)).lower(),  # pyright: ignore[reportArgumentType]
            suicide=suicide,
            handicap_bonus=bonus,  # pyright: ignore[reportArgumentType]
        )
    except RulesError:
        raise _unknown() from None


def _get(session: Session, _words: Words) -> str:
    rules = session.rules
    return json.dumps(
        {
            "hasButton": False,
            "ko": rules.ko.upper(),
            "scoring": rules.scoring.upper(),
            "suicide": rules.suicide,
            "tax": "SEKI" if rules.scoring == "territory" else "NONE",
            "whiteHandicapBonus": _BONUS_OUT[rules.handicap_bonus],
        }
    )


COMMANDS: Table = {
    "kgs-rules": Entry(_set_named, 1, MANY),
    "kata-set-rules": Entry(_set, 1, MANY),
    "kata-get-rules": Entry(_get),
}

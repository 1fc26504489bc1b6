"""What GoGui shows on its board: facts about moves and stones, and what the player thinks of."""

from __future__ import annotations

import numpy as np

from mariago.board.points import Move, move_to_vertex
from mariago.errors import BadInputError, IllegalMoveError
from mariago.gtp.arguments import Entry, Table, color, vertex
from mariago.gtp.counting import random_ownership
from mariago.gtp.session import Session
from mariago.tactics import facts_of_move, laddered_stones, working_ladder_moves

__all__ = ["COMMANDS"]

Words = tuple[str, ...]
_BAD = ("enters_tigers_mouth", "fills_tigers_mouth", "fills_own_eye", "futile", "self_atari")
_SHOWN = {
    "captures": "#e00000",
    "saves": "#00a000",
    "ladder_works": "#e08000",
    "gives_atari": "#e0e000",
}

# Type of the picture, its label in the menu, the command: one a line.
_ANALYSES = """
string/What a Move Does/mariago-facts %p
gfx/What the Moves Do/mariago-move_facts %c
gfx/What the Player Thinks of/mariago-candidates %c
gfx/Ladders/mariago-ladders
sboard/Liberties/mariago-liberties
dboard/Whose Each Point Is (random games)/mariago-ownership
vpointlist/Legal Moves/all_legal %c
string/Final Score/final_score
plist/Dead Stones/final_status_list dead
""".strip()


def _analyses(_session: Session, _words: Words) -> str:
    return _ANALYSES


def _facts(session: Session, words: Words) -> str:
    side = color(words[0]) if len(words) == 2 else session.position.to_move
    move = vertex(words[-1], session.size)
    try:
        return str(facts_of_move(session.position.with_to_move(side), move))
    except IllegalMoveError:
        raise BadInputError("illegal move") from None


def _move_facts(session: Session, words: Words) -> str:
    """Colour the moves that do something: red takes, green saves, orange catches, grey is bad."""
    position = session.position.with_to_move(color(words[0]))
    points: dict[str, list[Move]] = {}
    for move in position.legal_moves()[:-1]:
        facts = facts_of_move(position, move).as_dict()
        shown = next((tint for fact, tint in _SHOWN.items() if fact in facts), None)
        if shown is None and any(fact in facts for fact in _BAD):
            shown = "#808080"
        if shown is not None:
            points.setdefault(shown, []).append(move)
    return "\n".join(
        f"COLOR {tint} " + " ".join(move_to_vertex(move, session.size) for move in moves)
        for tint, moves in points.items()
    )


def _candidates(session: Session, words: Words) -> str:
    decision = session.decide(color(words[0]))
    cells = session.size.cells
    marks = [(move, weight) for move, weight in decision.candidates if 0 <= move < cells]
    if not marks and not decision.resigned and 0 <= decision.move < cells:
        marks = [(decision.move, 1.0)]
    said = " ".join(f"{move_to_vertex(m, session.size)} {100 * w:.0f}" for m, w in marks)
    value = "" if decision.value is None else f"\nTEXT value {decision.value:+.2f}"
    return (f"LABEL {said}" if said else "TEXT pass") + value


def _ladders(session: Session, _words: Words) -> str:
    position = session.position
    lines = [
        ("MARK", laddered_stones(position)),
        ("CIRCLE", working_ladder_moves(position)),
    ]
    return "\n".join(
        f"{sign} " + " ".join(move_to_vertex(move, session.size) for move in moves)
        for sign, moves in lines
        if moves
    )


def _liberties(session: Session, _words: Words) -> str:
    counts = session.position.liberty_counts()
    rows = (" ".join(str(n) if n else '""' for n in row) for row in counts.tolist())
    return "\n" + "\n".join(rows)


def _ownership(session: Session, _words: Words) -> str:
    owner = np.round(random_ownership(session.position), 2) + 0.0
    return "\n" + "\n".join(" ".join(f"{value:g}" for value in row) for row in owner.tolist())


COMMANDS: Table = {
    "gogui-analyze_commands": Entry(_analyses),
    "mariago-facts": Entry(_facts, 1, 2),
    "mariago-move_facts": Entry(_move_facts, 1),
    "mariago-candidates": Entry(_candidates, 1),
    "mariago-ladders": Entry(_ladders),
    "mariago-liberties": Entry(_liberties),
    "mariago-ownership": Entry(_ownership),
}

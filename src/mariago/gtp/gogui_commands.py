"""What GoGui shows on its board: facts about moves and stones, and what the player thinks of."""

from __future__ import annotations

import numpy as np

from mariago.board.points import move_to_point, move_to_vertex
from mariago.errors import BadInputError, IllegalMoveError
from mariago.gtp.analysis import analysis_commands
from mariago.gtp.arguments import Entry, Table, color, vertex
from mariago.gtp.session import Session
from mariago.scoring.finished import random_ownership
from mariago.tactics import fact_kernels as index
from mariago.tactics import facts_of_move, laddered_stones, working_ladder_moves
from mariago.tactics.flag_kernels import CAPTURES, GIVES_ATARI, SAVES, SELF_ATARI

__all__ = ["COMMANDS"]

Words = tuple[str, ...]
_SHOWN = {
    CAPTURES: "#e00000",
    SAVES: "#00a000",
    index.LADDER_WORKS: "#e08000",
    GIVES_ATARI: "#e0e000",
    **dict.fromkeys((index.ENTERS_MOUTH, index.FILLS_MOUTH, index.FUTILE, SELF_ATARI), "#808080"),
}
"""A fact that a move has -> the colour it is shown in; the first that holds."""

_ELSEWHERE = {"all_legal", "final_score", "final_status_list"}

# Type of the picture, its label in the menu, the command: one a line.
_ANALYSES = """
string/What a Move Does/mariago-facts %p
gfx/What the Moves Do/mariago-move_facts %c
gfx/What the Player Thinks of/mariago-candidates %c
gfx/Ladders/mariago-ladders
sboard/Liberties/mariago-liberties
dboard/Whose Each Point Is/mariago-ownership
vpointlist/Legal Moves/all_legal %c
string/Final Score/final_score
plist/Dead Stones/final_status_list dead
string/Can It Be Captured/attack %p
string/Can It Be Saved/defend %p
string/Can It Be Killed/owl_attack %p
string/Can It Live/owl_defend %p
string/Does It Live by Itself/unconditional_status %p
string/What Eye It Is/eval_eye %p
""".strip().split("\n")


def _analyses(_session: Session, _words: Words) -> str:
    """List what can be shown; of the questions about positions those that can be answered."""
    known = COMMANDS.keys() | analysis_commands().keys() | _ELSEWHERE
    return "\n".join(line for line in _ANALYSES if line.split("/")[2].split()[0] in known)


def _facts(session: Session, words: Words) -> str:
    side = color(words[0]) if len(words) == 2 else session.position.to_move
    move = vertex(words[-1], session.size)
    try:
        return str(facts_of_move(session.position.with_to_move(side), move))
    except IllegalMoveError:
        raise BadInputError("illegal move") from None


def _move_facts(session: Session, words: Words) -> str:
    """Colour the moves that do something: red takes, green saves, orange catches, yellow gives
    atari, grey is into a tiger's mouth, fills one's own, is futile or into atari."""
    position = session.position.with_to_move(color(words[0]))
    points: dict[str, list[str]] = {}
    for move in position.legal_moves()[:-1]:
        point = move_to_point(move, session.size)
        facts = index.facts_at(position.state, int(point), position.rules.suicide)
        shown = next((tint for fact, tint in _SHOWN.items() if facts[fact]), None)
        if shown is not None:
            points.setdefault(shown, []).append(move_to_vertex(move, session.size))
    return "\n".join(f"COLOR {tint} {' '.join(at)}" for tint, at in points.items())


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
    """By the player's net where it has learnt it, else by random games."""
    known = None if session.guess is None else session.guess(session.position)
    owner = np.round(random_ownership(session.position) if known is None else known, 2) + 0.0
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

"""Facts: what has been checked about one move, with plain sentences.

One implementation serves the flags of samples, the weights of the rule-based player, lessons and
explanations. What a fact means is written in ``fact_kernels``.
"""

from dataclasses import asdict, dataclass

import numpy as np

from mariago.board.points import COLOR_NAMES, Move, Vertex, move_to_point, move_to_vertex
from mariago.errors import IllegalMoveError
from mariago.rules import Position
from mariago.tactics import fact_kernels as index
from mariago.tactics.flag_kernels import (
    CAPTURES,
    FLAGS,
    GIVES_ATARI,
    IN_ATARI,
    SAVES,
    SELF_ATARI,
    move_flags,
)
from mariago.tactics.shape_kernels import EYE, FALSE_EYE


@dataclass(frozen=True)
class Facts:
    """What is known of a move before it is played. Numbers count stones unless they say else."""

    move: Move
    vertex: Vertex
    color: int  # who plays it
    captures: int = 0  # opponent stones taken
    saves: int = 0  # own stones in atari that get two liberties or more
    gives_atari: int = 0  # opponent stones newly in atari
    self_atari: int = 0  # stones of the played chain, where it is left with one liberty
    in_atari: int = 0  # own stones in atari before the move, anywhere
    captures_caught: int = 0  # of those taken: could not have got away anyway
    enters_tigers_mouth: bool = False
    fills_tigers_mouth: bool = False
    chains_in_atari: int = 0  # opponent chains newly in atari
    ladder_works: int = 0  # opponent stones newly in atari that cannot get away
    ladder_broken: int = 0  # opponent stones that the move starts to chase, and that get away
    own_caught: int = 0  # stones of the played chain that a ladder takes
    averts_ladder: int = 0  # own stones that a ladder would have taken
    fills_own_eye: bool = False
    fills_false_eye: bool = False
    fills_own_territory: bool = False
    futile: bool = False  # only the opponent can live there
    risks_double_atari: bool = False
    is_suicide: bool = False
    liberties_after: int = 0  # liberties of the played chain
    joins: int = 0  # own chains touched
    touches: int = 0  # opponent chains touched

    @property
    def is_pass(self) -> bool:
        """Whether the move is a pass."""
        return self.vertex == "pass"

    @property
    def is_double_atari(self) -> bool:
        """Whether the move puts two chains or more into atari at once."""
        return self.chains_in_atari >= 2

    def as_dict(self) -> dict[str, object]:
        """Return the fields by name, those that say nothing left out."""
        kept = {name: value for name, value in asdict(self).items() if value}
        return {"move": self.move, "vertex": str(self.vertex), "color": self.color, **kept}

    @property
    def sentences(self) -> list[str]:
        """What the move does, one plain English sentence each, the most telling first."""
        said: list[str] = []

        def say(holds: object, text: str) -> None:
            if holds:
                said.append(text)

        say(self.is_suicide, "It is suicide.")
        say(self.captures, f"It captures {_stones(self.captures)}.")
        say(
            self.captures and self.captures == self.captures_caught,
            "They could not have got away in any case.",
        )
        say(self.saves, f"It saves {_stones(self.saves)} from atari.")
        say(self.averts_ladder, f"It saves {_stones(self.averts_ladder)} from a ladder.")
        say(self.is_double_atari, f"It is a double atari on {self.chains_in_atari} chains.")
        say(self.ladder_works, f"It catches {_stones(self.ladder_works)}: no escape works.")
        say(
            self.gives_atari > self.ladder_works + self.ladder_broken,
            f"It puts {_stones(self.gives_atari)} into atari.",
        )
        say(
            self.ladder_broken,
            f"It chases {_stones(self.ladder_broken)} in a ladder that does not work.",
        )
        say(self.self_atari, f"It leaves {_stones(self.self_atari, 'own ')} in atari.")
        say(self.own_caught, f"A ladder can take {_stones(self.own_caught, 'own ')}.")
        say(self.enters_tigers_mouth, "It enters a tiger's mouth.")
        say(self.fills_tigers_mouth, "It fills its own tiger's mouth.")
        say(self.risks_double_atari, "It allows a double atari.")
        say(self.fills_own_eye, "It fills its own eye.")
        say(self.fills_false_eye, "It fills a false eye of its own.")
        say(self.fills_own_territory, "It fills its own territory.")
        say(self.futile, "It is futile: only the opponent can live there.")
        return said

    def __str__(self) -> str:
        name = COLOR_NAMES[self.color].capitalize()
        if self.is_pass:
            return f"{name} passes."
        return " ".join([f"{name} {self.vertex}.", *self.sentences])


def _stones(count: int, whose: str = "") -> str:
    return f"{count} {whose}stone{'' if count == 1 else 's'}"


def facts_of_move(position: Position, move: int) -> Facts:
    """Return what can be checked about ``move`` by the side to move, before it is played.

    Raises:
        IllegalMoveError: the rules forbid the move.
        CoordinateError: not a move of this board.
    """
    vertex = move_to_vertex(move, position.size)
    reason = position.why_illegal(move)
    if reason is not None:
        raise IllegalMoveError(reason, vertex)
    state = position.state
    known = Move(int(move))
    point = move_to_point(move, position.size)
    if point < 0:
        flags = np.zeros(FLAGS, np.uint16)
        move_flags(state, -1, flags)
        return Facts(known, vertex, position.to_move, in_atari=int(flags[IN_ATARI]))
    row = index.facts_at(state, int(point), position.rules.suicide)
    values = [int(value) for value in row]
    return Facts(
        known,
        vertex,
        position.to_move,
        captures=values[CAPTURES],
        saves=values[SAVES],
        gives_atari=values[GIVES_ATARI],
        self_atari=values[SELF_ATARI],
        in_atari=values[IN_ATARI],
        captures_caught=values[index.CAPTURES_CAUGHT],
        enters_tigers_mouth=bool(values[index.ENTERS_MOUTH]),
        fills_tigers_mouth=bool(values[index.FILLS_MOUTH]),
        chains_in_atari=values[index.CHAINS_IN_ATARI],
        ladder_works=values[index.LADDER_WORKS],
        ladder_broken=values[index.LADDER_BROKEN],
        own_caught=values[index.OWN_CAUGHT],
        averts_ladder=values[index.AVERTS],
        fills_own_eye=values[index.OWN_EYE] == EYE,
        fills_false_eye=values[index.OWN_EYE] == FALSE_EYE,
        fills_own_territory=bool(values[index.OWN_TERRITORY]),
        futile=bool(values[index.FUTILE]),
        risks_double_atari=bool(values[index.DOUBLE_ATARI_RISK]),
        is_suicide=values[index.LIBERTIES_AFTER] == 0,
        liberties_after=values[index.LIBERTIES_AFTER],
        joins=values[index.JOINS],
        touches=values[index.CUTS],
    )

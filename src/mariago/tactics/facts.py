"""Facts: what has been checked about one move, with plain sentences.

One implementation serves the columns of samples, the weights of the rule-based player, lessons and
explanations. What a fact means is written in ``fact_kernels`` and ``deep_fact_kernels``.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.points import COLOR_NAMES, Move, Vertex, move_to_point, move_to_vertex
from mariago.errors import IllegalMoveError
from mariago.rules import Position
from mariago.tactics import deep_fact_kernels as deep
from mariago.tactics import fact_kernels as index
from mariago.tactics.fact_bits import fact_bits
from mariago.tactics.fact_names import SHAPE_NAMES, facts_of_bits
from mariago.tactics.fact_places import chains_told
from mariago.tactics.fact_words import sentences_of
from mariago.tactics.flag_kernels import CAPTURES, GIVES_ATARI, IN_ATARI, SAVES, SELF_ATARI
from mariago.tactics.shape_kernels import EYE, FALSE_EYE
from mariago.words import texts

# The fields that count stones of chains which stand on the board before the move.
_COUNTED = (
    "captures", "saves_by_capturing", "saves_by_connecting", "gives_atari", "ladder_works",
    "ladder_broken", "averts_ladder", "ladder_breaker", "ladder_made", "ladder_lost", "exposed",
    "net", "closed_in",
)  # fmt: skip


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
    fills_own_territory: bool = False  # where the board is settled
    futile: bool = False  # where the board is settled for the opponent
    risks_double_atari: bool = False
    is_suicide: bool = False
    liberties_after: int = 0  # liberties of the played chain
    joins: int = 0  # own chains touched
    touches: int = 0  # opponent chains touched
    saves_by_capturing: int = 0  # of the saved stones: those beside stones that are taken
    saves_by_connecting: int = 0  # of the others: those that the move joins to another own chain
    sensible_self_atari: bool = False  # the stones left in atari are so for a checked reason
    connects: int = 0  # own chains that become one, from 2 on
    could_be_cut: int = 0  # of these, chains that the opponent could have parted here
    cuts: int = 0  # opponent chains parted from one another, that they could have joined here
    makes_tigers_mouths: int = 0  # points that become tiger's mouths of one's own
    snapback: int = 0  # opponent stones that it takes
    connect_and_die: int = 0  # opponent stones that fall even after connecting
    throw_in: bool = False
    takes_ko: bool = False
    fills_ko: bool = False
    offers_ko: bool = False  # is left in atari, and is taken as a ko
    nakade: int = 0  # points of the opponent's eye whose vital point it is
    ladder_breaker: int = 0  # own stones far off that a ladder took, and takes no longer
    ladder_made: int = 0  # opponent stones elsewhere that a ladder takes now, and did not before
    ladder_lost: int = 0  # opponent stones elsewhere that a ladder took, and takes no longer
    exposed: int = 0  # own stones elsewhere that a ladder takes now, and did not before
    net: int = 0  # opponent stones, not touched, that cannot get away any more
    closed_in: int = 0  # the same of chains that it touches without giving atari
    # Field -> a stone of each chain whose stones it counts, for the fields of chains on the board.
    places: dict[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]], hash=False
    )
    shapes: tuple[str, ...] = ()  # of ``fact_names.SHAPE_NAMES``
    bits: int = 0  # all of it as in the column ``facts`` of samples

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
    def names(self) -> tuple[str, ...]:
        """The facts that hold, by their names in ``fact_names.FACT_NAMES``."""
        return facts_of_bits(self.bits)

    @property
    def sentences(self) -> list[str]:
        """What the move does, one plain English sentence each, the most telling first."""
        return self.told("en")

    def told(self, lang: str) -> list[str]:
        """Return the sentences in a language."""
        return sentences_of(self, texts(lang))

    def __str__(self) -> str:
        name = COLOR_NAMES[self.color].capitalize()
        if self.is_pass:
            return f"{name} passes."
        return " ".join([f"{name} {self.vertex}.", *self.sentences])


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
    point = int(move_to_point(move, position.size))
    row = deep.deep_facts_at(position.state, point, position.rules.suicide)
    told = Facts(
        Move(int(move)), vertex, position.to_move, in_atari=int(row[IN_ATARI]),
        bits=int(fact_bits(row[None])[0]),
    )  # fmt: skip
    if point < 0:
        return told
    shapes = tuple(name for name in told.names if name in SHAPE_NAMES)
    known = replace(told, shapes=shapes, **_cheap(row), **_deep(row))
    return known if known.is_suicide else replace(known, places=_places(position, known))


def _places(position: Position, facts: Facts) -> dict[str, tuple[str, ...]]:
    """Return the stones that stand for the chains of each fact."""
    fields = {name: int(getattr(facts, name)) for name in _COUNTED}
    fields["saves_by_extending"] = (
        facts.saves - facts.saves_by_capturing - facts.saves_by_connecting
    )
    return {
        name: tuple(str(move_to_vertex(min(chain), position.size)) for chain in chains)
        for name, chains in chains_told(position, facts.move, fields).items()
    }


def _cheap(row: "npt.NDArray[np.int32]") -> dict[str, Any]:
    """Return the fields that ``fact_kernels`` fills."""
    values = [int(value) for value in row]
    return {
        "captures": values[CAPTURES],
        "saves": values[SAVES],
        "gives_atari": values[GIVES_ATARI],
        "self_atari": values[SELF_ATARI],
        "captures_caught": values[index.CAPTURES_CAUGHT],
        "enters_tigers_mouth": bool(values[index.ENTERS_MOUTH]),
        "fills_tigers_mouth": bool(values[index.FILLS_MOUTH]),
        "chains_in_atari": values[index.CHAINS_IN_ATARI],
        "ladder_works": values[index.LADDER_WORKS],
        "own_caught": values[index.OWN_CAUGHT],
        "averts_ladder": values[index.AVERTS],
        "fills_own_eye": values[index.OWN_EYE] == EYE,
        "fills_false_eye": values[index.OWN_EYE] == FALSE_EYE,
        "fills_own_territory": bool(values[index.OWN_TERRITORY]),
        "futile": bool(values[index.FUTILE]),
        "risks_double_atari": bool(values[index.DOUBLE_ATARI_RISK]),
        "is_suicide": values[index.LIBERTIES_AFTER] == 0,
        "liberties_after": values[index.LIBERTIES_AFTER],
        "joins": values[index.JOINS],
        "touches": values[index.CUTS],
    }


def _deep(row: "npt.NDArray[np.int32]") -> dict[str, Any]:
    """Return the fields that ``deep_fact_kernels`` fills."""
    values = [int(value) for value in row]
    return {
        "saves_by_capturing": values[deep.SAVES_BY_CAPTURE],
        "saves_by_connecting": values[deep.SAVES_BY_CONNECTING],
        "sensible_self_atari": bool(values[deep.SENSIBLE]),
        "connects": values[deep.CONNECTS],
        "could_be_cut": values[deep.COULD_BE_CUT],
        "cuts": values[deep.CUTS_APART],
        "makes_tigers_mouths": values[deep.MOUTHS_MADE],
        "snapback": values[deep.SNAPBACK],
        "connect_and_die": values[deep.CONNECT_AND_DIE],
        "throw_in": bool(values[deep.THROW_IN]),
        "takes_ko": bool(values[deep.TAKES_KO]),
        "fills_ko": bool(values[deep.FILLS_KO]),
        "offers_ko": bool(values[deep.OFFERS_KO]),
        "nakade": values[deep.NAKADE],
        "ladder_breaker": values[deep.LADDER_BREAKER],
        "ladder_made": values[deep.LADDER_MADE],
        "ladder_lost": values[deep.LADDER_LOST],
        "exposed": values[deep.EXPOSED],
        "net": values[deep.NET],
        "closed_in": values[deep.CLOSED_IN],
        "ladder_broken": values[deep.CHASED],
    }

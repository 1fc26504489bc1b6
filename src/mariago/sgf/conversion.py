"""Between a game in numbers and a Game that has been played through under rules."""

import numpy as np

from mariago.board.points import BLACK, EMPTY, WHITE
from mariago.errors import SgfError
from mariago.rules.game import Game, Player
from mariago.rules.position import Position
from mariago.rules.result import Result
from mariago.rules.rule_sets import RULE_SETS, RuleSet
from mariago.sgf.games import ReadGame
from mariago.sgf.names import INFO_NAMES, one_line

__all__ = ["game_of", "numbers_of"]

DEFAULT_RULES = "chinese"
MOST_MOVES = 10_000  # a longer "game" is none; each of its positions knows all that came before


def game_of(read: ReadGame, rules: str | RuleSet | None = None) -> Game:
    """Play a game in numbers through.

    ``rules`` go before those of the file; Chinese where neither says. Unknown komi becomes the
    rules' usual one. The texts of the file are in ``properties``.

    Raises:
        SgfError: the game was refused for another reason than having no moves, or has more than
            10,000.
        IllegalMoveError: a move is illegal under the rules; ``.where`` holds its number.
        RulesError: set-up stones without liberties, or unknown rules.
    """
    if read.refusal not in (None, "no_moves"):
        raise SgfError(
            f"this record cannot be played through: {read.refusal}",
            where=read.source or None,
            hint="its problems say where reading stopped; the moves before that were read",
        )
    if len(read.moves) > MOST_MOVES:
        raise SgfError(
            f"a record of {len(read.moves):,} moves is no game; at most {MOST_MOVES:,} are played",
            where=read.source or None,
        )
    stones = np.zeros(read.size.cells, np.uint8)
    for ply, color, move in read.setup:
        if ply == 0:
            stones[move] = color
    start = Position.from_stones(
        stones.reshape(read.size),
        to_move=read.first_player,
        rules=rules or read.rules or DEFAULT_RULES,
        komi=read.komi,
        handicap=read.handicap,
    )
    names, ranks = read.players, read.ranks
    return Game.from_moves(
        start,
        read.moves,
        setups=[stone for stone in read.setup if stone[0] > 0],
        players={BLACK: Player(names[0], ranks[0]), WHITE: Player(names[1], ranks[1])},
        result=read.result,
        properties=read.info,
        source=read.source or None,
    )


def numbers_of(game: Game) -> ReadGame:
    """Return a Game in numbers, as reading its file would give it.

    Of ``properties`` those in ``INFO_NAMES`` are kept. Rules that have no name of ours are lost.
    """
    start = game.start
    kept = {name: one_line(name, game.properties.get(name, "")) for name in INFO_NAMES}
    for color, name, rank in ((BLACK, "PB", "BR"), (WHITE, "PW", "WR")):
        kept[name] = one_line(name, game.players[color].name)
        kept[rank] = one_line(rank, game.players[color].rank)
    stones = start.stones.ravel()
    setup = [(0, int(stones[move]), int(move)) for move in np.flatnonzero(stones != EMPTY)]
    setup += [(s.ply, color, int(move)) for s in game.setups for color, move in s.points]
    moves = [(color, int(move)) for color, move in game.moves]
    return ReadGame(
        size=start.size,
        moves=moves,
        setup=setup,
        first_player=moves[0][0] if moves else start.to_move,
        handicap=start.handicap,
        komi=start.komi,
        rules=start.rules.name if start.rules.name in RULE_SETS else None,
        result=None if game.result == Result.unknown() else game.result,
        info={name: text for name, text in kept.items() if text},
        refusal=None if moves else "no_moves",
        source=game.source or "",
    )

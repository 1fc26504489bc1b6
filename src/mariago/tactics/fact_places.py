"""Which stones a fact of a move is about: the chains, by fact, for sentences and marks."""

from collections.abc import Iterable

from mariago.board.points import Move, move_to_point
from mariago.rules import Position
from mariago.tactics.deep_fact_kernels import FAR
from mariago.tactics.ladder_kernels import ladder_workspace
from mariago.tactics.ladders import laddered_stones, reads_as_captured
from mariago.tactics.net_kernels import REACH, is_netted, net_workspace

__all__ = ["Chain", "chains_beside", "chains_told"]

Chain = tuple[Move, ...]


def chains_beside(position: Position, move: int, color: int) -> tuple[list[Chain], list[Chain]]:
    """Return the chains of ``color``, and those of the other, that a stone at ``move`` touches."""
    size = position.size
    row, column = divmod(move, size.columns)
    found: tuple[list[Chain], list[Chain]] = ([], [])
    for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if not (0 <= r < size.rows and 0 <= c < size.columns):
            continue
        held = position.color_at(r * size.columns + c)
        chain = position.chain_at(r * size.columns + c) if held else ()
        side = found[0 if held == color else 1]
        if chain and not any(chain[0] in other for other in side):
            side.append(chain)
    return found


def chains_told(before: Position, move: int, counts: dict[str, int]) -> dict[str, list[Chain]]:
    """Return the chains, as they stood before the move, that each fact counts the stones of.

    ``counts`` holds the stones of each fact by its field in ``Facts``. A fact whose chains do not
    hold just as many stones is left out, so what is named is what was counted.
    """
    wanted = {name: count for name, count in counts.items() if count}
    if not wanted:
        return {}
    after = before.play(move)
    found = _beside_it(before, after, move)
    if wanted.keys() & {"net", "closed_in"}:
        found |= _netted(before, after, move)
    if wanted.keys() & {"averts_ladder", "ladder_breaker", "ladder_made", "ladder_lost", "exposed"}:
        netted = [c for name in ("net", "closed_in") if name in wanted for c in found[name]]
        found |= _laddered(before, after, move, netted)
    return {
        name: found[name]
        for name, count in wanted.items()
        if name in found and sum(map(len, found[name])) == count
    }


def _room(position: Position, chain: Chain) -> int:
    return len(position.liberties_at(chain[0]))


def _chains_of(position: Position, stones: Iterable[Move], color: int) -> list[Chain]:
    """Return the chains of a colour among ``stones``, in the order of their first stones."""
    chains = {position.chain_at(m) for m in stones if position.color_at(m) == color}
    return sorted({tuple(sorted(chain)) for chain in chains})


def _beside_it(before: Position, after: Position, move: int) -> dict[str, list[Chain]]:
    """Return what the move takes, saves from atari and puts into atari."""
    color, size = before.to_move, before.size
    _, theirs = chains_beside(before, move, color)
    taken = [chain for chain in theirs if after.color_at(chain[0]) == 0]
    gone = {stone for chain in taken for stone in chain}
    own = _chains_of(before, [Move(m) for m in range(size.cells)], color)
    saved = [c for c in own if _room(before, c) == 1 and _room(after, c) > 1]
    freed = [chain for chain in saved if _is_beside(chain, gone, size.columns)]
    rest = [chain for chain in saved if chain not in freed]
    ataris = [c for c in theirs if c not in taken and _room(before, c) == 2]
    caught = [chain for chain in ataris if reads_as_captured(after, chain[0])]
    joins = len(chains_beside(before, move, color)[0]) > 1
    return {
        "captures": taken,
        "saves_by_capturing": freed,
        "saves_by_connecting": rest if joins else [],
        "saves_by_extending": [] if joins else rest,
        "gives_atari": ataris,
        "ladder_works": caught,
        "ladder_broken": [chain for chain in ataris if chain not in caught],
    }


def _is_beside(chain: Chain, stones: Iterable[int], columns: int) -> bool:
    """Say whether a stone of the chain is beside one of ``stones``."""
    places = [divmod(stone, columns) for stone in stones]
    return any(
        abs(r - y) + abs(c - x) == 1
        for r, c in (divmod(m, columns) for m in chain)
        for y, x in places
    )


def _netted(before: Position, after: Position, move: int) -> dict[str, list[Chain]]:
    """Return the chains that the move nets, and those that it shuts in."""
    size, other = before.size, 3 - before.to_move
    space, work = net_workspace(*size), ladder_workspace(*size)
    row, column = divmod(move, size.columns)
    near = [
        Move(r * size.columns + c)
        for r in range(max(0, row - REACH), min(size.rows, row + REACH + 1))
        for c in range(max(0, column - REACH), min(size.columns, column + REACH + 1))
    ]
    turned = before.with_to_move(other)
    on_edge = row in (0, size.rows - 1) or column in (0, size.columns - 1)
    found: dict[str, list[Chain]] = {"net": [], "closed_in": []}
    for chain in _chains_of(before, near, other):
        if after.color_at(chain[0]) != other or _room(after, chain) < 2:
            continue
        point = int(move_to_point(chain[0], size))
        netted = is_netted(after.state, point, space, work)
        if netted and not is_netted(turned.state, point, space, work):
            touches = _room(before, chain) != _room(after, chain)
            found["closed_in" if touches or on_edge else "net"].append(chain)
    return found


def _laddered(
    before: Position, after: Position, move: int, netted: list[Chain]
) -> dict[str, list[Chain]]:
    """Return the chains whose ladders the move makes or breaks, near it and far away."""
    color = before.to_move
    caught, still = set(laddered_stones(before)), set(laddered_stones(after))
    beside = chains_beside(before, move, color)
    freed = _chains_of(before, caught, color)
    touched = [_sorted(chain) for chain in beside[0]]
    gone = [stone for chain in beside[1] if after.color_at(chain[0]) == 0 for stone in chain]
    safe = [
        chain
        for chain in freed
        if _room(before, chain) == 2
        and (chain in touched or not _is_beside(chain, gone, before.size.columns))
        and _room(after, chain) > 1
        and not _falls(after, chain)
    ]
    away = [c for c in freed if c[0] not in still and c not in touched]
    breaks = [chain for chain in away if _lines_to(move, chain, before.size.columns) >= FAR]
    theirs = _chains_of(before, caught | still, 3 - color)
    elsewhere = [
        c for c in theirs if c not in map(_sorted, beside[1]) and after.color_at(c[0]) == 3 - color
    ]
    return {
        "averts_ladder": [chain for chain in safe if chain not in breaks],
        "ladder_breaker": breaks,
        "exposed": [
            chain for chain in _chains_of(before, still - caught, color) if chain not in touched
        ],
        "ladder_made": [c for c in elsewhere if c[0] not in caught and c not in netted],
        "ladder_lost": [c for c in elsewhere if c[0] not in still],
    }


def _sorted(chain: Chain) -> Chain:
    return tuple(sorted(chain))


def _falls(after: Position, chain: Chain) -> bool:
    return _room(after, chain) == 2 and reads_as_captured(after, chain[0])


def _lines_to(move: int, chain: Chain, columns: int) -> int:
    row, column = divmod(move, columns)
    places = (divmod(stone, columns) for stone in chain)
    return min(max(abs(r - row), abs(c - column)) for r, c in places)

"""The names of the facts of a move, in the order of their bits, and what they mean in few words.

This table is shared by tactics, samples, filters, weights and docs. The order only grows at its
end: stored data sets hold the bits.
"""

__all__ = ["FACTS_IN_WORDS", "FACT_NAMES", "SHAPE_NAMES", "facts_of_bits"]

FACTS_IN_WORDS: dict[str, str] = {
    "captures": "takes stones",
    "saves_by_extending": "saves from atari by extending or connecting",
    "saves_by_capturing": "saves from atari by capturing",
    "gives_atari": "gives atari",
    "double_atari": "double atari on two chains",
    "self_atari": "moves into atari",
    "sensible_self_atari": "moves into atari for a reason",
    "working_ladder": "atari that cannot be escaped",
    "broken_ladder": "ladder that does not work",
    "averts_ladder": "saves from a ladder",
    "own_caught": "stands in a ladder",
    "ladder_breaker": "ladder breaker far off",
    "ladder_made": "makes a ladder work elsewhere",
    "ladder_lost": "gives up a ladder elsewhere",
    "exposed": "lets a ladder work elsewhere",
    "net": "net that closes",
    "closed_in": "shuts in without atari",
    "snapback": "snapback that works",
    "connect_and_die": "connect-and-die that works",
    "throw_in": "throw-in",
    "takes_ko": "takes a ko",
    "fills_ko": "fills a ko",
    "offers_ko": "offers a ko",
    "nakade": "vital point of an eye",
    "connects": "connects chains",
    "solid_connection": "connects what could be cut",
    "cuts": "cuts chains apart",
    "enters_tigers_mouth": "enters a tiger's mouth",
    "fills_tigers_mouth": "fills an own tiger's mouth",
    "makes_tigers_mouth": "makes a tiger's mouth",
    "fills_own_eye": "fills an own eye",
    "fills_false_eye": "fills an own false eye",
    "fills_own_territory": "fills own territory",
    "futile": "where only the opponent can live",
    "risks_double_atari": "allows a double atari",
    "is_suicide": "suicide of own stones",
    # shapes: what stands on the board, nothing read
    "stretch": "straight stretch",
    "descent": "descent to the edge",
    "crawl": "crawl along the edge",
    "block": "block in front",
    "push": "push through a gap",
    "hane": "hane round a stone",
    "jump": "one-point jump",
    "two_point_jump": "two-point jump",
    "small_knight": "small knight's move",
    "large_knight": "large knight's move",
    "diagonal": "diagonal move",
    "extension": "extension along the side",
    "clamp": "clamp",
    "bridge_under": "bridge under the opponent",
    "empty_triangle": "empty triangle",
    "attachment": "attachment",
    "four_four": "4-4 point of an empty corner",
    "three_three": "3-3 point of an empty corner",
    "three_four": "3-4 point of an empty corner",
    "three_five": "3-5 point of an empty corner",
    "four_five": "4-5 point of an empty corner",
    "center_point": "middle point of the board",
    "side_star": "star point of a side",
    "approach": "approach to a corner stone",
    "enclosure": "corner enclosure",
    "three_three_invasion": "3-3 invasion",
}
"""Name of a fact -> what it means in few words; the words have translations."""

FACT_NAMES: tuple[str, ...] = tuple(FACTS_IN_WORDS)
"""The name of each bit."""

SHAPE_NAMES: tuple[str, ...] = FACT_NAMES[FACT_NAMES.index("stretch") :]
"""Those of them that name a shape."""


def facts_of_bits(bits: int) -> tuple[str, ...]:
    """Return the names of the facts whose bits are set."""
    return tuple(name for at, name in enumerate(FACT_NAMES) if int(bits) >> at & 1)

"""Chinese counting in the words used at the board: one side's stones against half the points."""

from fractions import Fraction

from mariago.scoring.count import Score


def stones_text(stones: "Fraction | float") -> str:
    """Return a number of stones as people write it: ``"3 3/4"``, ``"180 1/2"``, ``"0"``.

    Rounded to quarters, the smallest step a count can have.
    """
    quarters = round(Fraction(stones) * 4)
    sign, quarters = ("-", -quarters) if quarters < 0 else ("", quarters)
    whole, rest = divmod(quarters, 4)
    if rest == 0:
        return f"{sign}{whole}"
    part = str(Fraction(rest, 4))
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"


def chinese_text(score: Score) -> str:
    """Return the count of an area score in stones, from Black's side.

    Black's count less half the points given to White is held against half the board: ``"Black 185
    - 3 3/4 = 181 1/4 against 180 1/2: Black wins by 3/4"``. A point that nobody owns is shared.
    """
    if score.how != "area":
        raise ValueError("Chinese counting is by area")
    cells = score.owner.size
    given = Fraction(score.komi + score.bonus) / 2
    area_margin = Fraction(score.margin) + 2 * given
    black = (cells + area_margin) / 2
    half = Fraction(cells, 2)
    left = black - given
    lead = left - half
    verdict = "a draw"
    if lead != 0:
        verdict = f"{'Black' if lead > 0 else 'White'} wins by {stones_text(abs(lead))}"
    return (
        f"Black {stones_text(black)} - {stones_text(given)} = {stones_text(left)} "
        f"against {stones_text(half)}: {verdict}"
    )

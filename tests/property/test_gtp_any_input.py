"""Whatever comes in, what goes out is replies; and the board is the plain reference's."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.reference.gtp_scripts import replies_to, session_of
from tests.reference.plain_go import PlainPosition

from mariago.gtp import all_commands
from mariago.gtp.analysis import analysis_commands

# Those about positions have tests of their own; printsgf and loadsgf would write and read anywhere.
OWN = sorted(
    set(all_commands()) - set(analysis_commands()) - {"printsgf", "loadsgf", "mariago-facts"}
)
WORDS = [
    *("b", "W", "black", "green", "pass", "resign", "A1", "c3", "T19", "I5", "Z99", "e5", "D4"),
    *("0", "1", "2", "5", "9", "19", "26", "-1", "6.5", "nan", "inf", "1e400", "99999999999"),
    *(
        "chinese",
        "tromp-taylor",
        '{"ko":"SIMPLE"}',
        '{"a":' * 3,
        "[" * 50,
        "{}",
        "[]",
        "dead",
        "none",
    ),
    *(
        "alive",
        "dead",
        "byoyomi",
        "canadian",
        "é",
        "\x00",
        "囲碁",
        "3x3",
        "4:2",
        "name",
        "#",
        "_",
        "１",
    ),
]
SETTINGS = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])

line = st.tuples(
    st.sampled_from(["", "1 ", "00 ", "99999999999999999999 ", "-1 "]),
    st.sampled_from(OWN),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=5),
).map(lambda parts: (parts[0] + " ".join([parts[1], *parts[2]]) + "\n").encode("utf-8", "replace"))


@SETTINGS
@given(st.binary(max_size=400))
@example(b"\xff\xfe\n\x00name\n1\xa0name\n\r\r\nplay b \xe4\xb8\n")
@example(b"=1 x\n\n? y\n\n")
def test_any_bytes_get_replies_or_nothing(data: bytes) -> None:
    for ok, _, text in replies_to(session_of(size=5), data):
        assert not text.startswith("internal error")
        assert ok or text


@SETTINGS
@given(st.lists(line, max_size=12))
def test_commands_with_any_words_get_one_reply_each(lines: list[bytes]) -> None:
    script = b"boardsize 5\n" + b"".join(lines) + b"protocol_version\n"
    replies = replies_to(session_of(size=5), script)
    assert not [text for _, _, text in replies if text.startswith("internal error")]
    if not any(b"quit" in line for line in lines):
        assert replies[-1] == (True, "", "2")


@SETTINGS
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 24)), max_size=60),
    st.sampled_from(["chinese", "tromp_taylor", "aga"]),
)
def test_moves_are_taken_and_refused_as_the_plain_reference_does(
    moves: list[tuple[bool, int]], rules: str
) -> None:
    plain = {
        "chinese": PlainPosition(5, 5, ko_rule="simple", suicide=False),
        "tromp_taylor": PlainPosition(5, 5, ko_rule="positional", suicide=True),
        "aga": PlainPosition(5, 5, ko_rule="situational", suicide=False),
    }[rules]
    script, expected = "", list[str]()
    for _, move in moves:
        row, column = divmod(move, 5)
        color = "bw"[plain.to_move - 1]
        script += f"play {color} {'ABCDE'[column]}{5 - row}\n"
        if plain.why_illegal((row, column)) is None:
            plain = plain.play((row, column))
            expected.append("")
        else:
            expected.append("illegal move")
    session = session_of(size=5, rules=rules)
    assert [text for _, _, text in replies_to(session, script)] == expected
    stones = {divmod(i, 5): int(c) for i, c in enumerate(session.position.stones.ravel()) if c}
    assert stones == plain.stones

"""No bytes break the readers: SGF, GIB, NGF and UGF put together from pieces, in any encoding."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.sgf_checks import check

GIB = [
    *("\\HS\n", "\\[GIBOKIND=Global\\]\n", "\\[GAMEWHITENAME=石下 (2段)\\]\n", "\\HE\n\\GS\n"),
    *("\\[GAMEINFOMAIN=GRLT:1,ZIPSU:35,DUM:0,GONGJE:65\\]\n", "\\[GAMETAG=C2015:08:29\\]\n"),
    *(
        "INI 0 1 3 &4\n",
        "STO 0 2 1 15 15\n",
        "STO 0 3 2 3 99\n",
        "STO 0\n",
        "\\GE\n",
        "INI 0 1 9\n",
    ),
]
NGF = [
    *(
        "Rated game\n",
        "19\n",
        "이세돌     9DP\n",
        "LQC  9D*\n",
        "2\n",
        "0\n",
        "7\n",
        "20170316 [09:37]\n",
    ),
    *("Black wins by 0.5!\n", "PMABBREER\n", "PMACWQQQQ\n", "PMADBAAAA\n", "PMAEB\n", "GI19\n"),
]
UGF = [
    *("[Header]\n", "[Data]\n", "Size=19\n", "Size=9\n", "Hdcp=2,-5.50\n", "Winner=B,7.50\n"),
    *("CoordinateType=IGS\n", "PlayerB=kazi,7d,,x\n", "QP,B1,1,0\n", "YA,W1,2,0\n", "DD,B1,0,0\n"),
    *("[ReviewNode]\n", "Date=2019/03/08,22:09:00\n", "x\n", "Winner=D\n"),
]
SGF = [
    *(
        "(;",
        ")",
        ";",
        "(",
        "]",
        "B[dd]",
        "W[pp]",
        "AB[aa][bb]",
        "HA[2]",
        "HA[二]",
        "KM[7.5目]",
        "GC[a\nb]",
    ),
    *("US[a[3d]]", "C[x] y]", "PB[a\rb]", "RE[黑胜1又3/4子]", "DT[2013-04-05,06]", "DT[平成25年]"),
    *(
        "BR[P9段]",
        "WR[3k?]",
        "SZ[52]",
        "SZ[13x13]",
        "SZ[19]",
        "CA[EUC-KR]",
        "CA[ISO-8859-1]",
        "\x1b$B",
        "\0",
    ),
]
CODECS = [
    "utf-8",
    "gb18030",
    "cp949",
    "cp932",
    "cp950",
    "euc_jp",
    "utf-16",
    "utf-16-le",
    "iso2022_jp",
]


@st.composite
def files(draw: st.DrawFn) -> bytes:
    pieces = draw(st.sampled_from([GIB, NGF, UGF, SGF]))
    start = pieces[0] if draw(st.booleans()) else ""
    text = start + "".join(draw(st.lists(st.sampled_from(pieces), max_size=25)))
    data = bytearray(text.encode(draw(st.sampled_from(CODECS)), "replace"))
    for _ in range(draw(st.integers(0, 3)) if data else 0):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


@given(files())
@settings(max_examples=600, deadline=None)
def test_no_file_of_any_format_breaks_a_reader(data: bytes) -> None:
    check(data)

"""Charts and pages: well-formed, self-contained, harmless and the same every time."""

import base64
import hashlib
import json
import math
import re
import subprocess
import sys
import warnings
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

import mariago
from mariago.board.points import BLACK, WHITE, size_of, vertex_to_move
from mariago.errors import BadInputError
from mariago.reports import (
    Bar,
    BoardGrid,
    BoardPicture,
    Callout,
    Cards,
    Command,
    Definitions,
    Figures,
    Section,
    Series,
    Stepper,
    Table,
    Text,
    category_chart,
    draw_board,
    histogram_chart,
    interval_chart,
    line_chart,
    page,
    played_out,
    provenance,
    write_page,
)
from mariago.reports.chart_frame import name_lines
from mariago.reports.charts import _edges

HOSTILE = "<script>alert('x')</script>\"&$a_b$\x07\ud800柯洁"
NOON = datetime(2025, 1, 31, 12, 0, tzinfo=UTC)


@cache
def charts() -> dict[str, str]:
    x = [0, 100, 200]
    return {
        "line": line_chart(
            [Series(HOSTILE, x, [3, 2, 1]), Series("b", x, [3, 2.5, 2], [2, 2, 1], [4, 3, 3])],
            title=HOSTILE,
            x_label=HOSTILE,
        ),
        "log": line_chart([Series("loss", x, [3, 0.2, 0.01])], log_y=True),
        "interval": interval_chart([Bar(HOSTILE, 0.6, 0.4, 0.7, HOSTILE)], reference=0.5),
        "lead": interval_chart([Bar("lead", -4, -9.5, 1)], percent=False, reference=0),
        "category": category_chart([(HOSTILE, 16), ("none", 0)], title="Refused"),
        "histogram": histogram_chart([-3.5, 0.5, 8.5], lines=[(HOSTILE, 0.5)]),
    }


@cache
def whole_page(lang: str = "en") -> str:
    picture = BoardPicture(np.eye(9, dtype=np.uint8), answer=3, to_move=WHITE, caption=(HOSTILE,))
    game = played_out(
        9, [(BLACK, 40), (WHITE, 81)], title=HOSTILE, notes=["", HOSTILE, "</script>"]
    )
    sections = [
        Section(HOSTILE, HOSTILE, Text(HOSTILE, "second"), Cards((HOSTILE, "1", HOSTILE))),
        Section("Charts", Figures(*((svg, HOSTILE) for svg in charts().values()))),
        Section("Boards", BoardGrid([picture]), game),
        Section(
            "Rest",
            Table(["name", "games", "share"], [[HOSTILE, 1234, 0.5], ["b", -2, None]], HOSTILE),
            Definitions((HOSTILE, HOSTILE)),
            Callout(HOSTILE, "warning", HOSTILE),
            Command(HOSTILE),
        ),
    ]
    foot = provenance("mariago demo", 7, {"Player": HOSTILE}, now=NOON)
    return page(HOSTILE, sections, lang, foot)


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data.strip())


@pytest.mark.parametrize("name", ["line", "log", "interval", "lead", "category", "histogram"])
def test_charts_are_well_formed_and_have_words(name):
    svg = charts()[name]
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert len(root.get("aria-label")) > 20
    assert "matplotlib" not in svg.lower()
    assert "#0102" not in svg  # every stand-in colour was replaced


def test_chart_words_carry_the_figures():
    label = ElementTree.fromstring(charts()["lead"]).get("aria-label")
    assert label == "Bars with intervals. lead: −4, interval −9.5 to 1"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", "领先。带区间的条形图。A：−4，区间 −9.5 至 1，2 对"),
        ("ja", "领先。区間付きの棒グラフ。A：−4、区間 −9.5 から 1、2 对"),
        ("ko", "领先. 구간이 있는 막대그래프. A: −4, 구간 −9.5에서 1까지, 2 对"),
    ],
)
def test_chart_words_speak_the_players_language(lang, words):
    svg = interval_chart([Bar("A", -4, -9.5, 1, "2 对")], title="领先", percent=False, lang=lang)
    assert ElementTree.fromstring(svg).get("aria-label") == words


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_the_words_of_every_kind_of_chart_are_translated(lang):
    def labels(lang: str) -> list[str]:
        figures = (
            line_chart([Series("1", [1, 2], [3, 4]), Series("2", [], [])], lang=lang),
            interval_chart([Bar("1", 0.5, 0.4, 0.6)], lang=lang),
            category_chart([("1", 2)], lang=lang),
            histogram_chart([1, 2, 3], lines=[("1", 2)], lang=lang),
            histogram_chart([], lang=lang),
        )
        return [ElementTree.fromstring(svg).get("aria-label") for svg in figures]

    assert not [label for label in labels(lang) if re.search("[A-Za-z]", label)]
    assert all(re.search("[A-Za-z]", label) for label in labels("en"))


@pytest.mark.parametrize(("lang", "word"), [("zh", "围棋盘"), ("ja", "碁盤"), ("ko", "바둑판")])
def test_boards_and_viewers_on_a_page_are_told_in_its_language(lang, word):
    html = whole_page(lang)
    assert html.count('aria-label="9x9 ') == 3
    assert "Go board" not in html
    assert word in html


def test_chart_identifiers_are_all_used_and_differ_between_charts():
    found = [set(re.findall(r' id="([^"]+)"', svg)) for svg in charts().values()]
    for ids, svg in zip(found, charts().values(), strict=True):
        assert all(f"#{name}" in svg for name in ids)
    assert len(set().union(*found)) == sum(map(len, found))


def test_histogram_bins_begin_at_round_numbers_and_hold_everything():
    data = np.array([-41.5, -0.5, 0.5, 60.5])
    edges = _edges(data)
    assert 0.0 in edges
    assert edges[0] <= data.min()
    assert edges[-1] > data.max()
    assert len(edges) <= 33
    assert np.histogram(data, edges)[0].sum() == data.size


def test_charts_of_nothing_and_of_gaps_are_drawn():
    for svg in (
        histogram_chart([]),
        histogram_chart([math.nan, 3.0]),
        category_chart([]),
        interval_chart([]),
        line_chart([]),
        line_chart([Series("a", [1, 2], [math.nan, 1])]),
    ):
        ElementTree.fromstring(svg)


def test_long_player_names_break_after_their_signs():
    name = "net:runs/a-very-long-folder/second,temperature=0.5"
    assert name_lines(name) == ["net:runs/a-very-long-", "folder/second,", "temperature=0.5"]
    assert name_lines("围棋" * 7) == ["围棋" * 5 + "围", "棋围棋"]
    assert name_lines("short") == ["short"]
    wide = "x" * 22
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        interval_chart([Bar(f"{name}{wide}", 0.5, 0.4, 0.6, name)], title=name)


def test_a_series_of_two_lengths_is_refused():
    with pytest.raises(BadInputError):
        line_chart([Series("a", [1, 2], [1])])


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ko"])
def test_a_page_is_whole_and_says_its_language(lang):
    tags = Tags(whole_page(lang)).seen
    assert tags[0] == ("html", {"lang": lang})
    assert [tag for tag, _ in tags].count("section") == 4
    assert "nav" in [tag for tag, _ in tags]


def test_a_page_asks_for_nothing_outside_itself():
    html = whole_page()
    without_namespaces = html.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]|@import", without_namespaces.replace("// ", ""))
    for _, attrs in Tags(html).seen:
        for name in ("src", "href", "action", "data", "xlink:href", "srcset"):
            assert (attrs.get(name) or "#").startswith("#")
    assert not re.search(r"url\((?!#)", html)


def test_hostile_names_stay_text_everywhere():
    html = whole_page()
    tags = Tags(html)
    scripts = [attrs.get("type") for tag, attrs in tags.seen if tag == "script"]
    assert scripts == ["application/json", None]
    assert "alert('x')" not in [word.strip() for word in tags.words]
    assert not any(name.startswith("on") for _, attrs in tags.seen for name in attrs)
    html.encode("utf-8")
    assert "\x07" not in html


def test_the_content_policy_allows_the_pages_own_script_alone():
    html = whole_page()
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in html


def test_a_page_is_the_same_every_time():
    charts.cache_clear()
    assert whole_page.__wrapped__() == whole_page()


def test_identifiers_on_a_page_are_unique():
    ids = [attrs["id"] for _, attrs in Tags(whole_page()).seen if attrs.get("id")]
    assert len(ids) == len(set(ids))


def test_three_sections_need_no_contents():
    sections = [Section("a", "b")] * 3
    assert "<nav" not in page("t", sections)
    assert "<nav" in page("t", [*sections, Section("d", "e")])


def test_table_numbers_stand_right_with_thousands_and_a_true_minus():
    table = Table(["n", "x"], [[1234567, "a"], [-2, "b"], [None, "c"]])
    assert table.is_number(0)
    assert not table.is_number(1)
    assert [table.shown(row[0]) for row in table.rows] == ["1,234,567", "−2", "–"]
    assert '<td class="number">1,234,567</td>' in page("t", [Section("s", table)])


def test_a_table_with_a_short_row_is_refused():
    with pytest.raises(BadInputError):
        Table(["a", "b"], [[1]])


@pytest.mark.parametrize(
    "inside",
    [
        "<script/>",
        '<rect onclick="x"/>',
        '<a href="https://example.org"/>',
        '<image href="x.png"/>',
        '<use href="x.svg#a"/>',
        '<rect fill="url(http://example.org)"/>',
        "<style>*{}</style>",
    ],
)
def test_figures_that_may_act_are_refused(inside):
    with pytest.raises(BadInputError):
        Figures((f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>', "bad"))


def test_figures_must_be_well_formed():
    with pytest.raises(BadInputError):
        Figures(("<svg>", "cut off"))
    Figures((draw_board(np.zeros((9, 9))), "fine"))


def replayed(data: dict, ply: int) -> np.ndarray:
    board = [int(stone) for stone in data["start"]]
    for step in data["steps"][:ply]:
        for point, old, new in zip(step[2::3], step[3::3], step[4::3], strict=True):
            assert board[point] == old
            board[point] = new
    return np.array(board).reshape(data["rows"], data["columns"])


def test_stepper_steps_lead_to_every_board_with_captures():
    size = size_of((3, 4))
    order = ["A1", "B1", "C2", "A2"]  # White takes the corner stone
    moves = [(BLACK if k % 2 == 0 else WHITE, vertex_to_move(v, size)) for k, v in enumerate(order)]
    viewer = played_out(size, moves)
    data = json.loads(viewer.json())
    for ply, board in enumerate(viewer.boards):
        assert (replayed(data, ply) == board).all()
    assert data["steps"][3] == [WHITE, 4, 4, 0, WHITE, 8, BLACK, 0]
    assert viewer.boards[4].tolist() == [[0, 0, 0, 0], [2, 0, 1, 0], [0, 2, 0, 0]]


def test_played_out_takes_a_suicide_off_and_captures_before_that():
    start = np.array([[0, 1], [1, 1]])
    took = played_out(2, [(WHITE, 0)], np.array([[0, 1], [1, 0]]))
    assert took.boards[1].tolist() == [[0, 1], [1, 0]]
    assert played_out(2, [(WHITE, 0)], start).boards[1].tolist() == [[2, 0], [0, 0]]


def test_stepper_notes_cannot_end_their_script():
    viewer = played_out(2, [(BLACK, 0)], notes=["</script><b>", "&amp;"])
    assert "<" not in viewer.json()
    assert json.loads(viewer.json())["notes"] == ["</script><b>", "&amp;"]


def test_a_stepper_whose_parts_do_not_fit_is_refused():
    board = np.zeros((3, 3))
    for boards, moves, notes in (
        ([board], [(BLACK, 0)], ()),
        ([board, np.zeros((2, 2))], [(BLACK, 0)], ()),
        ([board, board], [(BLACK, 10)], ()),
        ([board, board], [(BLACK, 9)], ("one",)),
    ):
        with pytest.raises(BadInputError):
            Stepper(boards, moves, notes=notes)


def test_provenance_names_versions_without_importing_anything():
    made = provenance("mariago demo", 7, {"net": "abc"}, now=NOON)
    assert made.as_dict()["versions"]["mariago"] == mariago.__version__
    assert "numba" in made.versions
    assert made.date == "2025-01-31 12:00 UTC"
    assert made.as_dict()["net"] == "abc"
    names = [name for name, _ in made.lines()]
    assert names == ["Command", "Seed", "Date", "Versions", "Machine", "net"]


def test_write_page_writes_the_page(tmp_path):
    write_page(tmp_path / "report.html", whole_page())
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == whole_page()
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_importing_the_room_loads_no_drawing_library():
    code = (
        "import sys, mariago.reports\n"
        "heavy = {'matplotlib', 'PIL', 'jinja2', 'numba', 'numpy'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

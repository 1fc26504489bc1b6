"""Board pictures: coordinates, stones and marks stand where a Go player expects them."""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from mariago.board.points import BLACK, WHITE, size_of, vertex_to_move
from mariago.errors import BadInputError, CoordinateError
from mariago.reports import (
    BoardPicture,
    board_png,
    draw_board,
    sample_caption,
    sheet_png,
    star_points,
)
from mariago.reports.diagram import STONE_FILL, Layout
from mariago.reports.fonts import Fonts, _may_break, writable_lang

SVG = "{http://www.w3.org/2000/svg}"
CELL = 20.0


def stones_of(diagram: str) -> np.ndarray:
    rows = [line.split() for line in diagram.strip().splitlines()]
    return np.array([[".XO".index(point) for point in row] for row in rows], dtype=np.uint8)


LOPSIDED = stones_of(
    """
    X . . O .
    . . . . .
    . X . . .
    O . . . .
    """
)  # 5x4: four rows, five columns; no symmetry maps it on itself


def elements(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(SVG + name))


def test_stones_stand_on_their_crossings_in_svg():
    circles = elements(draw_board(LOPSIDED, cell=CELL), "circle")
    layout = Layout(size_of((4, 5)), CELL)
    for kind, vertices in (("black", {"A4", "B2"}), ("white", {"D4", "A1"})):
        seen = {(float(c.get("cx")), float(c.get("cy"))) for c in circles if c.get("class") == kind}
        moves = [vertex_to_move(vertex, size_of((4, 5))) for vertex in vertices]
        assert seen == {layout.move_xy(move) for move in moves}


def test_stones_stand_on_their_crossings_in_png():
    image = Image.open(BytesIO(board_png(LOPSIDED, CELL)))
    layout = Layout(size_of((4, 5)), CELL)
    for (row, column), stone in np.ndenumerate(LOPSIDED):
        x, y = layout.xy(row, column)
        red, green, blue = image.getpixel((int(x) + 3, int(y) + 3))
        if stone:
            assert f"#{red:02x}{green:02x}{blue:02x}" == STONE_FILL[int(stone)]
        else:
            assert red > blue + 40  # wood


def test_png_has_the_size_of_the_layout():
    image = Image.open(BytesIO(board_png(np.zeros((19, 19)), 24)))
    layout = Layout(size_of(19), 24)
    assert image.size == (round(layout.width), round(layout.height))


def test_a1_is_at_the_bottom_left_and_no_column_is_called_i():
    svg = draw_board(np.zeros((19, 19), dtype=np.uint8), cell=CELL)
    placed = [(t.text, float(t.get("x")), float(t.get("y"))) for t in elements(svg, "text")]
    left, top = Layout(size_of(19), CELL).xy(0, 0)
    right, bottom = Layout(size_of(19), CELL).xy(18, 18)
    below = sorted((x, text) for text, x, y in placed if y > bottom + 0.6 * CELL)
    above = sorted((x, text) for text, x, y in placed if y < top - 0.3 * CELL)
    assert "".join(text for _, text in below) == "ABCDEFGHJKLMNOPQRST"
    assert [text for _, text in above] == [text for _, text in below]
    assert [x for x, _ in below] == [left + k * CELL for k in range(19)]
    for beside in (lambda x: x < left - 0.5 * CELL, lambda x: x > right + 0.5 * CELL):
        numbers = sorted((y, int(text)) for text, x, y in placed if beside(x))
        assert [number for _, number in numbers] == list(range(19, 0, -1))
        assert len({x for text, x, _ in placed if beside(x)}) == 1  # two digits line up with one


@pytest.mark.parametrize(
    ("size", "vertices"),
    [
        ("5", "C3"),
        ("7", "C3 C5 E3 E5"),
        ("8", "C3 C6 F3 F6"),
        ("9", "C3 C7 E5 G3 G7"),
        ("13", "D4 D10 G7 K4 K10"),
        ("19", "D4 D10 D16 K4 K10 K16 Q4 Q10 Q16"),
        ("9x13", "C4 C10 E7 G4 G10"),
        ("3", ""),
        ("1", ""),
        ("2x19", ""),
    ],
)
def test_star_points(size, vertices):
    board = size_of(size)
    expected = {divmod(vertex_to_move(v, board), board.columns) for v in vertices.split()}
    assert set(star_points(size)) == expected
    assert len(star_points(size)) == len(expected)


def test_every_size_is_drawn_with_as_many_lines_as_it_has():
    for rows, columns in ((1, 1), (1, 7), (2, 3), (6, 6), (25, 25), (13, 9)):
        svg = draw_board(np.zeros((rows, columns), dtype=np.uint8))
        assert len(elements(svg, "line")) == rows + columns


def test_the_answer_is_a_small_stone_of_the_mover_in_a_ring():
    move = vertex_to_move("C1", size_of((4, 5)))
    for color, fill in ((BLACK, STONE_FILL[BLACK]), (WHITE, STONE_FILL[WHITE])):
        svg = draw_board(LOPSIDED, to_move=color, answer=move, cell=CELL)
        circles = {c.get("class"): c for c in elements(svg, "circle")}
        stone, ring = circles["answer-stone"], circles["answer"]
        assert stone.get("fill") == fill
        place = Layout(size_of((4, 5)), CELL).move_xy(move)
        assert (float(ring.get("cx")), float(ring.get("cy"))) == place
        assert float(stone.get("r")) < float(ring.get("r"))


def test_an_answer_on_a_stone_is_crossed_out_and_never_drawn_as_a_stone():
    svg = draw_board(LOPSIDED, to_move=WHITE, answer=0)
    kinds = [c.get("class") for c in elements(svg, "circle")]
    assert "answer" in kinds
    assert "answer-stone" not in kinds
    assert len(elements(svg, "line")) == 4 + 5 + 2


def test_a_pass_is_written_under_the_board():
    svg = draw_board(LOPSIDED, to_move=BLACK, last_move=20, answer=20)
    assert "last move: pass - answer: pass" in [t.text for t in elements(svg, "text")]


def test_the_words_for_a_picture_name_what_it_shows():
    heat = np.zeros((4, 5))
    heat[3, 4] = 1
    svg = draw_board(LOPSIDED, to_move=WHITE, last_move=0, answer=19, heat=heat)
    assert ElementTree.fromstring(svg).get("aria-label") == (
        "5x4 Go board, 2 black and 2 white stones, last move A4, white to play, answer E1, "
        "darkest at E1"
    )


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", "5x4 围棋盘，黑子 2 个、白子 2 个，上一手 停一手，轮到白方，答案 E1"),
        ("ja", "5x4 の碁盤、黒石 2 個、白石 2 個、直前の手 パス、白番、正解 E1"),
        ("ko", "5x4 바둑판, 흑돌 2개, 백돌 2개, 직전 수 패스, 백 차례, 정답 E1"),
    ],
)
def test_the_words_for_a_picture_speak_the_players_language(lang, words):
    svg = draw_board(LOPSIDED, to_move=WHITE, last_move=20, answer=19, lang=lang)
    assert ElementTree.fromstring(svg).get("aria-label") == words


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", "上一手：停一手 - 答案：停一手"),
        ("ja", "直前の手：パス - 正解：パス"),
        ("ko", "직전 수: 패스 - 정답: 패스"),
    ],
)
def test_a_pass_is_written_in_the_players_language(lang, words):
    svg = draw_board(LOPSIDED, to_move=BLACK, last_move=20, answer=20, lang=lang)
    assert words in [t.text for t in elements(svg, "text")]


def test_heat_is_darkest_where_it_is_greatest_and_absent_where_it_is_none():
    heat = np.zeros((4, 5))
    heat[0, 1], heat[1, 4] = 0.5, 1.0
    rects = elements(draw_board(LOPSIDED, heat=heat), "rect")[1:]
    darkness = [sum(bytes.fromhex(rect.get("fill")[1:])) for rect in rects]
    assert len(rects) == 2
    assert darkness[1] < darkness[0]


def test_labels_contrast_with_their_stones():
    svg = draw_board(LOPSIDED, labels={0: "1", 3: "122"})
    fills = {t.text: t.get("fill") for t in elements(svg, "text") if t.get("font-weight")}
    assert fills == {"1": "#ffffff", "122": "#111111"}


def test_label_text_cannot_become_markup():
    svg = draw_board(LOPSIDED, labels={0: "<b>&\x00"})
    assert "<b>&\ufffd" in [t.text for t in elements(svg, "text")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"stones": np.full((3, 3), 3)},
        {"stones": np.zeros(9)},
        {"stones": np.zeros((3, 3)), "heat": np.zeros((3, 4))},
        {"stones": np.zeros((3, 3)), "to_move": 3},
        {"stones": np.zeros((3, 3)), "marks": {0: "star"}},
    ],
)
def test_bad_pictures_are_refused(wrong):
    with pytest.raises(BadInputError):
        BoardPicture(**wrong)


@pytest.mark.parametrize("wrong", [{"answer": 10}, {"last_move": -1}, {"labels": {9: "1"}}])
def test_moves_off_the_board_are_refused(wrong):
    with pytest.raises(CoordinateError):
        BoardPicture(np.zeros((3, 3)), **wrong)


def twenty() -> list[BoardPicture]:
    caption = sample_caption("records/柯洁 vs 이세돌 <x>.sgf", 57, WHITE, 19, (4, 5))
    return [BoardPicture(LOPSIDED, to_move=WHITE, answer=19, caption=caption)] * 20


def test_sample_captions_name_source_number_side_and_answer():
    assert twenty()[0].caption == (
        "records/柯洁 vs 이세돌 <x>.sgf",
        "Move number 57 · White to play · Answer E1",
    )


def test_sample_captions_speak_four_languages():
    said = [sample_caption("x", 7, BLACK, 361, 19, lang)[1] for lang in ("en", "zh", "ja", "ko")]
    assert said[:2] == [
        "Move number 7 · Black to play · Answer pass",
        "第 7 手 · 轮到黑方 · 答案 停一手",
    ]
    assert len(set(said)) == 4


def test_a_sheet_holds_all_boards_and_is_the_same_every_time():
    sheet = sheet_png(twenty(), 5, "20 samples", foot="seed 1")
    image = Image.open(BytesIO(sheet))
    assert sheet == sheet_png(twenty(), 5, "20 samples", foot="seed 1")
    assert image.width > 5 * 200
    assert image.height > 4 * 150
    assert Image.open(BytesIO(sheet_png(twenty()[:3], 5))).width < image.width


def test_a_sheet_of_nothing_is_refused():
    with pytest.raises(BadInputError):
        sheet_png([], 5)


def test_characters_without_a_font_are_written_as_escapes():
    fonts = Fonts(more=())
    written = "".join(piece for _, piece in fonts.runs("A 棋 é", 12))
    assert written == "A \\u68cb é"
    assert fonts.escaped


@pytest.mark.parametrize("lang", ["zh", "ja", "ko"])
def test_a_language_without_a_font_is_replaced_by_english(lang):
    assert writable_lang(lang, more=()) == "en"
    assert writable_lang("en", more=()) == "en"


def test_lines_break_between_han_characters_but_not_before_their_full_stop():
    text = "橙色圆环：答案（黑）。돌 안"
    ends = [k for k in range(1, len(text)) if _may_break(text, k)]
    assert [text[:k][-1] + "|" + text[k] for k in ends] == [
        *("橙|色", "色|圆", "圆|环", "：|答", "答|案", "案|（", "。|돌", "돌| ", " |안"),
    ]


def test_long_captions_wrap_and_lose_nothing():
    fonts = Fonts(more=())
    text = "a/very/long/path/without/spaces/" * 4 + "end of it"
    lines = fonts.wrapped(text, 15, 200)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(fonts.width(line, 15) <= 200 for line in lines)

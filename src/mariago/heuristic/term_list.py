"""The names of the terms in the order in which the kernels write them, and each name's index.

What a term counts is told in ``versions.toml``; every term is 0 where it does not apply.
"""

TERMS = (
    "capture",
    "capture_stone",
    "capture_caught_stone",
    "save",
    "save_stone",
    "self_atari",
    "self_atari_stone",
    "double_atari",
    "vital",
    "vital_stone",
    "avert",
    "avert_stone",
    "own_caught",
    "own_caught_stone",
    "working_ladder",
    "working_ladder_stone",
    "broken_ladder",
    "tigers_mouth_entry",
    "tigers_mouth_fill",
    "futile",
    "own_territory",
    "double_atari_risk",
    "false_eye",
    "corner",
    "approach",
    "good_line",
    "low_line",
    "far_centre",
    "room",
    "middle",
    "jump",
    "knight",
    "extension",
    "frontier",
    "overrun",
    "area_gain",
    "group_gain",
    "line_1",
    "line_2",
    "line_3",
    "line_4",
    "boundary",
    "matters",
    "join",
    "cut",
    "contact",
    "solid",
    "attachment",
    "short_of_liberties",
    "stretch",
    "squeeze_2",
    "squeeze_3",
    "squeeze_4",
    "atari",
    "hane",
    "diagonal",
    "shoulder",
    "cuts_through",
    "peep_cut",
    "mends",
    "empty_triangle",
    "lump",
    "answer_touch",
    "answer_diagonal",
    "answer_jump",
    "answer_near",
    "answer_around",
    "centre",
)
COUNT = len(TERMS)

(CAPTURE, CAPTURE_STONE, CAPTURE_CAUGHT_STONE, SAVE, SAVE_STONE) = range(5)
(SELF, SELF_STONE, DOUBLE_ATARI, VITAL, VITAL_STONE, AVERT, AVERT_STONE) = range(5, 12)
(OWN_CAUGHT, OWN_CAUGHT_STONE, LADDER, LADDER_STONE, BROKEN_LADDER) = range(12, 17)
(MOUTH_ENTRY, MOUTH_FILL, FUTILE, OWN_TERRITORY, DOUBLE_ATARI_RISK, FALSE) = range(17, 23)
(CORNER, APPROACH, GOOD_LINE, LOW_LINE, FAR_CENTRE, ROOM, MIDDLE) = range(23, 30)
(JUMP, KNIGHT, EXTENSION, FRONTIER, OVERRUN, AREA_GAIN, GROUP_GAIN) = range(30, 37)
(LINE_1, LINE_2, LINE_3, LINE_4, BOUNDARY, MATTERS) = range(37, 43)
(JOIN, CUT, CONTACT, SOLID, ATTACHMENT, SHORT_OF_LIBERTIES, STRETCH) = range(43, 50)
(SQUEEZE_2, SQUEEZE_3, SQUEEZE_4, ATARI) = range(50, 54)
(HANE, DIAGONAL, SHOULDER, CUTS_THROUGH, PEEP_CUT, MENDS) = range(54, 60)
(EMPTY_TRIANGLE, LUMP) = range(60, 62)
(ANSWER_TOUCH, ANSWER_DIAGONAL, ANSWER_JUMP, ANSWER_NEAR, ANSWER_AROUND) = range(62, 67)
CENTRE = 67

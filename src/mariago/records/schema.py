"""The columns of a data set: one row of a shard is one move, one row of ``games.parquet`` one game.

``docs/reference/samples.md`` says what each column means. ``SCHEMA_VERSION`` goes up when a column
changes its meaning; a reader refuses versions that it does not know.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

SCHEMA_VERSION = 3
READABLE_VERSIONS = (1, 2, 3)
# Columns that earlier versions lack (1: both, 2: the last); there they are read as null.
LATER_COLUMNS = ("facts", "stone_lead")
SPLITS = ("train", "validation", "test")
LAST_MOVES = 5

# Why a game is dropped, in the order of the reports.
REASONS = (
    "unreadable",
    "not_go",
    "board_size",
    "bad_coordinate",
    "no_moves",
    "illegal_setup",
    "illegal_occupied",
    "illegal_suicide",
    "illegal_ko",
    "filtered_server",
    "filtered_date",
    "filtered_rank",
    "filtered_handicap",
    "filtered_result",
    "filtered_length",
    "duplicate_game",
)

# What takes moves of a kept game out of the samples, by its column of games.parquet.
REMOVED = ("not_winner", "repeats", "leaks", "not_chosen")

UNKNOWN_WINNER = -1

# A move is tactical when one of these is not 0. Standing in atari alone does not count: stones that
# both sides have given up stay in atari for the rest of the game.
TACTICAL_COLUMNS = ("captures", "saves", "gives_atari", "self_atari")

_TEXT = pa.dictionary(pa.int32(), pa.string())
_REPAIR = [(name, pa.string()) for name in ("code", "name", "raw", "value")]


def _field(name: str, kind: pa.DataType, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=nullable)


SAMPLE_SCHEMA = pa.schema(
    [
        _field("game", pa.uint32()),
        _field("game_id", _TEXT),
        _field("move_number", pa.int16()),
        _field("rows", pa.uint8()),
        _field("columns", pa.uint8()),
        _field("board", pa.binary()),
        _field("to_move", pa.uint8()),
        _field("ko", pa.int16()),
        _field("superko_banned", pa.list_(pa.int16())),
        _field("last_moves", pa.list_(pa.int16(), LAST_MOVES)),
        _field("taken_1", pa.list_(pa.int16())),
        _field("taken_2", pa.list_(pa.int16())),
        _field("move", pa.int16()),
        _field("winner", pa.int8()),
        _field("score", pa.float32(), nullable=True),
        _field("komi", pa.float32(), nullable=True),
        _field("rules", _TEXT, nullable=True),
        _field("handicap", pa.uint8()),
        _field("handicap_bonus", pa.uint8()),
        _field("stone_lead", pa.int16(), nullable=True),
        _field("captures", pa.uint16()),
        _field("saves", pa.uint16()),
        _field("gives_atari", pa.uint16()),
        _field("self_atari", pa.uint16()),
        _field("in_atari", pa.uint16()),
        _field("facts", pa.uint64(), nullable=True),
        _field("weight", pa.float32()),
        _field("position_hash", pa.uint64()),
        _field("split", _TEXT),
    ],
    metadata={"mariago.schema_version": str(SCHEMA_VERSION)},
)

GAME_SCHEMA = pa.schema(
    [
        _field("game", pa.uint32()),
        _field("game_id", pa.string()),
        _field("split", _TEXT),
        _field("source", pa.uint16()),
        _field("path", pa.string()),
        _field("index_in_file", pa.uint32()),
        _field("rows", pa.uint8()),
        _field("columns", pa.uint8()),
        _field("moves", pa.uint16()),
        _field("first_move", pa.int16()),
        _field("samples", pa.uint32()),
        _field("winner", pa.int8()),
        _field("score", pa.float32(), nullable=True),
        _field("result", pa.string()),
        _field("komi", pa.float32(), nullable=True),
        _field("rules", _TEXT, nullable=True),
        _field("handicap", pa.uint8()),
        _field("black", pa.string()),
        _field("white", pa.string()),
        _field("black_rank", pa.string()),
        _field("white_rank", pa.string()),
        _field("date", pa.string()),
        _field("event", pa.string()),
        _field("black_level", pa.int8(), nullable=True),
        _field("white_level", pa.int8(), nullable=True),
        _field("played", pa.string(), nullable=True),
        _field("server", _TEXT, nullable=True),
        _field("result_kind", _TEXT),
        _field("origin", _TEXT),
        _field("terms", _TEXT),
        _field("repairs", pa.list_(pa.struct(_REPAIR)), nullable=True),
        _field("move_list", pa.list_(pa.int16()), nullable=True),
        _field("color_list", pa.list_(pa.uint8()), nullable=True),
        _field("setup_list", pa.list_(pa.int16()), nullable=True),
        *(_field(name, pa.uint32(), nullable=True) for name in REMOVED),
    ],
    metadata={"mariago.schema_version": str(SCHEMA_VERSION)},
)


def packed_length(cells: int) -> int:
    """Return the bytes of a packed board of ``cells`` points."""
    return (cells + 3) // 4


def pack_board(stones: "npt.NDArray[np.uint8]") -> bytes:
    """Return ``stones`` (cells,) with 2 bits a point: i in byte i // 4 at bits 2 * (i % 4)."""
    padded = np.zeros(4 * packed_length(stones.size), np.uint8)
    padded[: stones.size] = stones.reshape(-1)
    quads = padded.reshape(-1, 4)
    return (quads[:, 0] | quads[:, 1] << 2 | quads[:, 2] << 4 | quads[:, 3] << 6).tobytes()


def unpack_board(packed: bytes, cells: int) -> "npt.NDArray[np.uint8]":
    """Return the colours (cells,) uint8 by move index: 0 empty, 1 black, 2 white."""
    quads = np.frombuffer(packed, np.uint8)
    points = np.stack([quads & 3, quads >> 2 & 3, quads >> 4 & 3, quads >> 6], axis=1)
    return points.reshape(-1)[:cells].astype(np.uint8)

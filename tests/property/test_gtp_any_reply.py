"""Whatever an engine answers before it ends is a reply or an EngineError."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mariago.errors import EngineError
from mariago.gtpwire import Engine

FAKE = Path(__file__).resolve().parents[1] / "reference" / "fake_engine.py"


@settings(deadline=None, max_examples=40)
@given(
    st.one_of(st.binary(max_size=60), st.text("=?12 D4\n\r\t#\x00", max_size=12).map(str.encode))
)
@example(b"=1 D4\n\n=2 E5")
@example(b"=" + b"9" * 5000 + b" D4\n\n")
@example(b"?")
@example(b"\xff\xfe\n\n=\xff\n")
def test_any_bytes_of_an_engine_are_a_reply_or_an_engine_error(data: bytes) -> None:
    engine = Engine(
        shlex.join([sys.executable, str(FAKE), "raw", data.hex() or "20"]), timeout_s=30
    )
    fault = ""
    try:
        assert "\r" not in engine.ask("genmove b")
    except EngineError as error:
        fault = error.fault
    finally:
        engine.close()
    assert fault in {"", "crash", "garbage", "refused"}

"""Fuzzing of the readers of records, guided by coverage.

Needs atheris (Linux, no part of the development extra)::

    python -m pip install atheris
    python -m tests.fuzz.sgf_reader -max_total_time=180 CORPUS SEEDS

CORPUS is a folder for what it finds, SEEDS folders with records to start from; both are
libFuzzer's, as are all options. It stops at the first input that breaks ``sgf_checks.check``, and
saves it.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

TOKENS = (
    *("(;", ";B[dd]", ";W[]", ")", "])", "AB[aa:cc]", "SZ[19]", "SZ[9:13]", "GM[1]", "US[a[3d]]"),
    *(
        "CA[GB2312]",
        "CA[UTF-8]",
        "HA[2]",
        "KM[375]",
        "RE[黑中盘胜]",
        "DT[平成25年4月5日]",
        "BR[九段]",
    ),
    *("AP[foxwq]", "\\HS\n", "\\[GAMEINFOMAIN=GRLT:3,ZIPSU:0,GONGJE:65\\]\n", "STO 0 2 1 15 15\n"),
    *("PMABBREER\n", "[Header]\n", "[Data]\n", "QP,B1,1,0\n", "Hdcp=2,0.50\n"),
)


def main() -> None:
    """Hand the command line to libFuzzer."""
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        sys.exit("atheris is not installed; python -m pip install atheris")
    # Kernels cannot be compiled with the calls that instrumenting puts in.
    kernels = ["mariago.sgf.scan_kernels"]
    with atheris.instrument_imports(include=["mariago.sgf"], exclude=kernels):
        from tests.fuzz.sgf_checks import check

    def one_input(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        if data[:1] != b"\x00":
            check(data)
            return
        # A file put together from the words of the formats, with bytes between.
        provider.ConsumeBytes(1)
        parts: list[bytes] = []
        while provider.remaining_bytes() and len(parts) < 200:
            choice = provider.ConsumeIntInRange(0, len(TOKENS))
            if choice < len(TOKENS):
                parts.append(TOKENS[choice].encode())
            else:
                parts.append(provider.ConsumeBytes(4) + b"\n")
        check(b"".join(parts))

    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

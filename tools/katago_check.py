"""Ask KataGo itself about network files, and compare what it says with our own evaluation.

::

    python tools/katago_check.py --katago KataGo/katago first.bin.gz b6c96.bin.gz
    python tools/katago_check.py --positions raw_nn.json --config analysis_config.cfg b6.bin.gz

Every file is loaded twice: by ``katago gtp``, which is asked ``kata-raw-nn 0`` about each position,
and by ``katago analysis``, started and asked as KaTrain does it, one visit a position (but with the
moves before the position, which KataGo's analysis leaves out unless told otherwise). The program is
``--katago`` or MARIAGO_KATAGO, an AppImage or not. Without ``--positions`` the positions are
random games under six rule sets on square and oblong boards; a file of them is a JSON list with
``size``, ``rules``, ``komi`` and ``moves`` (``"B D4"``) each.

KataGo's OpenCL build tunes itself for half an hour on a CPU. It is given a file of its plain
parameters instead, which is that of version 1.18; another version may tune itself all the same.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from katago_engine import START_S, plain_tuning
from katago_positions import Case, random_cases, read_cases

from mariago.errors import BadInputError, EngineError, MariagoError
from mariago.gtpwire import Engine
from mariago.gtpwire.process import Process
from mariago.nets import PositionEvaluation
from mariago.nets.katago_net import load_katago_net
from mariago.rules import Position

FIGURES = ("policy", "win", "loss", "lead", "ownership")
LIMITS = {"policy": 0.002, "win": 0.002, "loss": 0.002, "lead": 0.05, "ownership": 0.01}
"""What is allowed of each: probabilities, points, and shares of a point."""
NEEDED = "--katago FILE or MARIAGO_KATAGO names the program"
REPLY_S = 600.0
SETTINGS = {
    "logToStderr": "true",
    "logAllGTPCommunication": "false",
    "logSearchInfo": "false",
    "rules": "tromp-taylor",
    "maxVisits": 1,
    "numAnalysisThreads": 1,
    "numSearchThreads": 1,
    "nnMaxBatchSize": 1,
    "gtpForceMaxNNSize": "true",  # else the network is loaded anew for every size of board
}

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Answer:
    """What was said of a position; all for the side to move. None where it was not told."""

    policy: Floats  # (rows * columns + 1,), pass last; NaN where illegal
    win: float
    loss: float | None
    lead: float
    ownership: Floats  # (rows, columns)


@dataclass
class Check:
    """Of one file and one way of asking: the largest differences over ``positions``."""

    file: str
    way: str
    positions: int = 0
    largest: dict[str, float] = field(default_factory=dict[str, float])
    within: int = 0  # positions of which every figure is within LIMITS
    illegal: int = 0  # moves that are legal to one side only

    def add(self, theirs: Answer, ours: Answer) -> None:
        """Take in one position."""
        found = _differences(theirs, ours)
        self.positions += 1
        apart = int((np.isnan(theirs.policy) != np.isnan(ours.policy)).sum())
        self.illegal += apart
        self.within += not apart and all(found[name] <= LIMITS[name] for name in found)
        for name, difference in found.items():
            self.largest[name] = max(difference, self.largest.get(name, 0.0))


def _differences(theirs: Answer, ours: Answer) -> dict[str, float]:
    found = {
        "policy": float(np.nanmax(np.abs(theirs.policy - ours.policy))),
        "lead": abs(theirs.lead - ours.lead),
        "ownership": float(np.abs(theirs.ownership - ours.ownership).max()),
    }
    if theirs.loss is None or ours.loss is None:
        # Half of no result counts as won where only one figure is told.
        rest = 0.0 if ours.loss is None else 1.0 - ours.win - ours.loss
        return found | {"win": abs(theirs.win - ours.win - rest / 2)}
    return found | {"win": abs(theirs.win - ours.win), "loss": abs(theirs.loss - ours.loss)}


def our_answer(found: PositionEvaluation, position: Position) -> Answer:
    """Return an evaluation of ours as an Answer, over the moves that KataGo allows.

    Rules with suicide let a single stone take itself; KataGo never does.
    """
    policy = np.where(position.legal_mask(), found.policy, np.nan).astype(np.float64)
    if position.rules.suicide:
        for move in np.flatnonzero(~np.isnan(policy[:-1])):
            if np.array_equal(position.play(int(move)).stones, position.stones):
                policy[move] = np.nan
    policy /= np.nansum(policy)
    win, loss, _ = map(float, found.outcome)
    return Answer(policy, win, loss, found.score, found.ownership.astype(np.float64))


# -- KataGo by GTP -----------------------------------------------------------------------------


def ask_raw(engine: Engine, case: Case) -> Answer:
    """Return what ``kata-raw-nn 0`` says of a position.

    Raises:
        EngineError: it says nothing, or something else.
    """
    rows, columns = case.size
    engine.ask(
        f"boardsize {rows}" if rows == columns else f"rectangular_boardsize {columns} {rows}"
    )
    engine.ask("clear_board")
    engine.ask(f"komi {case.komi:g}")
    engine.ask(f"kata-set-rules {case.katago_rules}")
    for color, vertex in case.moves:
        engine.ask(f"play {color} {vertex}")
    words = engine.ask("kata-raw-nn 0", REPLY_S).split()
    sign = 1.0 if case.to_move == "W" else -1.0
    points = rows * columns

    def after(name: str, count: int = 1) -> Floats:
        at = words.index(name) + 1
        return np.array(words[at : at + count], np.float64)

    try:
        win, loss = after("whiteWin")[0], after("whiteLoss")[0]
        policy = np.concatenate((after("policy", points), after("policyPass")))
        return Answer(
            policy=policy,
            win=win if sign > 0 else loss,
            loss=loss if sign > 0 else win,
            lead=sign * after("whiteLead")[0],
            ownership=sign * after("whiteOwnership", points).reshape(rows, columns),
        )
    except (ValueError, IndexError):
        raise EngineError("garbage", f"kata-raw-nn says {' '.join(words)!r:.120}") from None


# -- KataGo as KaTrain asks it -----------------------------------------------------------------


def query_of(case: Case, number: int) -> dict[str, Any]:
    """Return the question that KaTrain 1.20 sends about a position, of one visit.

    Its one addition: KataGo's analysis takes the last moves away from the net's input by default.
    """
    return {
        "id": f"QUERY:{number}",
        "rules": case.katago_rules,
        "priority": 0,
        "analyzeTurns": [len(case.moves)],
        "maxVisits": 1,
        "komi": case.komi,
        "boardXSize": case.size.columns,
        "boardYSize": case.size.rows,
        "includeOwnership": True,
        "includeMovesOwnership": False,
        "includePolicy": True,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": [list(move) for move in case.moves],
        "overrideSettings": {
            "reportAnalysisWinratesAs": "BLACK",
            "wideRootNoise": 0.0,
            "ignorePreRootHistory": False,
        },
    }


def ask_analysis(process: Process, case: Case, number: int, wait_s: float) -> Answer:
    """Return what the analysis engine says of a position.

    Raises:
        EngineError: it says nothing, or something else.
    """
    query = query_of(case, number)
    try:
        process.write(json.dumps(query).encode() + b"\n")
        line = process.next_line(time.monotonic() + wait_s)
    except (OSError, queue.Empty):
        line = None
    if line is None:
        process.end(0)
        raise EngineError("crash", "no answer to an analysis", last_words=process.last_words)
    sign = 1.0 if case.to_move == "B" else -1.0
    try:
        told = json.loads(line)
        root = told["rootInfo"]
        win = float(root["rawWinrate"])
        policy = np.array(told["policy"], np.float64)
        return Answer(
            policy=np.where(policy < 0, np.nan, policy),
            win=win if sign > 0 else 1.0 - win,
            loss=None,
            lead=sign * float(root["rawLead"]),
            ownership=sign * np.reshape(np.array(told["ownership"], np.float64), case.size),
        )
    except (ValueError, KeyError, TypeError):
        process.end(0)
        raise EngineError("garbage", f"the analysis says {line[:200]!r}") from None


# -- the two together --------------------------------------------------------------------------


@contextmanager
def _command(
    katago: str, way: str, file: Path, config: Path | None, profile: str
) -> Generator[str]:
    """Give the command line that starts KataGo, with all it writes in a folder that goes again."""
    with tempfile.TemporaryDirectory(prefix="katago-check-") as name:
        folder = Path(name)
        (folder / "tuning.txt").write_text(plain_tuning())
        lines = [f"{key} = {value}\n" for key, value in SETTINGS.items()]
        (folder / "katago.cfg").write_text("".join(lines))
        own = {
            "homeDataDir": folder / "home",
            "openclTunerFile": folder / "tuning.txt",
            "openclUseFP16": "false",
            "cudaUseFP16": "false",
            "nnRandomize": "false",  # the position as it is, neither turned nor mirrored
            "rootPolicyOptimism": 0,  # the first policy of several, as we take it
        }
        if profile:
            own["humanSLProfile"] = profile
        override = ",".join(f"{key}={value}" for key, value in own.items())
        used = folder / "katago.cfg" if config is None else config
        words = [katago, way, "-model", file.resolve(), "-config", used]
        yield shlex.join([*map(str, words), "-override-config", override])


def check_file(
    katago: str,
    file: Path,
    cases: Sequence[Case],
    *,
    analysed: int | None = None,
    config: Path | None = None,
    profile: str = "",
) -> list[Check]:
    """Return a Check by ``kata-raw-nn`` and one by the analysis engine.

    ``analysed`` is how many of the positions the analysis engine is asked about, all where None;
    ``config`` its configuration file, a plain one where None. ``profile`` says whom a network that
    imitates people plays like.

    Raises:
        EngineError: KataGo does not start or does not answer.
        NetError: the file cannot be read by us.
    """
    os.environ.setdefault("APPIMAGE_EXTRACT_AND_RUN", "1")  # mounts nothing
    net = load_katago_net(file, profile=profile)
    positions = [case.position() for case in cases]
    pairs = zip(net.evaluate_positions(positions), positions, strict=True)
    ours = [our_answer(found, position) for found, position in pairs]
    raw, deep = Check(file.name, "kata-raw-nn"), Check(file.name, "analysis")
    with _command(katago, "gtp", file, None, profile) as command:
        engine = Engine(command, timeout_s=REPLY_S)
        try:
            engine.ask("name", START_S)
            for case, own in zip(cases, ours, strict=True):
                raw.add(ask_raw(engine, case), own)
                _progress(raw, len(cases))
        finally:
            engine.close()
    chosen = list(zip(cases, ours, strict=True))[:analysed]
    if chosen:
        with _command(katago, "analysis", file, config, profile) as command:
            process = Process(command)
            try:
                for number, (case, own) in enumerate(chosen):
                    wait_s = REPLY_S if number else START_S
                    deep.add(ask_analysis(process, case, number, wait_s), own)
                    _progress(deep, len(chosen))
            finally:
                process.end(1.0)
    return [raw, deep] if chosen else [raw]


def _progress(check: Check, count: int) -> None:
    if check.positions % 10 == 0 or check.positions == count:
        print(f"{check.file}: {check.way} {check.positions}/{count}", file=sys.stderr, flush=True)


def version_of(katago: str) -> str:
    """Return the first line and the backend of ``katago version``."""
    os.environ.setdefault("APPIMAGE_EXTRACT_AND_RUN", "1")
    try:
        told = subprocess.run([katago, "version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise EngineError("start", f"cannot start {katago!r}: {error}", hint=NEEDED) from None
    lines = told.stdout.splitlines()
    return ", ".join([*lines[:1], *[line for line in lines if line.startswith("Using")]])


def table(checks: Sequence[Check]) -> str:
    """Return a Markdown table of largest differences."""
    head = ["file", "asked by", "positions", "within", "other legality", *FIGURES]
    lines = [head, ["---"] * len(head)]
    for check in checks:
        figures = [f"{check.largest[n]:.2g}" if n in check.largest else "-" for n in FIGURES]
        counts = (check.positions, check.within, check.illegal)
        lines.append([check.file, check.way, *map(str, counts), *figures])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> int:
    """Compare, print the table, and end with 1 where a position is beyond the limits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="NET", help=".bin.gz or .txt.gz")
    parser.add_argument("--katago", default=os.environ.get("MARIAGO_KATAGO"), help="the program")
    parser.add_argument("--positions", type=Path, help="JSON; random games where left out")
    parser.add_argument("--count", type=int, default=30, help="positions at most")
    parser.add_argument("--analysed", type=int, help="of them by the analysis engine; all")
    parser.add_argument("--config", type=Path, help="of the analysis engine; KaTrain's own, say")
    parser.add_argument("--profile", default="", help="of nets that imitate people: rank_5k")
    parser.add_argument("--out", type=Path, help="a file for the table")
    chosen = parser.parse_args()
    if not chosen.katago:
        raise BadInputError("no KataGo is named", hint=NEEDED)
    cases = read_cases(chosen.positions) if chosen.positions else random_cases(chosen.count)
    cases = cases[: chosen.count]
    about = version_of(chosen.katago)
    checks: list[Check] = []
    for file in chosen.files:
        print(f"{file.name}: {len(cases)} positions, {about}", file=sys.stderr, flush=True)
        asked = {"analysed": chosen.analysed, "config": chosen.config}
        found = check_file(chosen.katago, file, cases, profile=chosen.profile, **asked)
        checks += found
        print(table(found), flush=True)
        if chosen.out:
            chosen.out.write_text(f"{about}\n\n{table(checks)}", "utf-8")
    return 0 if all(check.within == check.positions for check in checks) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MariagoError as error:
        print(f"error: {error}\n{error.hint or ''}".rstrip(), file=sys.stderr)
        sys.exit(2)

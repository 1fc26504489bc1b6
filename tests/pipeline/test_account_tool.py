"""``tools/account.py``, small: both matches of a limit, the page, and going on."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mariago.errors import BadInputError

ROOT = Path(__file__).resolve().parents[2]


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("account_tool", ROOT / "tools" / "account.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["account_tool"] = module
    spec.loader.exec_module(module)
    return module


def test_the_account_is_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = tmp_path / "docs"
    (docs).mkdir()
    (docs / "index.md").write_text("reference/lessons\n")
    command = ["account.py", "--heuristic", "heuristic:v3", "--net", "heuristic:v2", "--size", "7"]
    command += ["--games", "2", "--limits", "20,30", "--runs", str(tmp_path / "runs")]
    command += ["--docs", str(docs)]
    account = tool()
    monkeypatch.setattr(sys, "argv", command)
    monkeypatch.setattr(account, "LOOKED_AT", 1)
    account.main()
    page = (docs / "reference" / "account.md").read_text("utf-8")
    figures = (docs / "reference" / "account.json").read_text("utf-8")
    limits = json.loads(figures)["limits"]
    assert str(tmp_path) not in json.dumps(limits)  # players are named without a machine's places
    assert limits[0]["after"]["players"]["a"]["book"] == str(Path("limit-20", "a.book"))
    assert [one["limit"] for one in limits] == [20, 30]
    for one in limits:
        assert one["before"]["games"] == one["after"]["games"] == 2
        assert set(one["given"]) == {"a", "b"}
        assert one["after"]["players"]["a"]["lessons"]["patterns"] == one["given"]["a"]["patterns"]
        assert one["before"]["endings"] == {"limit": 2}
    assert page.count("| 20 moves | before | ") == 1
    assert "{" not in page.replace("{doc}", "")
    assert (docs / "images" / "account-scores.svg").read_text("utf-8").startswith("<svg")
    assert (docs / "index.md").read_text("utf-8") == "reference/lessons\nreference/account\n"
    # Killed between the two matches of the last limit: the same again.
    (tmp_path / "runs" / "limit-30" / "after" / "match.sqlite").unlink()
    account.main()
    assert (docs / "reference" / "account.json").read_text("utf-8") == figures
    assert (docs / "index.md").read_text("utf-8").count("reference/account") == 1
    monkeypatch.setattr(sys, "argv", [*command, "--seed", "9"])
    with pytest.raises(BadInputError, match="seed: 1 then, 9 now"):
        account.main()


def test_limits_are_numbers() -> None:
    with pytest.raises(BadInputError, match="no list of limits"):
        tool()._limits("80,many")

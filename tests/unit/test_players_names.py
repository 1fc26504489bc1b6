"""The grammar of players' names, aliases, and what is said about a wrong name."""

from __future__ import annotations

from pathlib import Path

import pytest

from mariago.errors import PlayerError
from mariago.players import kinds, parse_name, resolve_name
from mariago.players.aliases import VARIABLE


@pytest.fixture(autouse=True)
def _no_aliases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("text", "kind", "target", "keys"),
    [
        ("random", "random", None, {}),
        (" random ", "random", None, {}),
        ("random,seed=7", "random", None, {"seed": "7"}),
        ("heuristic:v3", "heuristic", "v3", {}),
        ("net:nets/small,temperature=0.5", "net", "nets/small", {"temperature": "0.5"}),
        ('gtp:"gnugo --mode gtp --level 10"', "gtp", "gnugo --mode gtp --level 10", {}),
        ("gtp:'a, b',x=1", "gtp", "a, b", {"x": "1"}),
        ('net:"say ""hi"", twice"', "net", 'say "hi", twice', {}),
        (r"net:C:\nets\new,until_move=3", "net", r"C:\nets\new", {"until_move": "3"}),
        (r'net:"C:\my nets\"', "net", "C:\\my nets\\", {}),
        ("net:it's,symmetries=8", "net", "it's", {"symmetries": "8"}),
        ('net:a,book="x,y"', "net", "a", {"book": "x,y"}),
        ("search:b6.bin.gz,visits=16", "search", "b6.bin.gz", {"visits": "16"}),
        ("net:网,x=1", "net", "网", {"x": "1"}),
    ],
)
def test_a_name_is_taken_apart(
    text: str, kind: str, target: str | None, keys: dict[str, str]
) -> None:
    name = parse_name(text)
    assert (name.kind, name.target, name.keys) == (kind, target, keys)


@pytest.mark.parametrize(
    "text",
    ["random", "net:a b c", 'net:"a, b",x="1,2"', 'net:"say ""hi"""', r"net:C:\x", "net:' a'"],
)
def test_a_name_put_together_again_means_the_same(text: str) -> None:
    name = parse_name(text)
    assert parse_name(str(name)) == name
    assert str(parse_name(str(name))) == str(name)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":x", "random,", "random,seed", "random,=3", "net:", 'net:"open', 'net:"a"b', "a b"),
        *("random,seed=1,seed=2", "random;seed=1", '"random"'),
    ],
)
def test_what_is_no_name_is_refused_with_the_grammar(text: str) -> None:
    with pytest.raises(PlayerError) as caught:
        parse_name(text)
    assert caught.value.hint is not None
    assert "KIND[:TARGET]" in caught.value.hint


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(PlayerError, match="unknown player 'randon'") as caught:
        resolve_name("randon")
    assert "did you mean random?" in str(caught.value.hint)
    for kind in kinds():
        assert kind.name in str(caught.value.hint)


def test_an_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(PlayerError, match="unknown key 'temprature'") as caught:
        resolve_name("net:x,temprature=1")
    assert "did you mean temperature?" in str(caught.value.hint)
    assert "symmetries" in str(caught.value.hint)


@pytest.mark.parametrize(
    "text",
    [
        *("random,seed=x", "random,seed=-1", "net:x,temperature=nan", "net:x,temperature=-1"),
        *("net:x,symmetries=3", "net:x,until_move=1.5"),
    ],
)
def test_a_key_of_the_wrong_type_is_refused(text: str) -> None:
    key = text.split(",")[1].split("=")[0]
    with pytest.raises(PlayerError, match=key):
        resolve_name(text)


def test_targets_too_many_and_missing_are_refused() -> None:
    with pytest.raises(PlayerError, match="takes no target"):
        resolve_name("random:x")
    with pytest.raises(PlayerError, match="needs a target"):
        resolve_name("katago")


def test_names_resolve_to_one_spelling() -> None:
    assert resolve_name("net:'x',until_move=3,temperature=1") == resolve_name(
        'net:"x",temperature=1,until_move=3'
    )


def test_aliases_come_from_the_current_folder_and_keys_override_them(tmp_path: Path) -> None:
    (tmp_path / "players.toml").write_text(
        'small = "net:nets/small,temperature=0.3"\nwild = "small,temperature=1.0"\n'
    )
    assert resolve_name("small") == "net:nets/small,temperature=0.3"
    assert resolve_name("wild") == "net:nets/small,temperature=1.0"
    assert resolve_name("wild,until_move=4") == "net:nets/small,temperature=1.0,until_move=4"
    with pytest.raises(PlayerError, match="already has its target"):
        resolve_name("small:x")


def test_the_variable_names_the_file_of_aliases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    monkeypatch.setenv(VARIABLE, str(path))
    with pytest.raises(PlayerError, match="no such file"):
        resolve_name("random")
    path.write_text('r = "random,seed=3"\n')
    assert resolve_name("r") == "random,seed=3"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x = ", "not a TOML file"),
        ("x = 3", "not a player's name"),
        ('x = "y"\ny = "x"', "circle"),
        ('random = "net:x"', "has the name of a kind"),
        ('x = "nothing"', "unknown player"),
    ],
)
def test_a_faulty_file_of_aliases_is_one_clear_error(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "players.toml").write_text(text)
    with pytest.raises(PlayerError, match=what):
        resolve_name("x" if "x =" in text else "random")


def test_endless_brackets_in_a_file_of_aliases_are_one_clear_error(tmp_path: Path) -> None:
    for text in ("[" * 100_000, "a = " + "[" * 100_000, "a = " + "{a=" * 100_000):
        (tmp_path / "players.toml").write_text(text)
        with pytest.raises(PlayerError, match="not a TOML file"):
            resolve_name("random")


def test_every_key_of_every_kind_says_what_it_does() -> None:
    for kind in kinds():
        assert kind.help
        for key in kind.list_keys():
            assert key.help, f"{kind.name}: {key.name}"

"""One game or one sample of a data set, with all that is known of it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mariago.board.diagram import draw_diagram
from mariago.board.points import BLACK, Size, move_to_vertex
from mariago.errors import BadInputError
from mariago.records.game_facts import WINNERS
from mariago.records.game_names import find_game
from mariago.records.game_view import GameView, view_games
from mariago.records.kin import Before, board_before, same_games, same_positions
from mariago.records.label_lookup import Said, labelled_rows, said_of_sample
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.report_words import WINNERS_IN_WORDS, flags_line, width_of
from mariago.records.row_facts import FLAGS
from mariago.records.source_places import KATAGO, NO_RECORDS
from mariago.tactics.fact_names import FACTS_IN_WORDS, facts_of_bits
from mariago.words import Texts, texts

__all__ = ["Shown", "find_shown"]

MOST_REPEATS = 8
MOST_PROBLEMS = 8
_OF_GAME = (
    "game", "game_id", "split", "path", "index_in_file", "rows", "columns", "moves", "samples",
    "winner", "score", "result", "result_kind", "komi", "rules", "handicap", "black", "white",
    "black_rank", "white_rank", "date", "played", "event", "server",
)  # fmt: skip


def find_shown(folder: "str | Path", name: str) -> "Shown":
    """Return the game or the sample that ``name`` names; see ``game_names.find_game``.

    Raises:
        RecordsError: no whole data set.
        BadInputError: no such game, or no such move in it.
    """
    manifest = read_manifest(folder)
    found = find_game(manifest, name)
    (view,) = view_games(manifest, [found.game], with_details=True)
    step = None
    if found.move_number is not None:
        if found.move_number not in view.numbers:
            known = (
                f"it has {view.entry['moves']} moves" if view.record is not None
                else "its record cannot be read, and there is no such sample"
            )  # fmt: skip
            raise BadInputError(f"game {found.game} has no move {found.move_number}", hint=known)
        step = view.numbers.index(found.move_number) + 1
    return Shown(manifest, view, step)


@dataclass(frozen=True)
class Shown:
    """A game, or with ``step`` (its index in ``view.steps``) the sample before one of its moves."""

    manifest: Manifest
    view: GameView
    step: int | None

    @property
    def number(self) -> int:
        """The move number of the sample; the number of moves of a game."""
        if self.step is None:
            return int(self.view.entry["moves"])
        return self.view.numbers[self.step - 1]

    @property
    def source(self) -> dict[str, Any]:
        """The source's entry in the manifest."""
        return self.manifest.sources[self.view.entry["source"]]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        entry = self.view.entry
        known = {name: entry[name] for name in _OF_GAME if name in entry}
        told: dict[str, Any] = {
            **known,
            "source": str(self.source["path"]),
            "origin": str(self.source["origin"]),
            "terms": str(self.source["terms"]),
            "repairs": entry.get("repairs"),
            "problems": self._problems(),
            "record": self.view.why_no_record or "read again",
            "repeated_by": same_games(self.manifest, entry),
        }
        if self.step is None:
            return told | {"moves_that_are_samples": sorted(self.view.flags)}
        before = self.before
        move = self.view.steps[self.step]
        return told | {
            "move_number": self.number,
            "to_move": move.color,
            "move": move.move,
            "vertex": _vertex(move.move, self.view.size),
            "ko": before.ko,
            "is_sample": self.number in self.view.flags,
            "flags": self._flags(),
            "flag_counts": self.view.counts.get(self.number, {}),
            "facts": self._fact_names(),
            "position_hash": f"{before.hash:016x}",
            "same_position": self._elsewhere(),
            "labels": [self._plain_label(said) for said in self._labels()],
            "board": draw_diagram(before.stones, stars=False).splitlines(),
        }

    @property
    def before(self) -> Before:
        """The board before the move; of a game the final one."""
        if self.step is not None:
            return board_before(self.view, self.step)
        steps = self.view.steps
        ended = [*steps, steps[-1]._replace(changes=())]
        return board_before(
            GameView(self.view.entry, ended, self.view.numbers, self.view.flags), len(steps)
        )

    def lines(self, lang: str = "en") -> list[str]:
        """Return what a terminal shows: the board, then one fact a line."""
        _ = texts(lang)
        facts = self.facts(_)
        width = max(width_of(name) for name, _value in facts) + 2
        return [
            *self._diagram(_).splitlines(),
            "",
            *(name + " " * (width - width_of(name)) + value for name, value in facts),
        ]

    def write_page(self, path: "str | Path", lang: str = "en", command: str = "") -> Path:
        """Write it as one HTML page and return where it is."""
        from mariago.records.show_page import write_shown

        return write_shown(self, Path(path), lang, command)

    # -- facts in words --------------------------------------------------------------------

    def facts(self, _: Texts) -> list[tuple[str, str]]:
        """Return names and values in reading order; what is not known is left out."""
        told = [*self._sample_facts(_), *self._game_facts(_), *self._paper_facts(_)]
        return [(name, value) for name, value in told if value]

    def _sample_facts(self, _: Texts) -> list[tuple[str, str]]:
        if self.step is None:
            return []
        move, before = self.view.steps[self.step], self.before
        side = _("Black to play") if move.color == BLACK else _("White to play")
        told = [
            (_("Sample"), f"{self.view.entry['game']}:{self.number}"),
            (_("Move"), f"{self.number} / {self.view.entry['moves']}, {side}"),
            (_("Answer"), _vertex(move.move, self.view.size, _)),
        ]
        if before.ko >= 0:
            told.append((_("Ko"), _vertex(before.ko, self.view.size, _)))
        if self.number in self.view.flags:
            told.append((_("Flags"), flags_line(self.view.counts[self.number], _) or "–"))
        else:
            told.append((_("Flags"), _("not a sample")))
        facts = _(", ").join(_(FACTS_IN_WORDS[name]) for name in self._fact_names() or ())
        told.append((_("Facts"), facts))
        others = [
            f"{row['game']}:{row['move_number']} ({row['split']})" for row in self._elsewhere()
        ]
        return [
            *told,
            (_("Position hash"), f"{before.hash:016x}"),
            (_("Same position"), _shortened(others, MOST_REPEATS)),
            *self._label_facts(_),
        ]

    def _label_facts(self, _: Texts) -> list[tuple[str, str]]:
        """Return what each teacher says of the sample; that none does is said too."""
        texts = [self._label_text(said, _) for said in self._labels()]
        return [(_("Teacher"), text) for text in texts or [_("no label")]]

    def _game_facts(self, _: Texts) -> list[tuple[str, str]]:
        entry = self.view.entry
        players = [
            f"{entry[side]} {entry[f'{side}_rank']}".strip() or "?" for side in ("black", "white")
        ]
        names = f"{players[0]} ({_('Black')}) – {players[1]} ({_('White')})"
        unknown = _("unknown")
        komi = unknown if entry["komi"] is None else f"{entry['komi']:g}"
        result = entry["result"] or "?"
        winner = _(WINNERS_IN_WORDS[WINNERS[entry["winner"]]])
        told = [
            (_("Game"), f"{entry['game']}, {entry['game_id']}"),
            (_("Split"), entry["split"]),
            (_("Players"), names),
            (_("Date"), entry["date"] or unknown),
            (_("Event"), entry["event"]),
            (_("Result"), f"{result} ({winner})"),
            (_("Board"), str(self.view.size)),
            (_("Komi"), komi),
            (_("Handicap"), str(entry["handicap"])),
            (_("Rules"), entry["rules"] or unknown),
        ]
        if self.step is None:
            told.append((_("Moves"), str(entry["moves"])))
            told.append((_("Samples"), str(entry["samples"])))
            held = [f"{name}: {rows:,}" for name, rows in labelled_rows(self.manifest).items()]
            told.append((_("Labels in the data set"), "; ".join(held) or _("none")))
            told.append(
                (_("Not samples"), _spans(sorted({*self.view.numbers} - {*self.view.flags})))
            )
        return told

    def _paper_facts(self, _: Texts) -> list[tuple[str, str]]:
        entry = self.view.entry
        number = f" #{entry['index_in_file'] + 1}" if entry["index_in_file"] else ""
        repairs = [
            f"{r['name']} {r['raw']!r} → {r['value'] or '?'} ({r['code']})"
            for r in entry.get("repairs") or ()
        ]
        problems = [f"{p['code']}: {p['text']}" for p in self._problems()]
        repeated = [f"{line['path']} ({line['text']})" for line in
                    same_games(self.manifest, entry)]  # fmt: skip
        return [
            (_("Source"), str(self.source["path"])),
            (_("File"), entry["path"] + number),
            (_("Origin"), str(self.source["origin"])),
            (_("Terms"), str(self.source["terms"])),
            (_("Repaired"), "; ".join(repairs)),
            (_("Problems"), _shortened(problems, MOST_PROBLEMS)),
            (_("Repeated by"), _shortened(repeated, MOST_REPEATS)),
            (_("Record"), self._why_no_record(_)),
        ]

    def _why_no_record(self, _: Texts) -> str:
        if self.source["kind"] == KATAGO:
            return _(NO_RECORDS)
        return self.view.why_no_record

    # -- parts -----------------------------------------------------------------------------

    def _fact_names(self) -> "list[str] | None":
        bits = self.view.facts.get(self.number)
        return None if bits is None else list(facts_of_bits(bits))

    def _flags(self) -> list[str]:
        bits = self.view.flags.get(self.number, 0)
        return [name for k, name in enumerate(FLAGS) if bits >> k & 1]

    def _labels(self) -> list[Said]:
        entry = self.view.entry
        return said_of_sample(self.manifest, entry["split"], entry["game"], self.number)

    def _plain_label(self, said: Said) -> dict[str, Any]:
        moves = [
            {"move": move, "vertex": _vertex(move, self.view.size), "share": round(share, 4)}
            for move, share in said.moves
        ]
        return {**asdict(said), "moves": moves}

    def _label_text(self, said: Said, _: Texts) -> str:
        moves = [f"{_vertex(move, self.view.size, _)} {share:.0%}" for move, share in said.moves]
        told = [f"{said.teacher}: {_(', ').join(moves)}"]
        if said.win_rate is not None:
            told.append(f"{_('Black wins')} {said.win_rate:.0%}")
        if said.lead is not None:
            told.append(f"{_('Lead of {player}', player=_('Black'))} {said.lead:+.1f}")
        return "; ".join(told)

    def _problems(self) -> list[dict[str, Any]]:
        problems = self.view.record.problems if self.view.record is not None else []
        return [problem._asdict() for problem in problems]

    def _elsewhere(self) -> list[dict[str, Any]]:
        """Return the other samples with the same position, under any symmetry."""
        here = self.view.entry["game"], self.number
        found = same_positions(self.manifest, self.before.hash)
        return [row for row in found if (row["game"], row["move_number"]) != here]

    def _diagram(self, _: Texts) -> str:
        before, size = self.before, self.view.size
        stones = before.stones.copy()
        ko, last = (None if at < 0 or at >= size.cells else at for at in (before.ko, before.last))
        if self.step is None:
            return draw_diagram(stones, last=last)
        move = self.view.steps[self.step]
        if move.move >= size.cells:
            return draw_diagram(stones, ko=ko, last=last)
        drawn = draw_diagram(stones, ko=ko, last=last).splitlines()
        row, column = divmod(move.move, size.columns)
        at = 3 + 2 * column
        line = drawn[row + 1].ljust(at + 3)
        drawn[row + 1] = line[:at] + "[" + ".XO"[move.color] + "]" + line[at + 3 :]
        legend = _("(X) last move, [X] answer, * ko")
        return "\n".join([*drawn, "", legend])


def _vertex(move: int, size: Size, _: "Texts | None" = None) -> str:
    if move == size.cells:
        return "pass" if _ is None else _.term("pass")
    return str(move_to_vertex(move, size))


def _shortened(parts: list[str], most: int) -> str:
    return "; ".join(parts[:most]) + (f"; … ({len(parts)})" if len(parts) > most else "")


def _spans(numbers: list[int]) -> str:
    """Return ``1–5, 7`` for 1, 2, 3, 4, 5, 7."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"{a}–{b}" if a < b else str(a) for a, b in spans)

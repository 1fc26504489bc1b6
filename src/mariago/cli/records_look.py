"""``mariago records report`` and ``sheet``: what a data set holds, and its samples as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import JsonOption, LangOption, SeedOption
from mariago.cli.terminal import tell

if TYPE_CHECKING:
    from mariago.records.sheet import Question
    from mariago.records.worst import Judge

__all__ = ["DataSet", "PlayerOption", "SplitOption", "judge_of_net", "report", "sheet"]

DataSet = Annotated[Path, typer.Argument(metavar="DIR", help="A data set made by records build.")]
SplitOption = Annotated[
    str, typer.Option("--split", metavar="NAME", help="train, validation or test alone.")
]
PlayerOption = Annotated[
    str, typer.Option("--player", metavar="NAME", help="A player with this in his name.")
]


def report(
    folder: DataSet,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The page; DIR/report.html.")
    ] = None,
    fold: Annotated[
        bool, typer.Option("--fold", help="Fold heat maps over the symmetries of the board.")
    ] = False,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Show what a data set holds, and write it as one HTML page.

    Results, lengths, openings, ranks, years, komi, flags by move number, repaired values, and the
    games that were left out, with why.
    """
    import json

    from mariago.records.report import make_report
    from mariago.words import texts

    made = make_report(folder, fold=fold)
    page = made.write(out, lang)
    if as_json:
        print(json.dumps({**made.facts, "page": str(page)}, ensure_ascii=False))
    else:
        tell("\n".join(made.lines(lang)))
        _ = texts(lang)
        tell(_("page: {path}", path=page))


def sheet(
    folder: DataSet,
    n: Annotated[int, typer.Option("--n", min=1, help="Number of samples.")] = 20,
    only: Annotated[
        str,
        typer.Option(
            "--only",
            metavar="KINDS",
            help="tactical, captures, saves, gives_atari, self_atari, in_atari, pass, opening, "
            "endgame or a fact, such as net; several with commas, which must all hold.",
        ),
    ] = "",
    split: SplitOption = "",
    size: Annotated[
        str, typer.Option("--size", metavar="SIZE", help="Samples of this board: 19, or 9x13.")
    ] = "",
    moves: Annotated[
        str, typer.Option("--moves", metavar="RANGE", help="Move numbers: 50-100, 200- or 1.")
    ] = "",
    player: PlayerOption = "",
    game: Annotated[
        str, typer.Option("--game", metavar="ID", help="Samples of one game; see records show.")
    ] = "",
    worst: Annotated[
        int, typer.Option("--worst", metavar="N", min=0, help="The N that --net gets most wrong.")
    ] = 0,
    net: Annotated[
        Path | None, typer.Option("--net", metavar="NET", help="The folder of the net to ask.")
    ] = None,
    among: Annotated[
        int, typer.Option("--among", metavar="N", min=1, help="Samples that the net is asked.")
    ] = 2000,
    seed: SeedOption = 1,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder of the sheet; DIR.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = "en",
) -> None:
    """Draw samples with their answers, so that a person sees that nothing is mirrored.

    They are drawn at random among those that the filters want. With --worst and --net they are
    those whose move the net least expects, its first choices marked.
    """
    import json

    from mariago.records.choosing import SampleFilter
    from mariago.records.sheet import write_sheet

    wanted = SampleFilter(only, split, size, moves, player, game)
    question = _question(worst, net, among)
    drawn = write_sheet(folder, worst or n, seed, out, lang, command_line(), wanted, question)
    if as_json:
        shown = ("split", "game", "source", "path", "index_in_file", "move_number", "to_move",
                 "move")  # fmt: skip
        samples = [{name: sample[name] for name in shown} for sample in drawn.samples]
        for sample, judged in zip(samples, drawn.judged, strict=False):
            sample |= {"loss": judged.loss, "played": judged.played, "choices": judged.choices}
        paths = {"png": str(drawn.png), "html": str(drawn.html), "matching": drawn.matching}
        print(json.dumps({**paths, "samples": samples}, ensure_ascii=False))
    else:
        tell(drawn.png)
        tell(drawn.html)


def _question(worst: int, net: Path | None, among: int) -> Question | None:
    from mariago.errors import BadInputError
    from mariago.records.sheet import Question

    if (worst > 0) != (net is not None):
        raise BadInputError(
            "--worst and --net go together", hint="write --worst 20 --net FOLDER, or neither"
        )
    if net is None:
        return None
    return Question(judge_of_net(net), net.resolve().name, among)


def judge_of_net(folder: Path) -> Judge:
    """Return what asks the net in ``folder`` for its moves; see ``records.worst.Judge``.

    Raises:
        NetError: no net, or a damaged one.
    """
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from mariago.features import Rows, planes_of_rows
    from mariago.nets import load_net

    loaded = load_net(folder)

    def judge(rows: Rows, legal: NDArray[np.bool_]) -> NDArray[Any]:
        height, width = int(rows.rows[0]), int(rows.columns[0])
        planes, values = planes_of_rows(rows, max(height, width))
        return loaded.evaluate(planes[:, :, :height, :width], values, legal).policy

    return judge

"""The exception tree."""

from __future__ import annotations

import pickle

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from mariago import errors
from mariago.errors import first_fault


def test_an_error_says_where_and_what() -> None:
    error = errors.SgfError("no tree", where="game.sgf", hint="is it a game record?")
    assert str(error) == "game.sgf: no tree"
    assert (error.what, error.where, error.hint) == ("no tree", "game.sgf", "is it a game record?")


def test_an_error_without_a_place_says_what() -> None:
    assert str(errors.BadInputError("no games")) == "no games"


def test_every_error_is_a_mariago_error_and_documented() -> None:
    for name in set(errors.__all__) - {"first_fault"}:
        kind = getattr(errors, name)
        assert issubclass(kind, errors.MariagoError)
        assert kind.__doc__


def test_a_bad_coordinate_is_bad_input() -> None:
    assert issubclass(errors.CoordinateError, errors.BadInputError)


def test_an_illegal_move_says_the_reason_and_the_point() -> None:
    error = errors.IllegalMoveError("ko", "D4")
    assert (error.reason, error.vertex) == ("ko", "D4")
    assert str(error) == "illegal move at D4: ko"


def test_a_missing_extra_names_the_command_that_installs_it() -> None:
    error = errors.MissingExtraError("train")
    assert error.hint == 'in the folder of the project: pip install ".[train]"'


@pytest.mark.parametrize(
    "error",
    [
        errors.MatchError("no games", where="match.db", hint="play some"),
        errors.IllegalMoveError("occupied", "Q16", where="move 12"),
        errors.MissingExtraError("train"),
    ],
)
def test_errors_travel_between_processes(error: errors.MariagoError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert (str(back), back.__dict__) == (str(error), error.__dict__)


def test_faults_of_models_are_told_in_plain_words() -> None:
    class Part(BaseModel):
        model_config = ConfigDict(extra="forbid")
        terms: str = Field(pattern=r"\S")
        trust: int = 1

        @field_validator("trust")
        @classmethod
        def _odd(cls, trust: int) -> int:
            if trust % 2 == 0:
                raise ValueError("has to be odd")
            return trust

    def fault(known: object = None, **values: object) -> str:
        with pytest.raises(ValidationError) as caught:
            Part.model_validate(values)
        return first_fault(caught.value, known)

    assert fault() == "terms: is missing"
    assert fault(terms=" ") == "terms: may not be empty"
    assert fault(terms="x", trust=2) == "trust: has to be odd"
    assert fault(terms="x", trust="y").startswith("trust: should be a valid integer")
    assert fault(term="y") == "term: unknown key"  # a slip of the pen, not a missing key
    told = fault(Part.model_fields, terms="x", term="y")
    assert told == "term: unknown key (known: terms, trust)"
    assert len(fault(terms="x", **{"k" * 1000: 1})) == 200

"""The tables of a book of lessons, one SQLite file."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Float, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = ["FORMAT", "Base", "BookRow", "GameRow", "LessonRow"]

FORMAT = 1  # rises when old files cannot be read any more


class Base(DeclarativeBase):
    """The tables below."""


class BookRow(Base):
    """The book itself; one row."""

    __tablename__ = "book"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    format: Mapped[int] = mapped_column(Integer)
    teaching: Mapped[dict[str, Any]] = mapped_column(JSON)


class GameRow(Base):
    """A game that was learnt from, whole: it can be shown and written again."""

    __tablename__ = "game"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    match: Mapped[str] = mapped_column(Text, index=True)
    match_key: Mapped[str] = mapped_column(String(64))
    number: Mapped[int] = mapped_column(Integer)
    black: Mapped[str] = mapped_column(Text)
    white: Mapped[str] = mapped_column(Text)
    winner: Mapped[int] = mapped_column(Integer)
    ending: Mapped[str] = mapped_column(String(16))
    played: Mapped[str] = mapped_column(String(32))
    learnt: Mapped[str] = mapped_column(String(32), index=True)  # UTC, 2025-01-31T09:30:00
    opening: Mapped[int] = mapped_column(Integer)
    start: Mapped[dict[str, Any]] = mapped_column(JSON)
    moves: Mapped[list[list[int]]] = mapped_column(JSON)


class LessonRow(Base):
    """One lesson; keys are kept as signed numbers, as SQLite has them."""

    __tablename__ = "lesson"
    __table_args__ = (Index("lesson_pattern", "pattern"), Index("lesson_game", "game_id"))

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    move_number: Mapped[int] = mapped_column(Integer)
    move: Mapped[int] = mapped_column(Integer)
    color: Mapped[int] = mapped_column(Integer)
    handed_to: Mapped[int] = mapped_column(Integer)
    giver: Mapped[str] = mapped_column(Text)
    receiver: Mapped[str] = mapped_column(Text, index=True)
    points: Mapped[int] = mapped_column(Integer)
    weight: Mapped[float] = mapped_column(Float)
    pattern: Mapped[int] = mapped_column(Integer)
    position: Mapped[int] = mapped_column(Integer)

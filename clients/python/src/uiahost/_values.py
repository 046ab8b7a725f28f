"""What calls of the client give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

from . import types

Scope = Literal["agent", "operator", "none"]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Event:
    """One event of a stream."""

    id: str | None
    type: str
    data: Any


@dataclass(frozen=True)
class Result(Generic[Value]):
    """How an action ended: its value, and what the host saw of its effect."""

    value: Value
    #: The whole answer, with the names that it has in JSON.
    answer: types.ActionResult

    @property
    def effect(self) -> Literal["confirmed", "unverified", "none", "pending_modal"]:
        return self.answer["outcome"]["effect"]

    @property
    def action_id(self) -> str:
        return self.answer["actionId"]

    @staticmethod
    def of(answer: Any) -> Result[Any]:
        whole = cast(types.ActionResult, answer)
        return Result(whole["value"], whole)


@dataclass(frozen=True)
class Pending:
    """A person must decide first: see `Client.wait_for_action`."""

    action_id: str
    approval_id: str

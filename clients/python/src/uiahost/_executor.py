"""The given interface `ComputerExecutor` over a running host, with its positional arguments and bare answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from . import types
from ._errors import ClientError, Problem
from ._executor_methods import CALLS, AsyncExecutorMethods, ExecutorMethods
from ._methods import AsyncRoutes, Routes
from ._values import Result

# WHEEL_DELTA of Windows, and how many notches and clicks an action takes.
_UNITS_A_NOTCH = 120
_MOST_NOTCHES = 100
_MOST_CLICKS = 3


@dataclass(frozen=True)
class CallResult:
    """How a call ended: `problem` says why it answered False or None, or raised."""

    method: str
    result: Result[Any] | None
    problem: ClientError | None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_zero(value: Any) -> bool:
    return _is_number(value) and value == 0


def _read(value: Any, meaning: str | None) -> Any:
    """A value as its caller meant it; None is none. What is not understood is left to the host."""
    if meaning == "whole":
        return math.floor(value + 0.5) if _is_number(value) else value
    if meaning == "size":
        return None if _is_zero(value) else _read(value, "whole")
    if meaning == "several":
        return None if _is_number(value) and value in (0, 1) else value
    if meaning == "positive":
        return None if _is_zero(value) else value
    if meaning == "clicks":
        if _is_zero(value) or value == "":
            return None
        return _MOST_CLICKS if _is_number(value) and value > _MOST_CLICKS else value
    if meaning == "notches":
        if not _is_number(value) or abs(value) < _MOST_NOTCHES:
            return value
        # Browsers report 100 for a notch.
        return math.copysign(max(1, min(_MOST_NOTCHES, abs(value) / _UNITS_A_NOTCH)), value)
    if meaning == "names" and isinstance(value, (list, tuple)):
        return [name for name in cast(Sequence[Any], value) if name != ""]
    if meaning in ("filled", "names"):
        return None if value == "" else value
    return value


def input_of(method: str, args: Sequence[Any]) -> dict[str, Any]:
    """The input of a method's action."""
    call = CALLS[method]
    built: dict[str, Any] = {}

    def put(field: Mapping[str, Any], given: Any) -> None:
        value = _read(field.get("otherwise") if given is None else given, field.get("as"))
        where = field.get("where")
        if value is not None and (where is None or built.get(where[0]) in where[1]):
            built[field["name"]] = value

    for place, parameter in enumerate(call["parameters"]):
        given = args[place] if place < len(args) else None
        if isinstance(parameter, dict):
            put(cast(dict[str, Any], parameter), given)
        else:
            options = cast(Mapping[str, Any], given if isinstance(given, Mapping) else {})
            for field in parameter:
                put(field, options.get(field["name"]))
    return {**built, **call.get("always", {})}


def method_value(method: str, value: Any) -> Any:
    """What a method answers for its action's value."""
    answers = CALLS[method].get("answers")
    if answers is None or answers == "some":
        return value
    if answers == "none":
        return None

    def kept(row: dict[str, Any]) -> dict[str, Any]:
        return {name: each for name, each in row.items() if name in answers}

    return [kept(row) for row in value] if isinstance(value, list) else kept(value)


def _failed(method: str, error: ClientError) -> Any:
    """False or None where the method's type has it; a host that does not answer always raises."""
    call = CALLS[method]
    if "failed" in call and isinstance(error, Problem) and error.code != "internal":
        return call["failed"]
    raise error


class _State:
    """What both kinds have."""

    def __init__(self, session: str | None) -> None:
        self._session = session
        self._last: CallResult | None = None

    @property
    def last_result(self) -> CallResult | None:
        """How the call that ended last ended; None before the first."""
        return self._last


class Executor(_State, ExecutorMethods):
    """`Client.executor()`. A refusal is False or None where the method has it, and raises otherwise."""

    def __init__(self, client: Routes, session: str | None = None) -> None:
        super().__init__(session)
        self._client = client

    @property
    def capabilities(self) -> dict[str, str]:
        """`screenshotFiltering`, `platform`, `hostBundleId`, as the host tells them."""
        return _capabilities(self._client.status())

    def _call(self, method: str, *args: Any) -> Any:
        try:
            result = self._client.run(CALLS[method]["action"], input_of(method, args), session=self._session)
        except ClientError as error:
            self._last = CallResult(method, None, error)
            return _failed(method, error)
        self._last = CallResult(method, result, None)
        return method_value(method, result.value)


class AsyncExecutor(_State, AsyncExecutorMethods):
    """`AsyncClient.executor()`. A refusal is False or None where the method has it, and raises otherwise."""

    def __init__(self, client: AsyncRoutes, session: str | None = None) -> None:
        super().__init__(session)
        self._client = client

    async def capabilities(self) -> dict[str, str]:
        """`screenshotFiltering`, `platform`, `hostBundleId`, as the host tells them."""
        return _capabilities(await self._client.status())

    async def _call(self, method: str, *args: Any) -> Any:
        try:
            result = await self._client.run(CALLS[method]["action"], input_of(method, args), session=self._session)
        except ClientError as error:
            self._last = CallResult(method, None, error)
            return _failed(method, error)
        self._last = CallResult(method, result, None)
        return method_value(method, result.value)


def _capabilities(status: types.StatusReply) -> dict[str, str]:
    told = status["capabilities"]
    return {
        "screenshotFiltering": "native" if told.get("screenshotFiltering") == "native" else "none",
        "platform": "win32",
        "hostBundleId": str(told.get("hostBundleId") or ""),
    }

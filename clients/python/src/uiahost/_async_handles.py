"""Handles of windows and elements, for programs with asyncio or trio: each call is a plain action, and waits for its element within one deadline."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from anyio import sleep

from . import types
from ._errors import Problem, TimedOut
from ._methods import AsyncActions
from ._values import Result

Answer = TypeVar("Answer")

#: An element as data: ref, role, name, value, states, rect, and id, parent, count, unread where they apply.
ElementData = dict[str, Any]

LOOK_EVERY_S = 0.2
#: Tick, and untick of a box with three states.
MOST_CLICKS = 2
#: What a person would wait for before acting.
WAITS: dict[str, Any] = {"target_not_found": "appears", "target_disabled": "enabled"}


def _not_there(error: Problem) -> bool:
    return error.code == "target_not_found"


class AsyncWindow:
    """A window in a session of its own, so that no other handle's binding takes its place. It is bound when it is first used."""

    def __init__(self, actions: AsyncActions, query: dict[str, Any], timeout: float) -> None:
        #: Every action, in this window.
        self.actions = actions
        self._query = query
        self._timeout = timeout
        self._bound: types.BindToWindowValue | None = None

    async def bind(self) -> types.BindToWindowValue:
        """Binds the window, waiting for it to open. Raises Problem."""
        end = time.monotonic() + self._timeout
        while self._bound is None:
            try:
                self._bound = (await self.actions.bind_to_window(**self._query)).value
            except Problem as error:
                if not _not_there(error) or time.monotonic() + LOOK_EVERY_S > end:
                    raise
                await sleep(LOOK_EVERY_S)
        return self._bound

    def element(
        self,
        name: str | None = None,
        *,
        role: str | None = None,
        automation_id: str | None = None,
        path: str | None = None,
        ref: str | None = None,
        timeout: float | None = None,
    ) -> AsyncElement:
        """An element by its name or label, or by more. Nothing is looked up before it is used."""
        given = {"name": name, "role": role, "automation_id": automation_id, "path": path, "ref": ref}
        query = {key: value for key, value in given.items() if value is not None}
        return AsyncElement(self, query, self._timeout if timeout is None else timeout)

    async def elements(self, **query: Any) -> list[ElementData]:
        """The elements that fit now, as `actions.find` takes them; without a query those of a snapshot."""
        await self.bind()
        found: Any = (await self.actions.find(**{"limit": 100, **query}) if query else await self.actions.snapshot()).value
        elements: list[ElementData] = found.get("elements", [])
        return elements

    async def press(self, keys: str) -> Result[Any]:
        """Keys for whatever has the focus: `ctrl+s`."""
        await self.bind()
        return await self.actions.key(key_sequence=keys)

    async def menu(self, item: str) -> Result[Any]:
        """An entry of its menu by its path: `File > Save As…`."""
        await self.bind()
        return await self.actions.select_element(item=item)


class AsyncElement:
    """An element by its query, looked up again by each call. Raises Problem; `target_ambiguous` has `candidates`."""

    def __init__(self, window: AsyncWindow, query: dict[str, Any], timeout: float) -> None:
        self.window = window
        self.query = query
        self._timeout = timeout

    async def _act(self, act: Callable[..., Awaitable[Answer]], **more: Any) -> Answer:
        """Acts; where the element is not there yet, or is disabled, waits for it and acts again."""
        await self.window.bind()
        end = time.monotonic() + self._timeout

        def left() -> int:
            return max(1, round((end - time.monotonic()) * 1000))

        try:
            return await act(**self.query, deadline_ms=left(), **more)
        except Problem as error:
            if error.code not in WAITS:
                raise
            try:
                await self.window.actions.wait_for(**self.query, condition=WAITS[error.code], deadline_ms=left())
            except Problem:
                raise error from None
        return await act(**self.query, deadline_ms=left(), **more)

    async def wait_for(self, condition: Any = None, value: str | None = None) -> ElementData | None:
        """Waits, by default until it is there; None once it is gone."""
        await self.window.bind()
        limit = round(self._timeout * 1000)
        answer = await self.window.actions.wait_for(**self.query, condition=condition, value=value, deadline_ms=limit)
        return cast("ElementData | None", answer.value["element"])

    async def read(self) -> ElementData:
        """The element as it is now; waits until it is there."""
        element = await self.wait_for()
        assert element is not None
        return element

    async def exists(self) -> bool:
        """Whether it is there now."""
        await self.window.bind()
        try:
            await self.window.actions.snapshot(**self.query, depth=0)
        except Problem as error:
            if _not_there(error):
                return False
            raise
        return True

    async def value(self) -> str | None:
        """What it holds; None where it holds nothing, and for a password."""
        return (await self.read()).get("value")

    async def text(self) -> str:
        """What it holds, or its name."""
        element = await self.read()
        text: str = element["value"] if "value" in element else element["name"]
        return text

    async def set_value(self, text: str) -> Result[Any]:
        """Replaces what it holds."""
        return await self._act(self.window.actions.type_into_element, text=text)

    async def click(self, **options: Any) -> Result[Any]:
        """`button`, `count` and `delivery` as `actions.click_element` takes them."""
        return await self._act(self.window.actions.click_element, **options)

    async def check(self, on: bool = True) -> None:
        """Ticks a check box, or unticks it. Raises TimedOut where clicks do not change it."""
        for clicks in range(MOST_CLICKS + 1):
            states = (await self.read())["states"]
            if ("checked" in states) == on and "mixed" not in states:
                return
            if clicks < MOST_CLICKS:
                await self.click()
        wanted = "checked" if on else "unchecked"
        raise TimedOut(f"It was clicked {MOST_CLICKS} times and is still not {wanted}.")

    async def select(self, item: str | int | None = None) -> Result[Any]:
        """Chooses an item by its name or its index from 0; without one the element itself, a row or a tab."""
        wanted = {"index": item} if isinstance(item, int) else {"item": item}
        return await self._act(self.window.actions.select_element, **wanted)

    async def press(self, keys: str) -> Result[Any]:
        """Gives it the keyboard focus of its program, then presses keys."""
        await self._act(self.window.actions.focus_element)
        return await self.window.actions.key(key_sequence=keys)

    async def children(self) -> list[ElementData]:
        """What is directly in it."""
        found: Any = (await self._act(self.window.actions.snapshot, depth=1)).value
        elements = found.get("elements", [])
        return [each for each in elements if each.get("parent") == elements[0]["ref"]]

    async def rows(self, from_: int | None = None, count: int | None = None) -> types.ReadTableValue:
        """Rows of a list, grid or tree with their cells; `totalRows` has how many there are."""
        return (await self._act(self.window.actions.read_table, from_=from_, count=count)).value

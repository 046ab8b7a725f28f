"""The client of a running host, for programs with asyncio or trio."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import httpx
from anyio import sleep
from httpx_sse import aconnect_sse

from . import types
from ._errors import ConnectionFailed, Problem, TimedOut, error_of
from ._executor import AsyncExecutor
from ._locate import data_directory_of, find_host_async, find_token
from ._async_handles import AsyncWindow
from ._methods import AsyncActions, AsyncRoutes
from ._request import (
    LOOK_EVERY_S,
    MOST_TRIES,
    OWN_SESSION,
    RETRY_S,
    SeenCards,
    answer_of,
    body_of,
    event_of,
    failure,
    headers_of,
    own_key,
    query_of,
    scope_of,
    time_of,
    tokens,
)
from ._values import Event, Pending, Result, Scope


class AsyncClient(AsyncRoutes):
    """A running host, by its address and token. A call waits as long as a person needs, unless it has a `timeout`."""

    def __init__(
        self,
        url: str,
        token: str | Callable[[str], str],
        *,
        operator_token: str | None = None,
        session: str | None = None,
        timeout: float | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """
        `token`: an agent's, which acts and observes, or an operator's; or a function that gives each by its scope.
        `session`: whose bound window; each session has its own, by default one of this program's. `http`: an httpx client with settings of your own.
        """
        self.url = url.rstrip("/")
        self.session = OWN_SESSION if session is None else session
        self._timeout = timeout
        self._token = token if callable(token) else tokens(token, operator_token)
        self._http = http or httpx.AsyncClient(trust_env=False)
        self._windows = 0
        #: Every action: `client.actions.click_element(name="Save")`.
        self.actions = AsyncActions(self)

    @classmethod
    async def connect(
        cls,
        *,
        data_directory: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        session: str | None = None,
        timeout: float | None = None,
    ) -> AsyncClient:
        """
        A client of this machine's running host, found by host.json in the data directory. The host proves that it owns
        the directory before any token is sent. Raises HostNotFound.
        """
        known = os.environ if env is None else env
        directory = data_directory_of(known) if data_directory is None else Path(data_directory)
        url = await find_host_async(directory)
        return cls(url, lambda scope: find_token(directory, scope, known), session=session, timeout=timeout)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        scope: Scope = "agent",
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: Any = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """The response with any status. Raises ConnectionFailed, TimedOut."""
        limit = self._timeout if timeout is None else timeout
        try:
            return await self._http.request(
                method,
                self.url + path,
                params=query_of(query),
                headers=headers_of(scope, self._token, headers),
                json=body,
                timeout=time_of(limit),
            )
        except httpx.HTTPError as error:
            raise failure(error, method, self.url, limit) from error

    async def _json(
        self,
        method: str,
        path: str,
        *,
        scope: Scope,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: Any = None,
        timeout: float | None = None,
    ) -> Any:
        named = dict(headers or {})
        if "uiahost-session" in named:
            named["uiahost-session"] = named["uiahost-session"] or self.session
        response = await self.request(
            method, path, scope=scope_of(scope, body), query=query, headers=named, body=body, timeout=timeout
        )
        return body_of(response)

    async def _bytes(self, method: str, path: str, *, scope: Scope, timeout: float | None = None) -> bytes:
        response = await self.request(method, path, scope=scope, timeout=timeout)
        if not response.is_success:
            raise error_of(response.status_code, response.text)
        return response.content

    async def start(
        self,
        name: str,
        input: Mapping[str, Any] | None = None,
        *,
        wait: bool = False,
        session: str | None = None,
        idempotency_key: str | None = None,
        observe: Literal["delta", "none"] | None = None,
        timeout: float | None = None,
    ) -> Result[Any] | Pending:
        """Runs an action by its name in kebab-case; where a person must decide, it answers Pending at once."""
        key = own_key(name) if idempotency_key is None else idempotency_key
        try:
            body = await self._json(
                "POST",
                f"/v1/actions/{quote(name, safe='')}",
                scope="agent",
                query={"observe": observe, "wait": None if wait else "0"},
                headers={"uiahost-session": session, "idempotency-key": key},
                body={field: value for field, value in (input or {}).items() if value is not None},
                timeout=timeout,
            )
        except (ConnectionFailed, TimedOut) as error:
            error.idempotency_key = key
            raise
        return answer_of(body)

    async def run(
        self,
        name: str,
        input: Mapping[str, Any] | None = None,
        *,
        session: str | None = None,
        idempotency_key: str | None = None,
        observe: Literal["delta", "none"] | None = None,
        timeout: float | None = None,
    ) -> Result[Any]:
        """
        Runs an action by its name in kebab-case. Repeating it with the same idempotency key runs nothing; one that acts has a
        key of its own, which the error has where no answer came.
        """
        done = await self.start(
            name,
            input,
            wait=True,
            session=session,
            idempotency_key=idempotency_key,
            observe=observe,
            timeout=timeout,
        )
        assert isinstance(done, Result)
        return done

    async def wait_for_action(self, action_id: str, *, timeout: float | None = None) -> Result[Any]:
        """The result of an action that `start` left pending. Raises its refusal."""
        ends = None if timeout is None else time.monotonic() + timeout
        while True:
            record: Any = await self.get_action(action_id)
            if record.get("result") is not None:
                return Result.of(record["result"])
            if record.get("error") is not None:
                raise Problem(record["error"])
            if ends is not None and time.monotonic() >= ends:
                raise TimedOut(f"The action is still {record['status']} after {timeout} s; it continues.")
            await sleep(LOOK_EVERY_S)

    async def stream(
        self, path: str, *, scope: Scope, last_event_id: str | None = None, resume: bool = True
    ) -> AsyncIterator[Event]:
        """The events of a stream. A lost connection is opened again after the last one, so none is missed or repeated."""
        async for event in self._watch(path, scope, last_event_id, resume):
            if event is not None:
                yield event

    async def _watch(
        self, path: str, scope: Scope, last_event_id: str | None = None, resume: bool = True
    ) -> AsyncIterator[Event | None]:
        """The events, and None each time the stream is open."""
        last, delay, failures, opened = last_event_id, RETRY_S, 0, False
        while True:
            try:
                headers = headers_of(scope, self._token, {"last-event-id": last})
                async with aconnect_sse(
                    self._http, "GET", self.url + path, headers=headers, timeout=time_of(None)
                ) as source:
                    if source.response.status_code == 204:
                        return
                    if not source.response.is_success:
                        await source.response.aread()
                        raise error_of(source.response.status_code, source.response.text)
                    opened = True
                    yield None
                    async for each in source.aiter_sse():
                        delay = delay if each.retry is None else each.retry / 1000
                        event = event_of(each.id, each.event, each.data)
                        if event is not None:
                            failures, last = 0, event.id or last
                            yield event
                if not resume:
                    return
            except httpx.HTTPError as error:
                failures += 1
                if not opened or not resume or failures >= MOST_TRIES:
                    raise failure(error, "GET", self.url, None) from error
            await sleep(delay)

    async def approvals(self) -> AsyncIterator[types.ApprovalCard]:
        """Cards as they arrive and are decided, the waiting ones first. For the operator."""
        seen = SeenCards()
        async for event in self._watch("/v1/events", "operator"):
            if event is None:
                # Read once the stream is open, so that no card falls between the two.
                for card in (await self.list_approvals())["approvals"]:
                    if seen.is_new(card):
                        yield card
            else:
                card = seen.new_of(event)
                if card is not None:
                    yield card

    def window(
        self,
        title: str | None = None,
        *,
        hwnd: str | None = None,
        pid: int | None = None,
        timeout: float = 10,
    ) -> AsyncWindow:
        """
        A window in a session of its own: `client.window("Notepad").element("Find what").value()`. Nothing is sent before it is
        used. `timeout`: seconds for a call with everything that it waits for, but a person.
        """
        self._windows += 1
        session = f"{self.session[:56]}-w{self._windows}"
        own = AsyncClient(self.url, self._token, session=session, timeout=self._timeout, http=self._http)
        given = {"title": title, "hwnd": hwnd, "pid": pid}
        return AsyncWindow(own.actions, {key: value for key, value in given.items() if value is not None}, timeout)

    def executor(self, *, session: str | None = None) -> AsyncExecutor:
        """The given interface: its 42 methods with positional arguments and bare answers."""
        return AsyncExecutor(self, session)

"""One HTTP request, as both kinds of client make it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from ._errors import ClientError, ConnectionFailed, TimedOut, error_of
from ._methods import READS
from ._values import Event, Pending, Result, Scope

#: How long a lost stream waits before it is opened again, unless the host says otherwise.
RETRY_S = 1.0
#: A host that restarts needs seconds; after this many failed tries it has gone.
MOST_TRIES = 10
LOOK_EVERY_S = 0.25
#: Two programs that named no session and shared one would act on each other's window.
OWN_SESSION = f"client-{secrets.token_hex(4)}"

TokenOf = Callable[[str], str]


def own_key(name: str) -> str | None:
    """The key of an action that acts and was given none; reading again needs none."""
    return None if name in READS else secrets.token_hex(16)


def tokens(token: str, operator_token: str | None) -> TokenOf:
    return lambda scope: (operator_token or token) if scope == "operator" else token


def scope_of(scope: Scope, body: object) -> Scope:
    """An agent may abort a session by the route that takes decisions; those are the operator's."""
    return "operator" if isinstance(body, dict) and "decision" in body else scope


def headers_of(scope: Scope, token: TokenOf, more: Mapping[str, str | None] | None = None) -> dict[str, str]:
    named = {name: value for name, value in (more or {}).items() if value is not None}
    return named if scope == "none" else {"authorization": f"Bearer {token(scope)}", **named}


def query_of(query: Mapping[str, Any] | None) -> dict[str, str]:
    return {name: str(value) for name, value in (query or {}).items() if value is not None}


def time_of(timeout: float | None) -> httpx.Timeout:
    """Unlimited unless it is given: a person may have to decide, and closing the connection cancels the action."""
    return httpx.Timeout(timeout, connect=min(timeout or 10.0, 10.0))


def failure(error: httpx.HTTPError, method: str, url: str, timeout: float | None) -> ClientError:
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        return ConnectionFailed(f"No host answers at {url} ({error}).", "not_delivered")
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(
            f"No answer came within {timeout} s. The client closed the connection, and the host cancels an action with it."
        )
    return ConnectionFailed(
        f"The connection to {url} broke ({type(error).__name__}).", "not_delivered" if method == "GET" else "unknown"
    )


def body_of(response: httpx.Response) -> Any:
    if not response.is_success:
        raise error_of(response.status_code, response.text)
    return response.json() if response.content else None


def answer_of(body: Any) -> Result[Any] | Pending:
    if body.get("status") == "pending" and "approvalId" in body:
        return Pending(body["actionId"], body["approvalId"])
    return Result.of(body)


def event_of(identity: str, kind: str, data: str) -> Event | None:
    """None for what only carries a delay."""
    return Event(identity or None, kind, json.loads(data)) if data else None


class SeenCards:
    """Which states of which cards a stream has given."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def is_new(self, card: Mapping[str, Any]) -> bool:
        state = (card["approvalId"], card["status"])
        if state in self._seen:
            return False
        self._seen.add(state)
        return True

    def new_of(self, event: Event) -> Any:
        card = event.data.get("card") if event.type.startswith("approval.") else None
        return card if card is not None and self.is_new(card) else None

"""What the host refused, and a connection that failed. Each says whether input was delivered."""

from __future__ import annotations

import json
from typing import Any, Literal, cast

from . import types

Delivery = Literal["not_delivered", "delivered", "unknown"]


class ClientError(Exception):
    """What every error of the client has."""

    code: str
    #: The same call may succeed later.
    retryable: bool
    #: Whether input reached the target. `unknown`: it may have; look before you repeat the call.
    delivery: Delivery
    #: What to try.
    hint: str
    #: The key of an action whose answer did not arrive: repeating the call with it gets that answer and runs nothing twice.
    idempotency_key: str | None = None

    def __init__(self, message: str, *, code: str, retryable: bool, delivery: Delivery, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable
        self.delivery = delivery
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]} {self.hint}"


class Problem(ClientError):
    """The host answered with a problem (RFC 9457)."""

    def __init__(self, problem: types.Problem) -> None:
        super().__init__(
            problem["detail"],
            code=problem["code"],
            retryable=problem["retryable"],
            delivery=problem["delivery"],
            hint=problem["hint"],
        )
        #: Everything that the host answered.
        self.problem = problem

    @property
    def status(self) -> int:
        return int(self.problem["status"])

    @property
    def action_id(self) -> str | None:
        """The action that failed; none where the request did not become one."""
        return self.problem.get("actionId")

    @property
    def candidates(self) -> list[Any]:
        """Where a choice is needed: the elements or windows that fit."""
        return list(self.problem.get("candidates") or [])


class ConnectionFailed(ClientError):
    """No answer came: the host could not be reached, the connection broke, or what answered is not a host."""

    def __init__(self, message: str, delivery: Delivery) -> None:
        is_unsent = delivery == "not_delivered"
        super().__init__(
            message,
            code="connection_failed",
            retryable=is_unsent,
            delivery=delivery,
            hint="Check that the host runs (`uiahost status`), then repeat the call."
            if is_unsent
            else "Repeat the call with the error’s idempotency_key: it gets the first answer and runs nothing twice.",
        )


class TimedOut(ClientError):
    """The call took longer than its `timeout`."""

    def __init__(self, message: str) -> None:
        super().__init__(
            message,
            code="client_timeout",
            retryable=False,
            delivery="unknown",
            hint="Take a snapshot to see what was done. To wait for a person, use a longer time or none.",
        )


class HostNotFound(ClientError):
    """No host of this data directory answers. Says what was found instead, and what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, code="host_not_found", retryable=False, delivery="not_delivered", hint=hint)


def error_of(status: int, text: str) -> ClientError:
    """The error of an answer that is not a success."""
    try:
        body: Any = json.loads(text)
    except ValueError:
        body = None
    texts = ("code", "detail", "hint", "delivery")
    if isinstance(body, dict) and all(isinstance(cast(Any, body).get(name), str) for name in texts):
        return Problem(cast(types.Problem, body))
    return ConnectionFailed(f"The host answered {status} without a reason.", "unknown")

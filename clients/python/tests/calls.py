"""Makes the calls that a file names, by the sync and by the async client, and prints what each came to: test/tools compares it with the TypeScript client."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

from uiahost import AsyncClient, Client, Pending, Problem, Result
from uiahost._errors import ClientError


def shown(answer: Any) -> Any:
    if isinstance(answer, Result):
        return {"answer": answer.answer, "value": answer.value, "effect": answer.effect, "actionId": answer.action_id}
    if isinstance(answer, Pending):
        return {"pending": {"actionId": answer.action_id, "approvalId": answer.approval_id}}
    return {"answer": len(answer) if isinstance(answer, bytes) else answer}


def refused(error: ClientError) -> Any:
    has = {name: getattr(error, name) for name in ("code", "retryable", "delivery", "hint")}
    if not isinstance(error, Problem):
        return {"error": {"class": type(error).__name__, **has, "hasKey": error.idempotency_key is not None}}
    more = {"status": error.status, "actionId": error.action_id, "candidates": error.candidates}
    return {"error": {"class": "Problem", "message": error.args[0], **has, **more, "problem": error.problem}}


async def outcome(client: Any, call: Any) -> Any:
    target = client.actions if call["of"] == "actions" else client
    if "url" in call:
        target = type(client)(call["url"], "x", timeout=call["timeoutMs"] / 1000)
    try:
        answer = getattr(target, call["name"])(*call["args"], **call["options"])
        return shown(await answer if inspect.isawaitable(answer) else answer)
    except ClientError as error:
        return refused(error)


async def main(file: str) -> None:
    calls = json.loads(Path(file).read_text("utf-8"))
    with Client.connect(session="compared-sync") as client:
        seen = [await outcome(client, call) for call in calls]
    async with await AsyncClient.connect(session="compared-async") as other:
        again = [await outcome(other, call) for call in calls]
    print(json.dumps({"sync": seen, "async": again}))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUTF8", "1")
    asyncio.run(main(sys.argv[1]))

"""The client against a running host, whose data directory UIAHOST_DATA_DIR names; its window is Notepad's."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from uiahost import (
    AsyncClient,
    AsyncToolset,
    Client,
    ConnectionFailed,
    HostNotFound,
    Pending,
    Problem,
    TimedOut,
    Toolset,
)
from uiahost._executor import input_of, method_value

DATA = Path(os.environ["UIAHOST_DATA_DIR"])


@pytest.fixture
def host() -> Any:
    with Client.connect(session="pytest") as client:
        client.actions.bind_to_window(title="Notepad")
        yield client


def decide_next(client: Client, decision: Any) -> threading.Thread:
    """Answers the next card."""

    def work() -> None:
        with Client.connect() as own:
            for card in own.approvals():
                if card["status"] == "pending":
                    own.decide_approval(card["approvalId"], {"decision": decision})
                    return

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_actions_have_values_and_effects(host: Client) -> None:
    assert host.actions.has_bound_window().value is True
    seen = host.actions.snapshot()
    assert "Notepad" in seen.value["accessibilityText"]
    assert seen.effect == "none"
    assert seen.action_id.startswith("act_")


def test_a_call_waits_for_a_person(host: Client) -> None:
    person = decide_next(host, "approve")
    done = host.actions.click_element(name="Save draft")
    person.join()
    assert done.value is True
    assert done.answer["decision"]["approvalId"]


def test_a_denial_is_a_problem(host: Client) -> None:
    person = decide_next(host, "deny")
    with pytest.raises(Problem) as refused:
        host.actions.click_element(name="Save draft")
    person.join()
    error = refused.value
    assert (error.code, error.delivery, error.retryable) == ("approval_denied", "not_delivered", False)
    assert error.hint and error.action_id


def test_start_answers_pending_and_the_end_is_waited_for(host: Client) -> None:
    asked = host.start("click-element", {"name": "Save draft"})
    assert isinstance(asked, Pending)
    with pytest.raises(TimedOut, match="it continues"):
        host.wait_for_action(asked.action_id, timeout=0)
    host.decide_approval(asked.approval_id, {"decision": "approve"})
    assert host.wait_for_action(asked.action_id).value is True


def test_an_idempotency_key_runs_once(host: Client) -> None:
    first = host.actions.snapshot(idempotency_key="once")
    again = host.actions.snapshot(idempotency_key="once")
    assert first.action_id == again.action_id


def test_errors_have_what_to_try(host: Client) -> None:
    with pytest.raises(Problem) as refused:
        host.run("click-element", {"nmae": "Save"})
    assert refused.value.code == "invalid_argument"
    assert refused.value.status == 400
    assert "nmae" in str(refused.value)
    with pytest.raises(ConnectionFailed) as away:
        Client("http://127.0.0.1:9", "x").status()
    assert (away.value.delivery, away.value.retryable) == ("not_delivered", True)


def test_a_time_limit_ends_a_call(host: Client) -> None:
    with pytest.raises(TimedOut):
        host.actions.click_element(name="Pay invoice", timeout=0.5)


def test_pictures(host: Client) -> None:
    shot = host.actions.screenshot().value
    artifact = shot.get("artifact")
    assert artifact is not None
    content = host.get_artifact_content(artifact.removeprefix("artifact://"))
    assert content[1:4] == b"PNG"


def test_a_stream_goes_on_after_its_last_event(host: Client) -> None:
    host.actions.has_bound_window()
    events = host.stream_events(last_event_id="0")
    first, second = next(events), next(events)
    events.close()  # type: ignore[attr-defined]
    again = next(host.stream_events(last_event_id=first.id))
    assert (again.id, again.type) == (second.id, second.type)


def test_no_token_goes_to_another_program(tmp_path: Path) -> None:
    with pytest.raises(HostNotFound, match="no host.json"):
        Client.connect(data_directory=tmp_path)
    shutil.copy(DATA / "host.json", tmp_path)
    (tmp_path / "host.key").write_text("another key")
    with pytest.raises(HostNotFound, match="no token was sent"):
        Client.connect(data_directory=tmp_path)


def test_the_given_interface(host: Client) -> None:
    executor = host.executor()
    assert executor.capabilities["platform"] == "win32"
    bound = executor.bind_to_window({"title": "Notepad"})
    assert bound is not None and bound["title"]
    assert executor.click_element({"name": "Nothing"}) is False
    assert executor.last_result is not None and executor.last_result.problem is not None
    assert executor.last_result.problem.code == "target_not_found"
    assert set(executor.get_display_size()) >= {"displayId", "width", "height"}
    assert "observationId" not in executor.screenshot({"allowedBundleIds": []})
    with pytest.raises(Problem):
        executor.key("no such key")
    with pytest.raises(ConnectionFailed):
        Client("http://127.0.0.1:9", "x").executor().click_element({"name": "Save"})


def test_the_given_interface_reads_arguments_as_the_others_do() -> None:
    cases = json.loads(Path(os.environ["UIAHOST_EXECUTOR_CASES"]).read_text("utf-8"))
    assert len(cases["inputs"]) > 100
    for method, args, wanted in cases["inputs"]:
        assert [method, args, input_of(method, args)] == [method, args, wanted]
    for method, value, wanted in cases["values"]:
        assert [method, method_value(method, value)] == [method, wanted]


def test_toolsets(host: Client) -> None:
    tools = Toolset.open(host, names=["has_bound_window", "screenshot", "click_element"])
    assert [tool["name"] for tool in tools.anthropic()] == ["has_bound_window", "screenshot", "click_element"]
    assert tools.openai()[0]["parameters"]["type"] == "object"
    assert tools.gemini()[1]["parameters_json_schema"]["type"] == "object"
    shown = tools.run_anthropic(SimpleNamespace(id="t1", name="screenshot", input={}))
    assert "image" in [part["type"] for part in shown["content"]]
    refused = tools.run_anthropic(SimpleNamespace(id="t2", name="click_element", input={"name": "Nothing"}))
    assert refused["is_error"] is True
    said = tools.run_openai(SimpleNamespace(call_id="c1", name="has_bound_window", arguments="{}"))
    assert (said["type"], said["call_id"]) == ("function_call_output", "c1")
    parts = tools.run_gemini(SimpleNamespace(name="screenshot", args={}))
    assert [list(part) for part in parts] == [["function_response"], ["inline_data"]]
    with pytest.raises(ValueError, match="nothing"):
        Toolset.open(host, names=["nothing"])


def test_langchain(host: Client) -> None:
    pytest.importorskip("langchain_core")
    bound, click = Toolset.open(host, names=["has_bound_window", "click_element"]).langchain()
    assert "true" in str(bound.invoke({}))
    assert "target_not_found" in str(click.invoke({"name": "Nothing"}))


def test_pydantic_ai(host: Client) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai")
    from pydantic_ai.models.test import TestModel

    tools = Toolset.open(host, names=["has_bound_window", "screenshot"]).pydantic_ai()
    agent = pydantic_ai.Agent(TestModel(), tools=tools)
    assert "true" in str(agent.run_sync("Look.").output)


def test_asyncio() -> None:
    async def work() -> None:
        async with await AsyncClient.connect(session="pytest-async") as host:
            await host.actions.bind_to_window(title="Notepad")
            assert (await host.actions.has_bound_window()).value is True
            async for event in host.stream_events(last_event_id="0"):
                assert event.id
                break
            asked = await host.start("click-element", {"name": "Save draft"})
            assert isinstance(asked, Pending)
            async for card in host.approvals():
                if card["approvalId"] == asked.approval_id:
                    await host.decide_approval(asked.approval_id, {"decision": "deny"})
                    break
            with pytest.raises(Problem):
                await host.wait_for_action(asked.action_id)
            executor = host.executor()
            assert await executor.has_bound_window() is True
            tools = await AsyncToolset.open(host, names=["has_bound_window"])
            done = await tools.run_anthropic(SimpleNamespace(id="t1", name="has_bound_window", input={}))
            assert done["is_error"] is False

    anyio.run(work)

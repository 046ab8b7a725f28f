"""
The host's tools for models that call functions: see `GET /v1/tools`.

    tools = Toolset.open(host, names=["bind_to_window", "snapshot", "click_element"])
    message = anthropic.messages.create(tools=tools.anthropic(), ...)
    results = [tools.run_anthropic(block) for block in message.content if block.type == "tool_use"]

`langchain()` and `pydantic_ai()` give tools that these packages run themselves.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

from . import types
from ._methods import AsyncRoutes, Routes
from ._strict_schema import strictly

Row = types.ListToolsReplyToolsItem
Answer = types.CallToolReply


def _plain(name: str) -> str:
    """Vendors take letters, digits, _ and - in a tool's name, as MCP does."""
    return name.replace(":", "_")


def _parts(answer: Answer) -> list[dict[str, Any]]:
    return [dict(cast(Mapping[str, Any], part)) for part in answer["content"]]


def _text(part: Mapping[str, Any]) -> str:
    return str(part.get("text") or part.get("uri") or "")


def _image_url(part: Mapping[str, Any]) -> str:
    return f"data:{part['mimeType']};base64,{part['data']}"


def _anthropic_result(tool_use_id: str, answer: Answer) -> dict[str, Any]:
    content: list[dict[str, Any]] = [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": part["mimeType"], "data": part["data"]},
        }
        if part["type"] == "image"
        else {"type": "text", "text": _text(part)}
        for part in _parts(answer)
    ]
    if answer["isError"]:
        # The vendor takes no pictures in an error.
        content = [part for part in content if part["type"] == "text"]
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content, "is_error": answer["isError"]}


def _openai_output(call_id: str, answer: Answer) -> dict[str, Any]:
    output = [
        {"type": "input_image", "detail": "auto", "image_url": _image_url(part)}
        if part["type"] == "image"
        else {"type": "input_text", "text": _text(part)}
        for part in _parts(answer)
    ]
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def _gemini_parts(name: str, answer: Answer) -> list[dict[str, Any]]:
    texts = "\n".join(_text(part) for part in _parts(answer) if part["type"] != "image")
    said = {"error": texts} if answer["isError"] else {"output": texts}
    pictures = [
        {"inline_data": {"mime_type": part["mimeType"], "data": part["data"]}}
        for part in _parts(answer)
        if part["type"] == "image"
    ]
    return [{"function_response": {"name": name, "response": said}}, *pictures]


def _langchain_content(answer: Answer) -> list[str | dict[str, Any]]:
    from langchain_core.tools import ToolException

    if answer["isError"]:
        raise ToolException("\n".join(_text(part) for part in _parts(answer)))
    return [
        {"type": "image_url", "image_url": {"url": _image_url(part)}}
        if part["type"] == "image"
        else {"type": "text", "text": _text(part)}
        for part in _parts(answer)
    ]


def _pydantic_content(answer: Answer) -> Any:
    from pydantic_ai import BinaryContent, ModelRetry, ToolReturn

    texts = "\n".join(_text(part) for part in _parts(answer) if part["type"] != "image")
    if answer["isError"]:
        raise ModelRetry(texts)
    pictures = [
        BinaryContent(base64.b64decode(part["data"]), media_type=part["mimeType"])
        for part in _parts(answer)
        if part["type"] == "image"
    ]
    return ToolReturn(return_value=texts, content=pictures) if pictures else texts


class _Tools:
    """What both kinds have: the tools, as each vendor declares them."""

    def __init__(self, rows: Sequence[Row], names: Sequence[str] | None, session: str | None) -> None:
        known = {_plain(row["name"]): row for row in rows}
        wanted = list(known) if names is None else [_plain(name) for name in names]
        missing = [name for name in wanted if name not in known]
        if missing:
            raise ValueError(f"The host has no tool {', '.join(missing)}.")
        #: By the name that a model gets.
        self.rows: dict[str, Row] = {name: known[name] for name in wanted}
        self._session = session

    def _row(self, name: str) -> Row:
        if name not in self.rows:
            raise ValueError(f"This toolset has no tool {name}.")
        return self.rows[name]

    def anthropic(self) -> list[dict[str, Any]]:
        """`tools` of `messages.create`."""
        return [
            {"name": name, "description": row["description"], "input_schema": row["inputSchema"]}
            for name, row in self.rows.items()
        ]

    def openai(self, *, strict: bool = False) -> list[dict[str, Any]]:
        """`tools` of `responses.create`.

        A schema that satisfies strict mode as it is (request_ui_action's) is sent so, and OpenAI then enforces it; with
        `strict` also those that can be put in that form, in which the model sends null for what it leaves out.
        """
        return [
            {
                "type": "function",
                "name": name,
                "description": row["description"],
                **strictly(row["inputSchema"], strict),
            }
            for name, row in self.rows.items()
        ]

    def gemini(self) -> list[dict[str, Any]]:
        """`function_declarations` of a `Tool`."""
        return [
            {"name": name, "description": row["description"], "parameters_json_schema": row["inputSchema"]}
            for name, row in self.rows.items()
        ]


class Toolset(_Tools):
    """The tools of a host, called without asyncio."""

    def __init__(
        self, host: Routes, rows: Sequence[Row], *, names: Sequence[str] | None = None, session: str | None = None
    ) -> None:
        super().__init__(rows, names, session)
        self._host = host

    @classmethod
    def open(cls, host: Routes, *, names: Sequence[str] | None = None, session: str | None = None) -> Self:
        """`names`: the tools that the model gets; a model chooses better among few. Raises ValueError for a name that the host does not have."""
        return cls(host, host.list_tools()["tools"], names=names, session=session)

    def call(self, name: str, input: Mapping[str, Any]) -> Answer:
        return self._host.call_tool(self._row(name)["name"], dict(input), session=self._session)

    def run_anthropic(self, tool_use: Any) -> dict[str, Any]:
        """The `tool_result` of a `tool_use` block. A refusal is an error result."""
        return _anthropic_result(tool_use.id, self.call(tool_use.name, tool_use.input))

    def run_openai(self, call: Any) -> dict[str, Any]:
        """The `function_call_output` of a `function_call`. A refusal is the output's text."""
        return _openai_output(call.call_id, self.call(call.name, json.loads(call.arguments or "{}")))

    def run_gemini(self, call: Any) -> list[dict[str, Any]]:
        """The parts that answer a `function_call`: the response, and pictures."""
        return _gemini_parts(call.name, self.call(call.name, call.args or {}))

    def langchain(self) -> list[Any]:
        """Tools of LangChain; a refusal is a ToolException."""
        from langchain_core.tools import StructuredTool

        def tool(name: str, row: Row) -> Any:
            def run(**given: Any) -> list[str | dict[str, Any]]:
                return _langchain_content(self.call(name, given))

            return StructuredTool(
                name=name,
                description=row["description"],
                args_schema=cast(Any, row["inputSchema"]),
                func=run,
                handle_tool_error=True,
            )

        return [tool(name, row) for name, row in self.rows.items()]

    def pydantic_ai(self) -> list[Any]:
        """Tools of pydantic-ai; a refusal asks the model to try again."""
        from pydantic_ai import Tool

        def tool(name: str, row: Row) -> Any:
            def run(**given: Any) -> Any:
                return _pydantic_content(self.call(name, given))

            return Tool.from_schema(run, name, row["description"], cast(Any, row["inputSchema"]))

        return [tool(name, row) for name, row in self.rows.items()]


class AsyncToolset(_Tools):
    """The tools of a host, called with asyncio or trio."""

    def __init__(
        self, host: AsyncRoutes, rows: Sequence[Row], *, names: Sequence[str] | None = None, session: str | None = None
    ) -> None:
        super().__init__(rows, names, session)
        self._host = host

    @classmethod
    async def open(cls, host: AsyncRoutes, *, names: Sequence[str] | None = None, session: str | None = None) -> Self:
        """`names`: the tools that the model gets. Raises ValueError for a name that the host does not have."""
        return cls(host, (await host.list_tools())["tools"], names=names, session=session)

    async def call(self, name: str, input: Mapping[str, Any]) -> Answer:
        return await self._host.call_tool(self._row(name)["name"], dict(input), session=self._session)

    async def run_anthropic(self, tool_use: Any) -> dict[str, Any]:
        """The `tool_result` of a `tool_use` block. A refusal is an error result."""
        return _anthropic_result(tool_use.id, await self.call(tool_use.name, tool_use.input))

    async def run_openai(self, call: Any) -> dict[str, Any]:
        """The `function_call_output` of a `function_call`. A refusal is the output's text."""
        return _openai_output(call.call_id, await self.call(call.name, json.loads(call.arguments or "{}")))

    async def run_gemini(self, call: Any) -> list[dict[str, Any]]:
        """The parts that answer a `function_call`: the response, and pictures."""
        return _gemini_parts(call.name, await self.call(call.name, call.args or {}))

    def langchain(self) -> list[Any]:
        """Tools of LangChain, for its asynchronous calls; a refusal is a ToolException."""
        from langchain_core.tools import StructuredTool

        def tool(name: str, row: Row) -> Any:
            async def run(**given: Any) -> list[str | dict[str, Any]]:
                return _langchain_content(await self.call(name, given))

            return StructuredTool(
                name=name,
                description=row["description"],
                args_schema=cast(Any, row["inputSchema"]),
                coroutine=run,
                handle_tool_error=True,
            )

        return [tool(name, row) for name, row in self.rows.items()]

    def pydantic_ai(self) -> list[Any]:
        """Tools of pydantic-ai; a refusal asks the model to try again."""
        from pydantic_ai import Tool

        def tool(name: str, row: Row) -> Any:
            async def run(**given: Any) -> Any:
                return _pydantic_content(await self.call(name, given))

            return Tool.from_schema(run, name, row["description"], cast(Any, row["inputSchema"]))

        return [tool(name, row) for name, row in self.rows.items()]

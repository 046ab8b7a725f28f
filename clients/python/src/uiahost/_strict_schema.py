"""Schemas in the form that OpenAI's strict mode enforces.

Every object is closed, every property required, and only some keywords are known.
Source: platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

Schema = Mapping[str, Any]

_KEYWORDS = {
    "type",
    "description",
    "enum",
    "const",
    "anyOf",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
}
# Keywords that only narrow further: the host checks them anyway.
_DROPPED = {"minLength", "maxLength", "format", "default", "title", "$schema"}


def _or_null(schema: Schema) -> dict[str, Any]:
    """The same values, and null."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    kind = schema.get("type")
    wider = {**schema, "type": [*(kind if isinstance(kind, list) else [kind]), "null"]}
    return {**wider, "enum": [*schema["enum"], None]} if "enum" in schema else wider


def _strict_form(schema: Any) -> dict[str, Any] | None:
    """None where strict mode has no form for it: an object with any keys, a list of anything, another keyword."""
    if not isinstance(schema, Mapping):
        return None
    given = cast(Schema, schema)
    form = {name: value for name, value in given.items() if name not in _DROPPED}
    if any(name not in _KEYWORDS for name in form):
        return None
    if "anyOf" in given:
        options = [_strict_form(each) for each in given["anyOf"]]
        if None in options:
            return None
        form["anyOf"] = options
    elif "type" not in given and "const" not in given:
        values = given.get("enum")
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            return None
        form["type"] = "string"
    if given.get("type") == "array":
        items = _strict_form(given.get("items"))
        if items is None:
            return None
        form["items"] = items
    if given.get("type") != "object":
        return form
    if given.get("additionalProperties") is not False or not isinstance(given.get("properties"), Mapping):
        return None
    required = set(given.get("required", ()))
    properties: dict[str, Any] = {}
    for name, each in cast(Schema, given["properties"]).items():
        found = _strict_form(each)
        if found is None:
            return None
        properties[name] = found if name in required else _or_null(found)
    return {**form, "properties": properties, "required": list(properties)}


def strictly(schema: Schema, is_wanted: bool) -> dict[str, Any]:
    """`parameters` and `strict` of a function tool.

    Strict where the schema has the form already, or can be put in it and `is_wanted`.
    """
    form = _strict_form(schema)
    if form is not None and (is_wanted or form == schema):
        return {"parameters": form, "strict": True}
    return {"parameters": dict(schema), "strict": False}

"""
How a client finds the host of a data directory, and verifies it: host.json names the address, and the process there
proves that it can read `host.key`, which only the user can. A token is sent only after that.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import httpx

from ._errors import HostNotFound

_ANSWER_WITHIN_S = 5.0
_CONTEXT = "uiahost proof 1"


def _setting(env: Mapping[str, str], name: str) -> str | None:
    return env.get(name, "").strip() or None


def data_directory_of(env: Mapping[str, str]) -> Path:
    """`UIAHOST_DATA_DIR`, else the user's own. Never a folder of the machine, where any user could put a host.json."""
    given = _setting(env, "UIAHOST_DATA_DIR")
    if given is not None:
        return Path(given).resolve()
    if sys.platform == "win32":
        return Path(_setting(env, "LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "uiahost"
    return Path(_setting(env, "XDG_DATA_HOME") or Path.home() / ".local" / "share") / "uiahost"


def _host_file(directory: Path) -> dict[str, Any] | None:
    try:
        content: Any = json.loads((directory / "host.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(content, dict):
        return None
    host = cast(dict[str, Any], content)
    is_address = isinstance(host.get("url"), str) and host["url"].startswith(("http://", "https://"))
    return host if is_address and isinstance(host.get("port"), int) else None


def find_token(directory: Path, scope: str, env: Mapping[str, str]) -> str:
    """The variable `UIAHOST_AGENT_TOKEN` or `UIAHOST_OPERATOR_TOKEN`, else a file of the data directory."""
    variable = "UIAHOST_AGENT_TOKEN" if scope == "agent" else "UIAHOST_OPERATOR_TOKEN"
    given = _setting(env, variable)
    if given is not None:
        return given
    is_given = scope in ((_host_file(directory) or {}).get("givenTokens") or [])
    file = directory / f"{scope}.{'given-token' if is_given else 'token'}"
    try:
        return file.read_text("utf-8").strip()
    except OSError as error:
        raise HostNotFound(
            f"The {scope} token cannot be read from {file} ({error.strerror}).",
            f"Run this as the user who runs the host, set UIAHOST_DATA_DIR to its data directory, or set {variable}.",
        ) from error


def _question(directory: Path) -> tuple[str, str, str]:
    """Address, challenge, and the proof that only this directory's host can give."""
    host = _host_file(directory)
    if host is None:
        raise HostNotFound(
            f"No host runs for the data directory {directory} (it has no host.json).", "Start one with `uiahost start`."
        )
    url = str(host["url"])
    # The port is part of the proof, so a squatter cannot forward the challenge to the real host on another port.
    port = urlsplit(url).port or int(host["port"])
    file = directory / "host.key"
    try:
        key = file.read_text("utf-8").strip()
    except OSError as error:
        raise HostNotFound(
            f"{file} cannot be read ({error.strerror}), so the host cannot be distinguished from another program.",
            "Run this as the user who runs the host, or set UIAHOST_DATA_DIR to its data directory.",
        ) from error
    challenge = secrets.token_hex(32)
    proof = hmac.new(key.encode(), f"{_CONTEXT}\n{port}\n{challenge}".encode(), hashlib.sha256).hexdigest()
    return url, challenge, proof


def _judge(directory: Path, url: str, wanted: str, response: httpx.Response) -> None:
    try:
        given: Any = response.json().get("proof")
    except (ValueError, AttributeError):
        given = None
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), wanted.encode()):
        raise HostNotFound(
            f"What answers at {url} is not the host of {directory}; no token was sent to it.",
            "Find out which program took the port, end it, and start the host again with `uiahost start`.",
        )


def _silent(url: str) -> HostNotFound:
    return HostNotFound(f"No host answers at {url}.", "Start one with `uiahost start`.")


def find_host(directory: Path) -> str:
    """The address of the running host, proven."""
    url, challenge, proof = _question(directory)
    try:
        with httpx.Client(timeout=_ANSWER_WITHIN_S, trust_env=False) as http:
            response = http.get(f"{url.rstrip('/')}/healthz", params={"challenge": challenge})
    except httpx.HTTPError as error:
        raise _silent(url) from error
    _judge(directory, url, proof, response)
    return url


async def find_host_async(directory: Path) -> str:
    """The address of the running host, proven."""
    url, challenge, proof = _question(directory)
    try:
        async with httpx.AsyncClient(timeout=_ANSWER_WITHIN_S, trust_env=False) as http:
            response = await http.get(f"{url.rstrip('/')}/healthz", params={"challenge": challenge})
    except httpx.HTTPError as error:
        raise _silent(url) from error
    _judge(directory, url, proof, response)
    return url

"""Drives a running uiahost: `Client.connect()`, or `AsyncClient.connect()`."""

from . import types
from ._async_client import AsyncClient
from ._async_handles import AsyncElement, AsyncWindow, ElementData
from ._client import Client
from ._errors import ClientError, ConnectionFailed, HostNotFound, Problem, TimedOut
from ._handles import Element, Window
from ._executor import AsyncExecutor, CallResult, Executor
from ._values import Event, Pending, Result
from .toolsets import AsyncToolset, Toolset
from .types import VERSION as __version__

__all__ = [
    "AsyncClient",
    "AsyncElement",
    "AsyncExecutor",
    "AsyncToolset",
    "AsyncWindow",
    "CallResult",
    "Client",
    "ClientError",
    "ConnectionFailed",
    "Element",
    "ElementData",
    "Event",
    "Executor",
    "HostNotFound",
    "Pending",
    "Problem",
    "Result",
    "TimedOut",
    "Toolset",
    "Window",
    "__version__",
    "types",
]

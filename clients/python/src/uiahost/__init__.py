"""Drives a running uiahost: `Client.connect()`, or `AsyncClient.connect()`."""

from . import types
from ._async_client import AsyncClient
from ._client import Client
from ._errors import ClientError, ConnectionFailed, HostNotFound, Problem, TimedOut
from ._executor import AsyncExecutor, CallResult, Executor
from ._values import Event, Pending, Result
from .toolsets import AsyncToolset, Toolset
from .types import VERSION as __version__

__all__ = [
    "AsyncClient",
    "AsyncExecutor",
    "AsyncToolset",
    "CallResult",
    "Client",
    "ClientError",
    "ConnectionFailed",
    "Event",
    "Executor",
    "HostNotFound",
    "Pending",
    "Problem",
    "Result",
    "TimedOut",
    "Toolset",
    "__version__",
    "types",
]

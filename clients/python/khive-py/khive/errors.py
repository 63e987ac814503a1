"""Everything this package raises, under one base class.

The classes follow where a call ended: before it left (`FrameTooLarge`), on the way (`TransportError`), at the door
(`ProtocolMismatch`, `ConfigMismatch`, `RequestRejected`: nothing ran), or in a verb (`OperationError`, `BatchError`: what the
entries say happened).
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple


class KhiveError(Exception):
    """Base of all errors of this package."""


class TransportError(KhiveError):
    """The service could not be reached, or its answer could not be read. Whether anything ran is unknown."""


class FrameTooLarge(TransportError):
    """A request or an answer is over the 8 MiB frame."""


class ProtocolMismatch(KhiveError):
    """The service speaks another protocol version; nothing ran."""

    def __init__(self, client_version: int, daemon_version: int, message: str = "") -> None:
        self.client_version = client_version
        self.daemon_version = daemon_version
        super().__init__(
            message or f"this client speaks protocol {client_version}, the service {daemon_version}"
        )


class ConfigMismatch(KhiveError):
    """The key opens another store than the one expected; nothing ran."""


class RequestRejected(KhiveError):
    """The service refused the request as a whole (syntax, an envelope field, the key, a limit); nothing ran.

    `data` is the object the service sent beside the message, `{}` where it sent none.
    """

    def __init__(self, message: str, data: Dict[str, Any] | None = None) -> None:
        self.data = data or {}
        super().__init__(message)


class OperationError(KhiveError):
    """One verb failed. `error` is what the service reported: a string or an object with `kind` and `message`."""

    def __init__(self, tool: str, error: Any) -> None:
        self.tool = tool
        self.error = error
        text = error.get("message", error) if isinstance(error, dict) else error
        super().__init__(f"{tool}: {text}")


class BatchError(KhiveError):
    """At least one entry of a batch failed. The others stand: a batch is not a transaction.

    `results` are all entries in order, `failures` triples (index, tool, error) of those that failed.
    """

    def __init__(self, results: Sequence[Dict[str, Any]], failures: List[Tuple[int, str, Any]]) -> None:
        self.results = list(results)
        self.failures = failures
        first = failures[0]
        super().__init__(f"{len(failures)} of {len(self.results)} operations failed; first: #{first[0]} {first[1]}: {first[2]}")

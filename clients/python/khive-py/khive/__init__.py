"""Client of the one-tool `request` endpoint, standard library only.

>>> from khive import Session
>>> plan = Session().plan('create(kind="note", content="draft") | get(id=$prev.id)')
"""

from .client import Khive
from .errors import (
    BatchError,
    ConfigMismatch,
    FrameTooLarge,
    KhiveError,
    OperationError,
    ProtocolMismatch,
    RequestRejected,
    TransportError,
)
from .models import Edge, EdgeRelation, Entity, Note, OpResult, Page
from .ops import encode, op
from .session import Session
from .transport import PROTOCOL_VERSION, HttpTransport, Transport

__all__ = [
    "PROTOCOL_VERSION",
    "BatchError",
    "ConfigMismatch",
    "Edge",
    "EdgeRelation",
    "Entity",
    "FrameTooLarge",
    "HttpTransport",
    "Khive",
    "KhiveError",
    "Note",
    "OpResult",
    "OperationError",
    "Page",
    "ProtocolMismatch",
    "RequestRejected",
    "Session",
    "Transport",
    "TransportError",
    "encode",
    "op",
]


def __getattr__(name: str):
    if name == "SocketTransport":
        raise AttributeError(
            "khive.SocketTransport needs a daemon on this machine; this service is reached over HTTPS: use khive.HttpTransport"
        )
    raise AttributeError(f"module 'khive' has no attribute {name!r}")

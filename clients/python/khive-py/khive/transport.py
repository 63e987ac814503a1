"""One round trip: a frame (a dict) in, a frame out. `HttpTransport` carries frames to the request endpoint over HTTPS.

A frame that goes out holds `ops`, `protocol_version`, `config_id` and, as the call needs, `plan`, `metrics_only`, `presentation`,
`format`, `namespace`, `actor_id`. One that comes back holds `ok` and `result` or `error`, `served_config_id`, and
`version_mismatch` with `daemon_protocol_version`, or `config_mismatch`, where the service refused before anything ran.
What the client states about itself travels in the call's `_meta`, so the tool's own arguments stay those of the page.
"""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from typing import Any, Dict, Optional

from .errors import FrameTooLarge, RequestRejected, TransportError
from .settings import settings

PROTOCOL_VERSION = 5
MAX_FRAME_BYTES = 8 * 1024 * 1024

META_PROTOCOL = "khive/protocol_version"
META_CONFIG = "khive/config_id"
META_NAMESPACE = "khive/namespace"
META_ACTOR = "khive/actor"
META_ATOMIC = "khive/atomic_max_ops"


class Transport(ABC):
    """The seam under `Session`: give another to reach the service another way, or to test without one."""

    expected_config: Optional[str] = None
    """The store the caller means; None to take the one the key opens."""

    @abstractmethod
    def round_trip(self, frame: Dict[str, Any], timeout: float) -> Dict[str, Any]:
        """Sends one frame and waits at most `timeout` seconds for its answer."""


class RefusedRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key must not travel to another address than the one given."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


class HttpTransport(Transport):
    """Speaks to the one-tool endpoint. Arguments as in `khive.settings`; the key is sent as a bearer token, and to nobody else."""

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        db: Optional[str] = None,
        config: Optional[str] = None,
    ) -> None:
        found = settings(url, key, db, config)
        self.url = found.url
        self.expected_config = found.db
        self._key = found.key
        self._opener = urllib.request.build_opener(RefusedRedirect)
        self._ids = 0
        self._lock = threading.Lock()

    def round_trip(self, frame: Dict[str, Any], timeout: float) -> Dict[str, Any]:
        return frame_of(self._post(call_of(frame, self._next_id()), timeout))

    def _next_id(self) -> int:
        with self._lock:
            self._ids += 1
            return self._ids

    def _post(self, call: Dict[str, Any], timeout: float) -> Dict[str, Any]:
        body = json.dumps(call, ensure_ascii=False, allow_nan=False).encode("utf-8")
        if len(body) > MAX_FRAME_BYTES:
            raise FrameTooLarge(f"request frame is {len(body)} bytes; at most {MAX_FRAME_BYTES}")
        request = urllib.request.Request(
            self.url,
            data=body,
            method="POST",
            headers={
                "Authorization": f"Bearer {self._key}",
                "Content-Type": "application/json",
                "Accept": "application/json",
            },
        )
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                raw = answer.read(2 * MAX_FRAME_BYTES + 1)
        except urllib.error.HTTPError as refusal:
            raise RequestRejected(sentence_of(refusal), {"http_status": refusal.code}) from None
        except (OSError, ValueError) as failure:
            reason = getattr(failure, "reason", failure)
            raise TransportError(f"no answer from {self.url}: {reason}") from failure
        if len(raw) > 2 * MAX_FRAME_BYTES:
            raise FrameTooLarge(f"the answer is over {2 * MAX_FRAME_BYTES} bytes")
        try:
            return json.loads(raw)
        except ValueError as failure:
            raise TransportError(f"{self.url} did not answer with JSON ({len(raw)} bytes)") from failure


def call_of(frame: Dict[str, Any], call_id: int) -> Dict[str, Any]:
    """The MCP call that carries a frame."""
    meta: Dict[str, Any] = {META_PROTOCOL: frame["protocol_version"]}
    for name, place in (("config_id", META_CONFIG), ("namespace", META_NAMESPACE), ("actor_id", META_ACTOR)):
        if frame.get(name):
            meta[place] = frame[name]
    if frame.get("atomic_max_ops") is not None:
        meta[META_ATOMIC] = frame["atomic_max_ops"]
    # The smallest thing that can be asked: a plan of nothing. It runs no verb, and its answer names the store.
    handshake = bool(frame.get("metrics_only"))
    arguments: Dict[str, Any] = {"ops": "stats()" if handshake else frame["ops"]}
    if handshake or frame.get("plan"):
        arguments["plan"] = True
    for name in ("presentation", "format"):
        if name in frame and "plan" not in arguments:
            arguments[name] = frame[name]
    return {
        "jsonrpc": "2.0",
        "id": call_id,
        "method": "tools/call",
        "params": {"name": "request", "arguments": arguments, "_meta": meta},
    }


def frame_of(answer: Any) -> Dict[str, Any]:
    """The frame an MCP answer stands for."""
    if not isinstance(answer, dict):
        raise TransportError("the service did not answer with a JSON-RPC object")
    if "error" in answer:
        return refusal_frame(answer["error"])
    try:
        result = answer["result"]
        text = result["content"][0]["text"]
    except (KeyError, IndexError, TypeError):
        raise TransportError("the service answered without a text") from None
    meta = result.get("_meta") or {}
    return {"ok": True, "result": text, "served_config_id": meta.get(META_CONFIG), "metrics": {}}


def refusal_frame(error: Any) -> Dict[str, Any]:
    """The frame of a JSON-RPC error: a mismatch is marked, any other refusal keeps its message and data."""
    if not isinstance(error, dict):
        raise TransportError("the service answered with a malformed error")
    data = error.get("data") if isinstance(error.get("data"), dict) else {}
    frame: Dict[str, Any] = {"ok": False, "error": str(error.get("message")), "data": data}
    if data.get("kind") == "protocol_mismatch":
        frame["version_mismatch"] = True
        frame["daemon_protocol_version"] = data.get("served_protocol_version")
    if data.get("kind") == "config_mismatch":
        frame["config_mismatch"] = True
    return frame


def sentence_of(refusal: urllib.error.HTTPError) -> str:
    """What the service said with an HTTP refusal, as one sentence."""
    try:
        said = json.loads(refusal.read(65536))
    except ValueError:
        said = {}
    text = next((said[name] for name in ("message", "error_description", "error") if isinstance(said.get(name), str)), "") if isinstance(said, dict) else ""
    return f"HTTP {refusal.code}: {text or refusal.reason}"

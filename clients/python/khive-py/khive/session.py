"""A lane to one store: the transport, who is acting, and the store the key opens, learned once."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .answer_shape import decoded, plan_of, results_of
from .errors import ConfigMismatch, ProtocolMismatch, RequestRejected
from .transport import PROTOCOL_VERSION, HttpTransport, Transport

ORIGIN = "the service"


class Session:
    """Plans and runs operations.

    - `namespace`: the default namespace of every call, `local` unless given.
    - `actor_id`: who acts, for attribution; None for the key's own identity. It grants nothing.
    - `timeout`: seconds to wait for an answer.

    The first call asks the service for its protocol version and store; a service of another version, or a store other than the
    one expected, is refused before anything runs. A store that changed under the session is asked for again once.
    """

    def __init__(
        self,
        transport: Optional[Transport] = None,
        *,
        namespace: str = "local",
        actor_id: Optional[str] = None,
        visible_namespaces: Optional[List[str]] = None,
        timeout: float = 30.0,
    ) -> None:
        self.transport = transport if transport is not None else HttpTransport()
        self.namespace = namespace
        self.actor_id = actor_id
        self.visible_namespaces = list(visible_namespaces or [])
        self.timeout = timeout
        self._config_id: Optional[str] = None

    def handshake(self) -> str:
        """Asks which store the key opens; its id. Raises ProtocolMismatch, ConfigMismatch, TransportError, RequestRejected."""
        return self._handshake(self._acting_frame())

    def metrics(self) -> Dict[str, Any]:
        """What the service reports about itself with a handshake; {} where it reports nothing."""
        return self._sent(self._acting_frame(), {"metrics_only": True}, self.timeout).get("metrics") or {}

    def request(self, ops_json: str, *, timeout: Optional[float] = None) -> List[Dict[str, Any]]:
        """Runs operations; the entries of the answer, one an operation, in order. A failed operation is an entry, not an error."""
        answer = self._exchange(self._acting_frame, {"ops": ops_json}, timeout)
        return results_of(decoded(answer.get("result"), ORIGIN), ORIGIN)

    def request_atomic(self, ops_json: str, max_ops: int = 2000, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """Runs a JSON batch as one unit: every operation is kept or none. The whole answer, `atomic` included."""
        answer = self._exchange(self._acting_frame, {"ops": ops_json, "atomic_max_ops": max_ops}, timeout)
        payload = decoded(answer.get("result"), ORIGIN)
        results_of(payload, ORIGIN)
        return payload

    def plan(self, ops: str, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """Parses operations and looks their verbs up; runs nothing. The plan object whole, `parsed: false` included."""
        answer = self._exchange(self._plan_frame, {"ops": ops, "plan": True}, timeout)
        return plan_of(decoded(answer.get("result"), ORIGIN), ORIGIN)

    def _exchange(self, base: Any, more: Dict[str, Any], timeout: Optional[float]) -> Dict[str, Any]:
        """One call in the agreed store; asks once more which store that is when the service says it is another one."""
        if self._config_id is None:
            self._handshake(base())
        seconds = self.timeout if timeout is None else timeout
        answer = self._sent(base(), more, seconds)
        if answer.get("config_mismatch"):
            self._handshake(base())
            answer = self._sent(base(), more, seconds)
            if answer.get("config_mismatch"):
                raise ConfigMismatch(str(answer.get("error")))
        if not answer.get("ok"):
            raise RequestRejected(str(answer.get("error")), answer.get("data"))
        return answer

    def _handshake(self, frame: Dict[str, Any]) -> str:
        answer = self._sent({**frame, "config_id": self.transport.expected_config or ""}, {"metrics_only": True}, self.timeout)
        if answer.get("config_mismatch"):
            raise ConfigMismatch(str(answer.get("error")))
        if answer.get("ok") is False:
            raise RequestRejected(str(answer.get("error")), answer.get("data"))
        served = answer.get("served_config_id")
        if not served:
            raise ConfigMismatch("the service did not say which store it serves: it is older than this client")
        expected = self.transport.expected_config
        if expected and served != expected:
            raise ConfigMismatch(f"expected store {expected}, but the key opens {served}")
        self._config_id = served
        return served

    def _sent(self, frame: Dict[str, Any], more: Dict[str, Any], timeout: float) -> Dict[str, Any]:
        answer = self.transport.round_trip({**frame, **more}, timeout)
        if answer.get("version_mismatch"):
            raise ProtocolMismatch(
                PROTOCOL_VERSION, int(answer.get("daemon_protocol_version") or 0), str(answer.get("error") or "")
            )
        return answer

    def _plan_frame(self) -> Dict[str, Any]:
        # A plan depends on nobody, so it names nobody.
        return {
            "ops": "",
            "namespace": "",
            "config_id": self._config_id or "",
            "protocol_version": PROTOCOL_VERSION,
        }

    def _acting_frame(self) -> Dict[str, Any]:
        # Verbose and json: a program wants whole ids and JSON values, not what is shortened for a reader.
        return {
            **self._plan_frame(),
            "presentation": "verbose",
            "format": "json",
            "namespace": self.namespace,
            "actor_id": self.actor_id,
            "visible_namespaces": self.visible_namespaces,
        }

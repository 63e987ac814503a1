"""Operations as data: one call is `{"tool", "args"}`, a batch is the JSON text of a list of them."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterable

KEPT_WHEN_NONE = {"stream.append": frozenset({"record", "fence"})}
"""Arguments for which an explicit null means something else than absence."""


def op(tool: str, **args: Any) -> Dict[str, Any]:
    """One call. Arguments that are None are left out, but those of `KEPT_WHEN_NONE`."""
    kept = KEPT_WHEN_NONE.get(tool, frozenset())
    return {"tool": tool, "args": {name: value for name, value in args.items() if value is not None or name in kept}}


def encode(ops: Iterable[Dict[str, Any]]) -> str:
    """The JSON array the service reads as a batch. Raises ValueError for NaN and infinities, which JSON has not."""
    return json.dumps(list(ops), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

"""Checks that an answer has the shape this client was written for, before anything is read out of it.

An answer that has another shape is a `TransportError` which names who sent it: better than a KeyError three calls later. Fields
nobody asked for are kept.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List

from .errors import TransportError

MODES = ("single", "chain", "parallel")
LIMITS = ("max_ops", "max_depth", "max_input_len")


def decoded(payload: Any, origin: str) -> Any:
    """An answer as data: JSON text is decoded, anything else is taken as it is."""
    if not isinstance(payload, str):
        return payload
    try:
        return json.loads(payload)
    except ValueError as failure:
        raise TransportError(f"malformed JSON body from {origin}: {failure}") from failure


def results_of(payload: Any, origin: str) -> List[Dict[str, Any]]:
    """The entries of an answer to a request."""
    if not isinstance(payload, dict) or not isinstance(payload.get("results"), list):
        raise TransportError(f"{origin} answered without a list of results")
    for entry in payload["results"]:
        if not isinstance(entry, dict) or type(entry.get("ok")) is not bool or not isinstance(entry.get("tool"), str):
            raise TransportError(f"{origin} answered with an entry that has no ok and tool")
    return payload["results"]


def plan_of(payload: Any, origin: str) -> Dict[str, Any]:
    """The plan object itself, once it is seen to be one."""
    fault = plan_fault(payload)
    if fault:
        raise TransportError(f"{origin} answered with a malformed plan: {fault}")
    return payload


def plan_fault(plan: Any) -> str:
    """What is wrong with a plan, or "" for nothing."""
    if not isinstance(plan, dict) or type(plan.get("parsed")) is not bool:
        return "parsed must be true or false"
    limits = plan.get("limits")
    if not isinstance(limits, dict) or not all(is_count(limits.get(name)) for name in LIMITS):
        return f"limits must hold {', '.join(LIMITS)} as integers from 0"
    if not plan["parsed"]:
        if not isinstance(plan.get("error"), str):
            return "a plan that did not parse must carry its error"
        return "a plan that did not parse has no stages" if "stages" in plan else ""
    if plan.get("mode") not in MODES:
        return f"mode must be one of {', '.join(MODES)}"
    stages = plan.get("stages")
    if not isinstance(stages, list) or not is_count(plan.get("stage_count")) or plan["stage_count"] != len(stages):
        return "stage_count must be the number of stages"
    for index, stage in enumerate(stages):
        fault = stage_fault(stage, index)
        if fault:
            return f"stage {index}: {fault}"
    return ""


def stage_fault(stage: Any, index: int) -> str:
    """What is wrong with one stage, or ""."""
    if not isinstance(stage, dict):
        return "not an object"
    if not is_count(stage.get("index")) or stage["index"] != index:
        return "index must count up from 0"
    if not isinstance(stage.get("verb"), str):
        return "verb must be a text"
    if "pack" not in stage or not (stage["pack"] is None or isinstance(stage["pack"], str)):
        return "pack must be a text or null"
    if type(stage.get("known")) is not bool:
        return "known must be true or false"
    if not isinstance(stage.get("args"), dict):
        return "args must be an object"
    refs = stage.get("prev_refs")
    if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
        return "prev_refs must be a list of texts"
    return ""


def is_count(value: Any) -> bool:
    """A non-negative int, which True is not."""
    return type(value) is int and value >= 0

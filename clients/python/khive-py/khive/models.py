"""Rows as objects: entities, notes, edges, pages, entries of an answer.

The service's JSON is what is true: a field this client does not know is kept in `extra`, never refused. Nothing is sent but the
fields a method names.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Callable, Dict, Generic, List, Optional, Type, TypeVar

T = TypeVar("T")
R = TypeVar("R", bound="Row")


class EdgeRelation(str, Enum):
    """The closed list of relations."""

    contains = "contains"
    part_of = "part_of"
    instance_of = "instance_of"
    extends = "extends"
    variant_of = "variant_of"
    introduced_by = "introduced_by"
    supersedes = "supersedes"
    derived_from = "derived_from"
    precedes = "precedes"
    depends_on = "depends_on"
    enables = "enables"
    implements = "implements"
    competes_with = "competes_with"
    composed_with = "composed_with"
    annotates = "annotates"
    supports = "supports"
    refutes = "refutes"

    def __str__(self) -> str:
        return self.value


@dataclass
class Row:
    """What every row has. Times are ISO 8601 texts as sent; `extra` holds the fields without a name here."""

    id: Optional[str] = None
    namespace: Optional[str] = None
    created_at: Optional[str] = None
    updated_at: Optional[str] = None
    deleted_at: Optional[str] = None
    extra: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_row(cls: Type[R], row: Dict[str, Any]) -> R:
        """Reads a JSON object. An absent map or list may be null: it is read as empty."""
        known = {f.name: f for f in fields(cls) if f.name != "extra"}
        given: Dict[str, Any] = {}
        extra: Dict[str, Any] = {}
        for name, value in row.items():
            if name not in known:
                extra[name] = value
            elif value is not None:
                given[name] = value
        return cls(**given, extra=extra)


@dataclass
class Entity(Row):
    """A named node. `kind` is one of the nine entity kinds."""

    kind: str = ""
    name: str = ""
    entity_type: Optional[str] = None
    description: Optional[str] = None
    properties: Dict[str, Any] = field(default_factory=dict)
    tags: List[str] = field(default_factory=list)


@dataclass
class Note(Row):
    """A text. `kind` is a note kind (observation, insight, task, memory …)."""

    kind: str = "observation"
    name: Optional[str] = None
    content: str = ""
    status: Optional[str] = None
    salience: Optional[float] = None
    decay_factor: Optional[float] = None
    key: Optional[str] = None
    properties: Dict[str, Any] = field(default_factory=dict)
    tags: List[str] = field(default_factory=list)


@dataclass
class Edge(Row):
    """A directed relation between two records, with a weight from 0 to 1."""

    source_id: str = ""
    target_id: str = ""
    relation: str = ""
    weight: float = 1.0
    metadata: Dict[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The relation, by the name the other rows use."""
        return self.relation

    @property
    def node_ids(self) -> List[str]:
        return [self.source_id, self.target_id]

    def other(self, node_id: str) -> str:
        """The end that is not `node_id`. Raises KeyError where it is neither."""
        if node_id == self.source_id:
            return self.target_id
        if node_id == self.target_id:
            return self.source_id
        raise KeyError(f"{node_id} is no end of edge {self.id}")


@dataclass
class Page(Generic[T]):
    """One page of rows. What the service did not say is None: never infer the end from a short page."""

    items: List[T] = field(default_factory=list)
    total: Optional[int] = None
    next_offset: Optional[int] = None
    next_after: Optional[str] = None
    has_more: Optional[bool] = None
    scan_incomplete: Optional[bool] = None
    requested_limit: Optional[int] = None
    effective_limit: Optional[int] = None
    limit_clamped: Optional[bool] = None

    @classmethod
    def from_answer(cls, answer: Any, rows_key: str, read: Callable[[Dict[str, Any]], T]) -> "Page[T]":
        """Reads a bare array, or an object that holds the rows under `items`, `rows_key` or `results`."""
        if not isinstance(answer, dict):
            return cls(items=[read(row) for row in answer or []])
        rows = next((answer[key] for key in ("items", rows_key, "results") if key in answer), [])
        rest = {f.name: answer.get(f.name) for f in fields(cls) if f.name != "items"}
        return cls(items=[read(row) for row in rows], **rest)


@dataclass
class OpResult:
    """One entry of an answer. `error` is a string, or an object with `kind` and `message`; None where the call worked."""

    ok: bool
    tool: str
    result: Any = None
    error: Any = None
    aborted: bool = False
    domain_disposition: Optional[str] = None
    extra: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_entry(cls, entry: Dict[str, Any]) -> "OpResult":
        named = {f.name for f in fields(cls)} - {"extra"}
        return cls(
            **{name: value for name, value in entry.items() if name in named},
            extra={name: value for name, value in entry.items() if name not in named},
        )

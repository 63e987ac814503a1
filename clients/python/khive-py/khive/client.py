"""The store as a database: entities, notes, edges, search, graph walks.

Every method is one request of one operation and raises `OperationError` when it failed. A `batch` is one request of many: its
operations run at the same time and each is kept by itself, so write what depends on something else in a second call.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import BatchError, KhiveError, OperationError
from .models import Edge, EdgeRelation, Entity, Note, OpResult, Page
from .ops import encode, op
from .session import Session
from .transport import HttpTransport, Transport


class Khive:
    """Client of one store.

    >>> db = Khive()                                  # KHIVE_URL, KHIVE_KEY, or the configuration file
    >>> db = Khive(url="https://…/request", key="dke_s_…")
    """

    def __init__(
        self,
        *,
        url: Optional[str] = None,
        key: Optional[str] = None,
        db: Optional[str] = None,
        socket_path: Optional[str] = None,
        transport: Optional[Transport] = None,
        namespace: str = "local",
        actor_id: Optional[str] = None,
        timeout: float = 30.0,
    ) -> None:
        if socket_path is not None:
            raise KhiveError("there is no daemon with a socket: this service is reached over HTTPS, by url= and key=")
        lane = transport if transport is not None else HttpTransport(url, key, db=db)
        self.session = Session(lane, namespace=namespace, actor_id=actor_id, timeout=timeout)
        self.entities = Entities(self)
        self.notes = Notes(self)
        self.graph = Graph(self)

    def __getattr__(self, name: str) -> Any:
        if name == "blobs":
            raise AttributeError("Khive.blobs: this service keeps no blobs; text and JSON go into notes and their properties")
        raise AttributeError(f"'Khive' object has no attribute {name!r}")

    def call(self, tool: str, **args: Any) -> Any:
        """Runs one verb; its result. Arguments that are None are left out."""
        entry = OpResult.from_entry(self.session.request(encode([op(tool, **args)]))[0])
        if not entry.ok:
            raise OperationError(entry.tool, entry.error)
        return entry.result

    def raw(self, ops: List[Dict[str, Any]]) -> List[OpResult]:
        """Runs a batch; the outcome of each operation, in order, failed ones too."""
        return [OpResult.from_entry(entry) for entry in self.session.request(encode(ops))]

    def batch(self, ops: List[Dict[str, Any]]) -> List[OpResult]:
        """As `raw`, but raises `BatchError` when any operation failed."""
        entries = self.session.request(encode(ops))
        outcomes = [OpResult.from_entry(entry) for entry in entries]
        failures = [(index, outcome.tool, outcome.error) for index, outcome in enumerate(outcomes) if not outcome.ok]
        if failures:
            raise BatchError(entries, failures)
        return outcomes

    def stats(self) -> Dict[str, Any]:
        """Counts of entities, edges by relation, and notes."""
        return self.call("stats")

    def diagnostics(self) -> Dict[str, Any]:
        """What the store reports of itself."""
        return self.call("db_diagnostics")

    def metrics(self) -> Dict[str, Any]:
        """What the service reports with a handshake."""
        return self.session.metrics()

    def whoami(self) -> Dict[str, Any]:
        """Who acts: `actor_id`, `namespace` and the build served."""
        return self.call("whoami")

    def get(self, id: str) -> Dict[str, Any]:
        """Any record by its id or a prefix of at least 8 hex digits."""
        return self.call("get", id=id)

    def query(self, text: str, *, page_size: Optional[int] = None) -> Any:
        """A read-only query in GQL or SPARQL; `{rows, offset, page_size, has_more, …}`."""
        return self.call("query", query=text, page_size=page_size)

    def search(self, query: str, *, kind: str = "entity", limit: Optional[int] = None, **filters: Any) -> List[Dict[str, Any]]:
        """Full-text search, best first."""
        found = self.call("search", kind=kind, query=query, limit=limit, **filters)
        return found.get("items", found.get("results", [])) if isinstance(found, dict) else found


class Part:
    """A group of methods of a `Khive`."""

    def __init__(self, db: Khive) -> None:
        self._db = db


class Entities(Part):
    """Named nodes of the graph."""

    def create(self, entity: Optional[Entity] = None, **fields: Any) -> Entity:
        """Records an entity, given whole or by its fields (`kind`, `name`, `description`, `entity_type`, `properties`, `tags`)."""
        given = entity if entity is not None else Entity(**fields)
        return Entity.from_row(
            self._db.call(
                "create",
                kind=given.kind,
                name=given.name,
                description=given.description,
                entity_type=given.entity_type,
                properties=given.properties or None,
                tags=given.tags or None,
            )
        )

    def get(self, id: str) -> Entity:
        return Entity.from_row(self._db.get(id))

    def list(self, *, kind: str = "entity", limit: Optional[int] = None, offset: Optional[int] = None, **filters: Any) -> Page:
        """One page; `after=""` starts a walk by cursor instead of `offset`."""
        return Page.from_answer(
            self._db.call("list", kind=kind, limit=limit, offset=offset, **filters), "entities", Entity.from_row
        )

    def update(self, id: str, **changes: Any) -> Entity:
        """Changes the named fields. `properties` are merged, `tags` replaced."""
        return Entity.from_row(self._db.call("update", id=id, **changes))

    def delete(self, id: str, *, hard: bool = False) -> Any:
        """Soft: it can be read with `include_deleted`. `hard` removes it and its edges."""
        return self._db.call("delete", id=id, hard=hard or None)

    def merge(self, into_id: str, from_id: str, **how: Any) -> Any:
        """Folds one entity into another of the same kind."""
        return self._db.call("merge", into_id=into_id, from_id=from_id, **how)


class Notes(Part):
    """Texts."""

    def create(self, note: Optional[Note] = None, *, annotates: Optional[List[str]] = None, **fields: Any) -> Note:
        """Records a note, given whole or by its fields (`kind`, `content`, `name`, `salience`, `properties`, `tags`)."""
        given = note if note is not None else Note(**fields)
        return Note.from_row(
            self._db.call(
                "create",
                kind=given.kind,
                content=given.content,
                name=given.name,
                salience=given.salience,
                key=given.key,
                properties=given.properties or None,
                tags=given.tags or None,
                annotates=annotates,
            )
        )

    def get(self, id: str) -> Note:
        return Note.from_row(self._db.get(id))

    def list(self, *, kind: str = "note", limit: Optional[int] = None, **filters: Any) -> Page:
        return Page.from_answer(self._db.call("list", kind=kind, limit=limit, **filters), "notes", Note.from_row)


class Graph(Part):
    """Links and the walks along them."""

    def link(
        self,
        source_id: str,
        target_id: str,
        relation: Union[EdgeRelation, str],
        *,
        weight: Optional[float] = None,
        metadata: Optional[Dict[str, Any]] = None,
        **more: Any,
    ) -> Edge:
        """Joins two records. Linking the same pair again replaces weight and metadata."""
        return Edge.from_row(
            self._db.call(
                "link", source_id=source_id, target_id=target_id, relation=str(relation), weight=weight, metadata=metadata, **more
            )
        )

    def hyperlink(
        self,
        relation: Union[EdgeRelation, str],
        *,
        members: Sequence[Union[str, Mapping[str, Any]]],
        metadata: Optional[Dict[str, Any]] = None,
    ) -> Edge:
        """As `link`, of two members: ids, or `{node_id, role, weight}`, of which one may say that it is the source or the target."""
        ends = [{"node_id": member} if isinstance(member, str) else dict(member) for member in members]
        if len(ends) != 2:
            raise ValueError(
                f"an edge of this service joins two records, not {len(ends)}: link them pair by pair, or to a record for the group"
            )
        if ends[0].get("role") == "target" or ends[1].get("role") == "source":
            ends.reverse()
        source, target = ends
        return self.link(source["node_id"], target["node_id"], relation, weight=source.get("weight"), metadata=metadata)

    def neighbors(self, node_id: str, *, direction: Optional[str] = None, relations: Optional[List[str]] = None, **more: Any) -> Any:
        return self._db.call("neighbors", node_id=node_id, direction=direction, relations=relations, **more)

    def traverse(
        self,
        roots: List[str],
        *,
        max_depth: Optional[int] = None,
        direction: Optional[str] = None,
        relations: Optional[List[str]] = None,
        limit: Optional[int] = None,
        **more: Any,
    ) -> Any:
        return self._db.call(
            "traverse", roots=roots, max_depth=max_depth, direction=direction, relations=relations, limit=limit, **more
        )

    def edges(self, *, limit: Optional[int] = None, **filters: Any) -> Page:
        return Page.from_answer(self._db.call("list", kind="edge", limit=limit, **filters), "edges", Edge.from_row)

    def incident(self, node_id: str, *, relation: Union[EdgeRelation, str, None] = None) -> List[Edge]:
        """Every edge that has this record as an end, outgoing ones first."""
        found: Dict[str, Edge] = {}
        wanted = [str(relation)] if relation is not None else None
        for end in ("source_id", "target_id"):
            after = ""
            while after is not None:
                page = self.edges(limit=1000, after=after, relations=wanted, **{end: node_id})
                for edge in page.items:
                    found.setdefault(str(edge.id), edge)
                after = page.next_after
        return list(found.values())

    def co_members(self, node_id: str) -> List[tuple]:
        """Pairs (edge, id of its other end)."""
        return [(edge, edge.other(node_id)) for edge in self.incident(node_id)]

"""Frames and answers of a Session through a transport that stands for the service: no network."""

import json
import sys
import unittest
from copy import deepcopy
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import khive  # noqa: E402
from khive import (  # noqa: E402
    BatchError,
    ConfigMismatch,
    Edge,
    Entity,
    Khive,
    OperationError,
    Page,
    ProtocolMismatch,
    RequestRejected,
    Session,
    Transport,
    TransportError,
    encode,
    op,
)
from khive.transport import call_of, frame_of  # noqa: E402

LIMITS = {"max_ops": 100, "max_depth": 64, "max_input_len": 1048576}
STAGE = {"index": 0, "verb": "get", "pack": "kg", "known": True, "args": {"id": "x"}, "prev_refs": []}
PLAN = {"parsed": True, "mode": "single", "stage_count": 1, "stages": [STAGE], "limits": LIMITS}


class Service(Transport):
    """Answers as the service does: version first, then the store, then what it was told to say."""

    def __init__(self, payload=None, *, version=5, store="store-1", mismatches=0, rejection=None):
        self.payload = payload
        self.version = version
        self.store = store
        self.mismatches = mismatches
        self.rejection = rejection
        self.frames = []
        self.timeouts = []
        self.ran = []

    def round_trip(self, frame, timeout):
        self.frames.append(deepcopy(frame))
        self.timeouts.append(timeout)
        if frame["protocol_version"] != self.version:
            return {"ok": False, "version_mismatch": True, "daemon_protocol_version": self.version, "error": "other version"}
        if frame.get("config_id") not in ("", self.store):
            return {"ok": False, "config_mismatch": True, "error": "other store"}
        if frame.get("metrics_only"):
            return {"ok": True, "served_config_id": self.store}
        if self.mismatches:
            self.mismatches -= 1
            return {"ok": False, "config_mismatch": True, "error": "store changed"}
        if self.rejection:
            return {"ok": False, "error": self.rejection, "data": {"kind": "parse_error"}}
        if not frame.get("plan"):
            self.ran.append(frame["ops"])
        return {"ok": True, "result": json.dumps(self.payload), "served_config_id": self.store}


def answer(*results):
    worked = sum(1 for entry in results if entry["ok"])
    summary = {"total": len(results), "succeeded": worked, "failed": len(results) - worked, "aborted": 0}
    return {"results": list(results), "summary": summary, "status": "success"}


def good(tool, result):
    return {"ok": True, "tool": tool, "result": result}


class Handshake(unittest.TestCase):
    def test_the_first_call_learns_the_store_and_states_version_5(self):
        service = Service(answer(good("stats", {})))
        session = Session(service, actor_id="ann", namespace="project")
        session.request("stats()")
        session.request("stats()")
        self.assertEqual([bool(frame.get("metrics_only")) for frame in service.frames], [True, False, False])
        self.assertEqual({frame["protocol_version"] for frame in service.frames}, {5})
        self.assertEqual(service.frames[1]["config_id"], "store-1")
        self.assertEqual(service.frames[1]["namespace"], "project")
        self.assertEqual(service.frames[1]["actor_id"], "ann")
        self.assertEqual((service.frames[1]["presentation"], service.frames[1]["format"]), ("verbose", "json"))

    def test_another_version_is_refused_and_nothing_runs(self):
        service = Service(version=4)
        with self.assertRaises(ProtocolMismatch) as caught:
            Session(service).request("stats()")
        self.assertEqual((caught.exception.client_version, caught.exception.daemon_version), (5, 4))
        self.assertEqual(service.ran, [])

    def test_a_store_other_than_the_expected_one_is_refused_and_nothing_runs(self):
        service = Service(answer(good("stats", {})), store="store-2")
        service.expected_config = "store-1"
        for call in (lambda: Session(service).request("stats()"), lambda: Session(service).plan("stats()")):
            with self.assertRaises(ConfigMismatch):
                call()
        self.assertEqual(service.ran, [])

    def test_a_store_that_changed_is_asked_for_again_once(self):
        service = Service(PLAN, mismatches=1)
        session = Session(service)
        session.handshake()
        self.assertEqual(session.plan("get(id=\"x\")"), PLAN)
        service = Service(PLAN, mismatches=2)
        with self.assertRaisesRegex(ConfigMismatch, "store changed"):
            Session(service).plan("get()")
        self.assertEqual(len(service.frames), 4)

    def test_a_refusal_keeps_message_and_data(self):
        with self.assertRaisesRegex(RequestRejected, "bad text") as caught:
            Session(Service(rejection="bad text")).request("a(")
        self.assertEqual(caught.exception.data, {"kind": "parse_error"})


class Plans(unittest.TestCase):
    def test_a_plan_names_nobody_and_comes_back_whole(self):
        service = Service({**PLAN, "new_field": 1})
        plan = Session(service, actor_id="ann", namespace="project").plan("get(id=\"x\")", timeout=3.0)
        self.assertEqual(plan, {**PLAN, "new_field": 1})
        for frame in service.frames:
            self.assertEqual(frame["namespace"], "")
            self.assertTrue({"actor_id", "visible_namespaces", "presentation", "format"}.isdisjoint(frame))
        self.assertEqual(service.timeouts, [30.0, 3.0])

    def test_a_text_that_does_not_parse_is_a_plan_too(self):
        failed = {"parsed": False, "error": "unexpected end", "limits": LIMITS}
        self.assertEqual(Session(Service(failed)).plan("a("), failed)

    def test_a_plan_takes_no_field_of_the_envelope(self):
        for name in ("presentation", "presentation_per_op", "format", "format_per_op", "save_to", "request_id"):
            service = Service(PLAN)
            with self.assertRaises(TypeError):
                Session(service).plan("a()", **{name: None})
            self.assertEqual(service.frames, [])

    def test_every_malformed_plan_is_a_transport_error(self):
        bad = [
            None,
            [],
            {"results": []},
            {"parsed": "false", "error": "x", "limits": LIMITS},
            {"parsed": False, "limits": LIMITS},
            {"parsed": False, "error": 42, "limits": LIMITS},
            {"parsed": False, "error": "x", "limits": LIMITS, "stages": []},
            {**PLAN, "parsed": 1},
            {**PLAN, "mode": "other"},
            {**PLAN, "stage_count": True},
            {**PLAN, "stage_count": 4},
            {**PLAN, "stages": None},
            {key: value for key, value in PLAN.items() if key != "limits"},
            {**PLAN, "limits": {**LIMITS, "max_ops": -1}},
            {**PLAN, "limits": {**LIMITS, "max_depth": "64"}},
            {**PLAN, "limits": {**LIMITS, "max_input_len": False}},
        ]
        for name, value in [
            ("index", True), ("index", 2), ("verb", 1), ("pack", 1), ("known", "true"), ("args", []), ("prev_refs", "id"), ("prev_refs", [1]),
        ]:
            bad.append({**PLAN, "stages": [{**STAGE, name: value}]})
        for name in ("pack", "verb"):
            bad.append({**PLAN, "stages": [{key: value for key, value in STAGE.items() if key != name}]})
        for payload in bad:
            with self.subTest(payload=payload), self.assertRaisesRegex(TransportError, "plan"):
                Session(Service(payload)).plan("a()")


class Operations(unittest.TestCase):
    def test_none_is_left_out_but_where_it_means_something(self):
        self.assertEqual(op("get", id="x", kind=None), {"tool": "get", "args": {"id": "x"}})
        self.assertEqual(op("stream.append", stream="s", record=None)["args"], {"stream": "s", "record": None})
        self.assertEqual(json.loads(encode([op("a", n=2**63)])), [{"tool": "a", "args": {"n": 2**63}}])
        with self.assertRaises(ValueError):
            encode([op("a", n=float("nan"))])

    def test_a_failed_verb_raises_with_what_was_reported(self):
        failed = {"ok": False, "tool": "get", "error": {"kind": "not_found", "message": "not found: x"}}
        db = Khive(transport=Service(answer(failed)))
        with self.assertRaisesRegex(OperationError, "get: not found: x") as caught:
            db.get("x")
        self.assertEqual(caught.exception.error["kind"], "not_found")
        self.assertFalse(db.raw([op("get", id="x")])[0].ok)
        with self.assertRaises(BatchError) as batch:
            db.batch([op("get", id="x")])
        self.assertEqual(batch.exception.failures[0][:2], (0, "get"))

    def test_rows_are_objects_and_keep_what_they_do_not_know(self):
        row = {"id": "1", "kind": "concept", "name": "LoRA", "properties": None, "tags": None, "brand_new": 1}
        service = Service(answer(good("create", row)))
        entity = Khive(transport=service).entities.create(kind="concept", name="LoRA")
        self.assertEqual((entity.name, entity.properties, entity.tags, entity.extra), ("LoRA", {}, [], {"brand_new": 1}))
        self.assertEqual(json.loads(service.ran[0]), [{"tool": "create", "args": {"kind": "concept", "name": "LoRA"}}])
        page = Page.from_answer({"items": [row], "limit_clamped": False}, "entities", Entity.from_row)
        self.assertEqual((page.items[0].name, page.limit_clamped, page.total), ("LoRA", False, None))

    def test_incident_edges_are_walked_by_cursor_from_both_ends_each_once(self):
        class Edges(Service):
            def round_trip(self, frame, timeout):
                if frame["ops"]:
                    args = json.loads(frame["ops"])[0]["args"]
                    rows = [{"id": "e1", "source_id": "a", "target_id": "b", "relation": "extends"}]
                    more = args["after"] == "" and "source_id" in args
                    self.payload = answer(good("list", {"edges": rows, "next_after": "c" if more else None}))
                return super().round_trip(frame, timeout)

        db = Khive(transport=Edges())
        self.assertEqual([edge.other("a") for edge in db.graph.incident("a")], ["b"])
        self.assertEqual([(edge.relation, other) for edge, other in db.graph.co_members("a")], [("extends", "b")])
        with self.assertRaises(KeyError):
            Edge(source_id="a", target_id="b").other("z")

    def test_a_hyperlink_joins_two_in_the_order_of_their_roles(self):
        row = {"id": "e", "source_id": "a", "target_id": "b", "relation": "extends"}
        service = Service(answer(good("link", row)))
        graph = Khive(transport=service).graph
        members = [{"node_id": "b", "role": "target"}, {"node_id": "a", "role": "source", "weight": 0.5}]
        self.assertEqual(graph.hyperlink("extends", members=members).id, "e")
        graph.hyperlink("extends", members=["a", "b"])
        first, second = (json.loads(ops)[0]["args"] for ops in service.ran)
        self.assertEqual(first, {"source_id": "a", "target_id": "b", "relation": "extends", "weight": 0.5})
        self.assertEqual(second, {"source_id": "a", "target_id": "b", "relation": "extends"})
        with self.assertRaisesRegex(ValueError, "joins two records, not 3"):
            graph.hyperlink("extends", members=["a", "b", "c"])

    def test_what_needs_a_daemon_is_refused_with_what_to_use(self):
        with self.assertRaisesRegex(AttributeError, "HttpTransport"):
            khive.SocketTransport
        with self.assertRaisesRegex(khive.KhiveError, "over HTTPS"):
            Khive(socket_path="/run/khived.sock")
        with self.assertRaisesRegex(AttributeError, "keeps no blobs"):
            Khive(transport=Service()).blobs


class Carriage(unittest.TestCase):
    def test_a_frame_becomes_one_call_and_states_what_it_expects_in_meta(self):
        frame = {"ops": "a()", "protocol_version": 5, "config_id": "s", "namespace": "", "plan": True}
        self.assertEqual(
            call_of(frame, 7)["params"],
            {"name": "request", "arguments": {"ops": "a()", "plan": True}, "_meta": {"khive/protocol_version": 5, "khive/config_id": "s"}},
        )

    def test_mismatches_are_marked(self):
        def refused(**data):
            return frame_of({"error": {"code": -32602, "message": "no", "data": data}})

        self.assertEqual(refused(kind="protocol_mismatch", served_protocol_version=6)["daemon_protocol_version"], 6)
        self.assertTrue(refused(kind="config_mismatch")["config_mismatch"])
        self.assertNotIn("config_mismatch", refused(kind="parse_error"))
        for broken in (None, {}, {"result": {}}, {"result": {"content": []}}, {"error": 1}):
            with self.subTest(broken=broken), self.assertRaises(TransportError):
                frame_of(broken)


if __name__ == "__main__":
    unittest.main()

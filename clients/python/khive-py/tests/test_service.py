"""The client against a running service, where one is named: KHIVE_TEST_URL, and keys of a store that holds nothing yet.

KHIVE_TEST_KEY may write, KHIVE_TEST_READ_KEY only read, KHIVE_TEST_STORE is the store's id.
"""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from khive import (  # noqa: E402
    BatchError,
    ConfigMismatch,
    EdgeRelation,
    Entity,
    HttpTransport,
    Khive,
    OperationError,
    ProtocolMismatch,
    RequestRejected,
    Session,
    encode,
    op,
)

URL = os.environ.get("KHIVE_TEST_URL")
STORE = os.environ.get("KHIVE_TEST_STORE", "")
NOBODY = "ffffffff"
BIG = {"u64": 18446744073709551615, "odd": 9007199254740993, "least": -9223372036854775808}


def connect(key="KHIVE_TEST_KEY", **more):
    return Khive(url=URL, key=os.environ[key], **more)


class OlderTransport(HttpTransport):
    def round_trip(self, frame, timeout):
        return super().round_trip({**frame, "protocol_version": 4}, timeout)


@unittest.skipUnless(URL, "no service is named")
class Service(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.db = connect()
        cls.kestrel = cls.db.entities.create(kind="concept", name="Kestrel", description="a small falcon", properties=BIG)
        cls.falcon = cls.db.entities.create(Entity(kind="concept", name="Falcon", tags=["bird"]))
        cls.edge = cls.db.graph.link(cls.kestrel.id, cls.falcon.id, EdgeRelation.extends, weight=0.5)

    def test_a_handshake_names_the_store_and_a_plan_runs_nothing(self):
        self.assertEqual(self.db.session.handshake(), STORE)
        before = self.db.stats()
        plan = self.db.session.plan('create(kind="concept", name="Draft") | get(id=$prev.id)')
        self.assertEqual((plan["mode"], [stage["verb"] for stage in plan["stages"]]), ("chain", ["create", "get"]))
        self.assertEqual(self.db.session.plan("create(")["parsed"], False)
        self.assertEqual(self.db.stats(), before)

    def test_a_chain_hands_one_result_to_the_next(self):
        made, got = self.db.session.request('create(kind="concept", name="Chained") | get(id=$prev.id)')
        self.assertEqual((made["ok"], got["ok"], got["result"]["id"]), (True, True, made["result"]["id"]))
        self.assertEqual(got["result"]["name"], "Chained")

    def test_integers_keep_every_digit(self):
        self.assertEqual(self.kestrel.properties, BIG)
        self.assertEqual(self.db.entities.get(self.kestrel.id).properties, BIG)

    def test_lists_come_in_pages_that_are_walked_by_cursor(self):
        names, after = [], ""
        while after is not None:
            page = self.db.entities.list(kind="concept", after=after, limit=1)
            names += [entity.name for entity in page.items]
            after = page.next_after
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue({"Kestrel", "Falcon"} <= set(names))
        tagged = self.db.entities.list(kind="concept", tags=["bird"])
        self.assertEqual([entity.id for entity in tagged.items], [self.falcon.id])

    def test_links_are_walked_from_both_ends(self):
        self.assertEqual((self.edge.relation, self.edge.weight), ("extends", 0.5))
        self.assertEqual([near["id"] for near in self.db.graph.neighbors(self.kestrel.id)], [self.falcon.id])
        (walk,) = self.db.graph.traverse([self.kestrel.id], max_depth=1)
        self.assertEqual([(node["id"], node["depth"]) for node in walk["nodes"]], [(self.kestrel.id, 0), (self.falcon.id, 1)])
        self.assertEqual([edge.id for edge in self.db.graph.incident(self.falcon.id)], [self.edge.id])
        self.assertEqual([other for _, other in self.db.graph.co_members(self.falcon.id)], [self.kestrel.id])

    def test_search_finds_by_name_before_by_description(self):
        self.assertEqual([found["name"] for found in self.db.search("falcon")], ["Falcon", "Kestrel"])
        self.assertEqual(self.db.search("nothing that is here"), [])

    def test_notes_say_what_they_are_about(self):
        ring = self.db.entities.create(kind="concept", name="Ring")
        note = self.db.notes.create(kind="observation", content="seen at dawn", annotates=[ring.id])
        self.assertEqual(self.db.notes.get(note.id).content, "seen at dawn")
        self.assertIn(note.id, [one.id for one in self.db.notes.list(kind="observation").items])
        self.assertEqual([edge.source_id for edge in self.db.graph.incident(ring.id)], [note.id])

    def test_a_query_answers_with_rows(self):
        found = self.db.query('MATCH (a:concept)-[:extends]->(b:concept) RETURN a.name, b.name')
        self.assertEqual((found["rows"], found["has_more"]), ([{"a.name": "Kestrel", "b.name": "Falcon"}], False))

    def test_a_unit_is_kept_whole_or_not_at_all(self):
        one, other = (self.db.entities.create(kind="concept", name=name) for name in ("One", "Other"))
        link = op("link", source_id=one.id, target_id=other.id, relation="extends")
        kept = self.db.session.request_atomic(encode([op("update", id=one.id, name="First"), link]))
        self.assertEqual((kept["atomic"]["committed"], kept["summary"]["succeeded"]), (True, 2))
        astray = op("link", source_id=one.id, target_id=NOBODY, relation="extends")
        dropped = self.db.session.request_atomic(encode([op("update", id=one.id, name="Lost"), astray]))
        self.assertEqual((dropped["atomic"]["committed"], dropped["atomic"]["status"]), (False, "rolled_back"))
        self.assertEqual([entry["ok"] for entry in dropped["results"]], [False, False])
        self.assertEqual(self.db.entities.get(one.id).name, "First")
        with self.assertRaises(RequestRejected):
            self.db.session.request_atomic(encode([link, link]), max_ops=1)

    def test_a_batch_keeps_what_worked_and_says_what_did_not(self):
        with self.assertRaises(BatchError) as caught:
            self.db.batch([op("update", id=self.falcon.id, description="kept"), op("get", id=NOBODY)])
        self.assertIn("1 of 2 operations failed", str(caught.exception))
        self.assertEqual(self.db.entities.get(self.falcon.id).description, "kept")

    def test_what_the_service_refuses_has_a_class_of_its_own(self):
        with self.assertRaises(OperationError):
            self.db.get(NOBODY)
        with self.assertRaises(OperationError):
            connect("KHIVE_TEST_READ_KEY").entities.create(kind="concept", name="Never")
        with self.assertRaises(ConfigMismatch):
            connect(db="0" * 64).entities.create(kind="concept", name="Never")
        with self.assertRaises(ProtocolMismatch) as caught:
            Session(OlderTransport(URL, os.environ["KHIVE_TEST_KEY"])).request(encode([op("create", kind="concept", name="Never")]))
        self.assertEqual(caught.exception.daemon_version, 5)
        with self.assertRaises(RequestRejected):
            Khive(url=URL, key="dke_s_nobody").stats()
        self.assertEqual(self.db.search("Never"), [])

    def test_a_reader_sees_what_a_writer_wrote_and_who_it_is(self):
        reader = connect("KHIVE_TEST_READ_KEY")
        self.assertEqual(reader.entities.get(self.kestrel.id).name, "Kestrel")
        self.assertEqual((reader.whoami()["level"], self.db.whoami()["level"]), ("read", "read-write"))
        self.assertEqual(reader.diagnostics()["store_id"], STORE)


if __name__ == "__main__":
    unittest.main()

"""Keys are byte for byte those of the service; what needs the package `cryptography` is skipped where it is not."""

import base64
import hashlib
import importlib.util
import json
import os
import stat
import sys
import tempfile
import unittest
import unittest.mock
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parent.parent))

from dke import keys  # noqa: E402
from dke.digests import fingerprint_of, names_of, read_digests  # noqa: E402
from dke.release_key import RELEASE_KEY  # noqa: E402
from dke.store_key import format_key, hash_of, make_first_key, make_further_key, read_key, unwrap  # noqa: E402

VECTORS = json.loads((HERE.parents[4] / "test/testdata/keys/vectors.json").read_text())
HAS_CRYPTOGRAPHY = importlib.util.find_spec("cryptography") is not None
needs_cryptography = unittest.skipUnless(HAS_CRYPTOGRAPHY, "the package cryptography is not here")


def dealt(*pieces):
    """Gives these bytes, one piece after the other."""
    left = [bytes.fromhex(piece) for piece in pieces]

    def give(count):
        piece = left.pop(0)
        assert len(piece) == count
        return piece

    return give


class Text(unittest.TestCase):
    def test_text_and_hash_are_those_of_the_vectors(self):
        for vector in VECTORS:
            text = format_key(vector["storeId"], bytes.fromhex(vector["secret"]))
            self.assertEqual(text, vector["text"])
            self.assertEqual(hash_of(text), vector["hash"])
            key = read_key(text)
            self.assertEqual((key.store_id, key.secret.hex()), (vector["storeId"], vector["secret"]))
            self.assertNotIn(text[10:], repr(key))

    def test_one_changed_character_is_no_key(self):
        text = VECTORS[0]["text"]
        for i in range(len(text)):
            self.assertIsNone(read_key(text[:i] + ("B" if text[i] == "A" else "A") + text[i + 1 :]))
        for other in ("", text + "0", text.replace("dke_s_", "dke_c_"), "é" * len(text)):
            self.assertIsNone(read_key(other))
        with self.assertRaises(ValueError):
            format_key("xyz", b"")


@needs_cryptography
class Wraps(unittest.TestCase):
    def test_wraps_are_those_of_the_vectors(self):
        for vector in VECTORS:
            key, record = make_first_key(vector["storeId"], dealt(vector["dataKey"], vector["secret"], vector["nonce"]))
            self.assertEqual((key.text, record.hash, record.wrap), (vector["text"], vector["hash"], vector["wrap"]))
            self.assertEqual(unwrap(vector["wrap"], key).hex(), vector["dataKey"])

    def test_another_key_opens_the_same_store(self):
        first, record = make_first_key(VECTORS[0]["storeId"])
        second, other = make_further_key(first, record.wrap)
        self.assertEqual(unwrap(record.wrap, first), unwrap(other.wrap, second))
        self.assertNotEqual(first.text, second.text)

    def test_a_wrap_of_another_key_opens_nothing(self):
        key = read_key(VECTORS[0]["text"])
        for wrap in (VECTORS[1]["wrap"], "", "!!", VECTORS[0]["wrap"][:-4] + "AAAA"):
            with self.assertRaises(ValueError):
                make_further_key(key, wrap)


class CommandLine(unittest.TestCase):
    def said(self, *words, **environment):
        kept = dict(os.environ)
        for name in ("DKE_TOKEN", "DKE_EMAIL", "DKE_KEY"):
            os.environ.pop(name, None)
        os.environ.update(environment)
        out = StringIO()
        try:
            with redirect_stderr(out):
                return keys.main(list(words)), out.getvalue()
        finally:
            os.environ.clear()
            os.environ.update(kept)

    def test_a_key_goes_nowhere_without_being_told_where(self):
        code, said = self.said("issue", "--store", "x", "--label", "y", DKE_TOKEN="dke_t_x")
        self.assertEqual((code, "--out" in said), (2, True))

    def test_signing_in_needs_something_to_sign_in_with(self):
        self.assertEqual(self.said("stores")[0], 2)
        self.assertIn("store key", self.said("stores", DKE_TOKEN="dke_s_x")[1])

    def test_files_are_their_owners_alone_and_never_written_over(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "key")
            keys.write_private(path, "secret")
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
            with self.assertRaises(FileExistsError):
                keys.write_private(path, "other")
            self.assertEqual(Path(path).read_text(), "secret")

    def test_configurations_name_the_endpoint_and_the_key(self):
        for client in keys.CLIENTS:
            text = keys.config_for(client, "https://e.example/", "dke_s_k")
            self.assertTrue("https://e.example/" in text and "Bearer dke_s_k" in text)
            if client != "codex":
                json.loads(text)
        with self.assertRaises(ValueError):
            keys.config_for("emacs", "", "")

    def test_a_configuration_points_to_the_service_that_issued_its_key(self):
        told = {}

        def call(_account, method, _path, _body=None):
            return {"key_id": "key_1", **told} if method == "POST" else {}

        words = ("issue", "--store", "ab" * 32, "--first", "--label", "y", "--print-config", "vscode")
        words += ("--account", "http://127.0.0.1:8787/dashboard/api")
        own, other, named = "http://127.0.0.1:8787/", "https://api.example/", "https://named.example/"
        cases = [
            (None, (), own),
            (other, (), other),
            (own, (), own),
            (other, ("--endpoint", named), named),
            # No step down, and nothing that is no address.
            ("http://api.example/", (), own),
            ("https://somebody@api.example/", (), own),
            ("ftp://127.0.0.1:8787/", (), own),
            ("https://", (), own),
            ("https://[", (), own),
            (7, (), own),
        ]
        for said, more, url in cases:
            told["endpoint"] = said
            with tempfile.TemporaryDirectory() as folder, patch.object(keys.Account, "_call", call):
                path = os.path.join(folder, "mcp.json")
                self.assertEqual(self.said(*words, *more, "--out", path, DKE_TOKEN="dke_t_x")[0], 0)
                self.assertEqual(json.loads(Path(path).read_text())["servers"]["dke"]["url"], url)


@needs_cryptography
class Digests(unittest.TestCase):
    def setUp(self):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        signer = Ed25519PrivateKey.generate()
        self.public = signer.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        self.sign = lambda listing: base64.b64encode(signer.sign(listing)).decode() + "\n"

    def test_a_list_is_believed_with_its_signature_and_no_other(self):
        listing = f"{hashlib.sha256(b'x').hexdigest()}  a/b.py\n".encode()
        digests = read_digests(listing, self.sign(listing), self.public)
        self.assertEqual(names_of(digests, b"x"), ["a/b.py"])
        self.assertEqual(names_of(digests, b"y"), [])
        self.assertIsNone(read_digests(listing + b"\n", self.sign(listing), self.public))
        self.assertIsNone(read_digests(listing, "", self.public))
        self.assertIsNone(read_digests(listing, "é", self.public))
        self.assertIsNone(read_digests(listing, self.sign(listing), RELEASE_KEY))
        no_list = b"everything is fine\n"
        self.assertIsNone(read_digests(no_list, self.sign(no_list), self.public))

    def test_verify_says_which_file_it_is_and_whose_signature(self):
        with tempfile.TemporaryDirectory() as folder:
            listing = f"{hashlib.sha256(b'x').hexdigest()}  keys.py\n".encode()
            for name, content in (("new.py", b"x"), ("other.py", b"y"), ("L", listing), ("S", self.sign(listing).encode())):
                Path(folder, name).write_bytes(content)
            at = lambda name: str(Path(folder, name))
            verify = lambda name: keys.main(["verify", at(name), "--digests", at("L"), "--signature", at("S")])
            out = StringIO()
            with redirect_stderr(StringIO()) as err:
                self.assertEqual(verify("new.py"), 1)  # not by the release key
            self.assertIn("not signed", err.getvalue())
            with unittest.mock.patch.object(keys, "RELEASE_KEY", self.public):
                with redirect_stdout(out):
                    self.assertEqual(verify("new.py"), 0)
                with redirect_stderr(StringIO()) as err:
                    self.assertEqual(verify("other.py"), 1)
                    self.assertEqual(verify("absent.py"), 2)
            self.assertEqual(out.getvalue(), f"{at('new.py')} is keys.py, as signed by {fingerprint_of(self.public)}\n")
            self.assertIn("none of the files", err.getvalue())


if __name__ == "__main__":
    unittest.main()

"""A store key: 32 bytes of its store's id and 32 random bytes, as text; and the store's data key wrapped under it.

The same bytes as the service, the dashboard's page and `dkekey` make (test/testdata/keys/vectors.json holds all four to them).
The data key is sealed with AES-256-GCM under HKDF-SHA-256(secret, salt = store id, info = "dke/wrap/v1"), bound to
store id ‖ SHA-256 of the key ‖ version.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zlib
from dataclasses import dataclass
from typing import Callable, Optional, Tuple

PREFIX = "dke_s_"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PART_WIDTH = 43
CHECK_WIDTH = 6
KEY_CHARS = len(PREFIX) + 2 * PART_WIDTH + CHECK_WIDTH
WRAP_VERSION = 1
WRAP_INFO = b"dke/wrap/v1"

RandomBytes = Callable[[int], bytes]


@dataclass(frozen=True)
class StoreKey:
    """`text` is what a client is given; `repr` does not show it."""

    text: str
    store_id: str
    secret: bytes

    def __repr__(self) -> str:
        return f"StoreKey(store_id={self.store_id!r})"


@dataclass(frozen=True)
class KeyRecord:
    """What the service is told of a new key: hex SHA-256 of its text, and the wrap in base64."""

    hash: str
    wrap: str


def make_first_key(store_id: str, random: RandomBytes = os.urandom) -> Tuple[StoreKey, KeyRecord]:
    """The first key of a store: with it the store's data key is made."""
    return _make_key(store_id, random(32), random)


def make_further_key(
    opener: StoreKey, wrap: str, random: RandomBytes = os.urandom, store_id: Optional[str] = None
) -> Tuple[StoreKey, KeyRecord]:
    """Another key, for whoever holds one that opens the store; `store_id` names another one only where that is a copy of it.

    Raises ValueError where the wrap is not of that key.
    """
    return _make_key(store_id or opener.store_id, unwrap(wrap, opener), random)


def _make_key(store_id: str, data_key: bytes, random: RandomBytes) -> Tuple[StoreKey, KeyRecord]:
    secret = random(32)
    key = StoreKey(format_key(store_id, secret), store_id, secret)
    digest = hash_of(key.text)
    nonce = random(12)
    sealed = _cipher(key).encrypt(nonce, data_key, _binding(store_id, digest))
    wrap = bytes([WRAP_VERSION]) + nonce + sealed
    return key, KeyRecord(digest, base64.b64encode(wrap).decode())


def unwrap(wrap: str, key: StoreKey) -> bytes:
    """The data key. Raises ValueError where this key does not open this wrap."""
    from cryptography.exceptions import InvalidTag

    try:
        sealed = base64.b64decode(wrap, validate=True)
    except ValueError:
        sealed = b""
    if len(sealed) != 61 or sealed[0] != WRAP_VERSION:
        raise ValueError("this is no wrap of a data key")
    try:
        return _cipher(key).decrypt(sealed[1:13], sealed[13:], _binding(key.store_id, hash_of(key.text)))
    except InvalidTag:
        raise ValueError("this key does not open this store's wrap") from None


def read_key(text: str) -> Optional[StoreKey]:
    """The key that a text is; None where it is none: wrong length, alphabet, range or checksum."""
    if len(text) != KEY_CHARS or not text.startswith(PREFIX) or not text.isascii():
        return None
    body, check = text[:-CHECK_WIDTH], _from_base62(text[-CHECK_WIDTH:])
    store_id = _from_base62(body[len(PREFIX) : len(PREFIX) + PART_WIDTH])
    secret = _from_base62(body[len(PREFIX) + PART_WIDTH :])
    if store_id is None or secret is None or store_id >> 256 or secret >> 256 or check != zlib.crc32(body.encode()):
        return None
    return StoreKey(text, f"{store_id:064x}", secret.to_bytes(32, "big"))


def format_key(store_id: str, secret: bytes) -> str:
    if len(secret) != 32 or len(store_id) != 64 or any(digit not in "0123456789abcdef" for digit in store_id):
        raise ValueError("a key is made of 32 bytes of id, as lower-case hex, and 32 of secret")
    body = PREFIX + _to_base62(int(store_id, 16), PART_WIDTH) + _to_base62(int.from_bytes(secret, "big"), PART_WIDTH)
    return body + _to_base62(zlib.crc32(body.encode()), CHECK_WIDTH)


def hash_of(text: str) -> str:
    """What the service knows a key by."""
    return hashlib.sha256(text.encode()).hexdigest()


def _cipher(key: StoreKey):
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derivation = HKDF(algorithm=hashes.SHA256(), length=32, salt=bytes.fromhex(key.store_id), info=WRAP_INFO)
    return AESGCM(derivation.derive(key.secret))


def _binding(store_id: str, digest: str) -> bytes:
    return bytes.fromhex(store_id) + bytes.fromhex(digest) + bytes([WRAP_VERSION])


def _to_base62(value: int, width: int) -> str:
    digits = []
    for _ in range(width):
        value, digit = divmod(value, 62)
        digits.append(DIGITS[digit])
    return "".join(reversed(digits))


def _from_base62(text: str) -> Optional[int]:
    value = 0
    for char in text:
        digit = DIGITS.find(char)
        if digit < 0:
            return None
        value = value * 62 + digit
    return value

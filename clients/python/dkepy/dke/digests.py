"""The list of digests of the programs that are served, and whether it is to be believed.

A line a file, `sha256  name`, and beside the list its Ed25519 signature in base64.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Dict, List, Optional

_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


def read_digests(listing: bytes, signature: str, public_key: str) -> Optional[Dict[str, str]]:
    """Digests by file name, if the signature is that of the public key (SPKI, PEM); None where it is not, or where this is no list."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key = load_pem_public_key(public_key.encode())
    if not isinstance(key, Ed25519PublicKey):
        return None
    try:
        key.verify(base64.b64decode(signature.strip(), validate=True), listing)
    except (InvalidSignature, ValueError):
        return None
    lines = [_LINE.fullmatch(line) for line in listing.decode("utf-8").split("\n") if line]
    if None in lines:
        return None
    return {line[2]: line[1] for line in lines}


def fingerprint_of(public_key: str) -> str:
    """SHA-256 of a public key (SPKI), in lower-case hex: what people compare."""
    body = "".join(line for line in public_key.splitlines() if not line.startswith("-----"))
    return digest_of(base64.b64decode(body))


def digest_of(content: bytes) -> str:
    """SHA-256 in lower-case hex."""
    return hashlib.sha256(content).hexdigest()


def names_of(digests: Dict[str, str], content: bytes) -> List[str]:
    """Names of the list under which exactly these bytes stand."""
    digest = digest_of(content)
    return [name for name, known in digests.items() if known == digest]

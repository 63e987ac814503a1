"""`dke.keys`: issues, lists and revokes store keys from a machine of your own.

A new key is made here, from the machine's random source. The account service receives its SHA-256 and the store's data key
wrapped under it; the key itself is never sent. Signing in takes an account token, which only adds keys, or the account's
address and password.

    python -m dke.keys issue --store ID --label "CI" --level read-add --opener-file key.txt --out new-key.txt
"""

from __future__ import annotations

import argparse
import base64
import getpass
import json
import os
import sys
import urllib.error
import urllib.request
from importlib.resources import files
from pathlib import Path
from typing import Any, Dict, List, Optional
from urllib.parse import urljoin, urlsplit

from . import __version__
from .digests import digest_of, fingerprint_of, names_of, read_digests
from .release_key import RELEASE_KEY
from .store_key import StoreKey, hash_of, make_first_key, make_further_key, read_key

DEFAULT_ACCOUNT = "https://dke.langsyn.net/dashboard/api"
LEVELS = ("none", "read", "read-add", "read-write", "read-write-delete")


class KeyServiceError(Exception):
    """The account service refused. `code` as it names it, `status` the HTTP status."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.status = status
        self.code = code
        super().__init__(message)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


class Account:
    """An account as its service has it, signed in to with a token, or with an address and password.

    >>> account = Account(token="dke_t_…")
    >>> key = account.issue(store_id, opener=open("key.txt").read().strip(), label="CI", level="read-add")
    """

    def __init__(
        self,
        *,
        token: Optional[str] = None,
        email: Optional[str] = None,
        password: Optional[str] = None,
        url: str = DEFAULT_ACCOUNT,
        timeout: float = 30.0,
    ) -> None:
        if (token is None) == (email is None or password is None):
            raise ValueError("sign in with a token, or with an address and password")
        if token is not None and token.startswith(("dke_s_", "dke_c_")):
            raise ValueError("this is a store key: an account token begins with dke_t_")
        pair = base64.b64encode(f"{email}:{password}".encode()).decode()
        self._authorization = f"Bearer {token}" if token is not None else f"Basic {pair}"
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)
        #: Where clients connect: what the service said with the last key it issued, before that the root of its host.
        self.endpoint = urljoin(url, "/")

    def stores(self) -> List[Dict[str, str]]:
        """`[{id, name}]`."""
        return self._call("GET", "/stores")["stores"]

    def issue(
        self,
        store_id: str,
        *,
        opener: Optional[str],
        label: str,
        level: str = "read",
        copy_of: Optional[str] = None,
    ) -> StoreKey:
        """Makes a key and has it take effect. `opener` is a key that opens the store; None for a store's very first key.

        Of a store that is a copy and has no key yet, `copy_of` is the store it was copied from, and the opener a key of that one.
        """
        if level not in LEVELS:
            raise ValueError(f"level is one of {', '.join(LEVELS)}")
        if opener is None:
            key, record = make_first_key(store_id)
        else:
            held = read_key(opener)
            if held is None:
                raise ValueError("the opener is no store key: check that all of it was copied")
            opened = copy_of or store_id
            if held.store_id != opened:
                raise ValueError("the opener opens another store")
            wrap = self._call("GET", f"/stores/{opened}/wraps/{hash_of(opener)}")["wrap"]
            key, record = make_further_key(held, wrap, store_id=store_id)
        wish = {"hash": record.hash, "wrap": record.wrap, "level": level, "label": label, "made": "dke.keys"}
        self._connect_at(self._call("POST", f"/stores/{store_id}/keys", wish).get("endpoint"))
        return key

    def keys(self, store_id: str) -> List[Dict[str, Any]]:
        """Every key of a store, revoked ones too; not with a token."""
        return self._call("GET", f"/stores/{store_id}/keys")["keys"]

    def revoke(self, store_id: str, key_id: str) -> bool:
        """Revokes a key from its next call on. True where it was the last one: the store's data cannot be opened any more."""
        return bool(self._call("POST", f"/stores/{store_id}/keys/{key_id}/revoke", {})["last"])

    def _connect_at(self, told: Any) -> None:
        """Takes an address of the service's, if that is no step down from how the service itself was reached."""
        if not isinstance(told, str):
            return
        own = urlsplit(self._url)
        try:
            address = urlsplit(told)
        except ValueError:
            return
        is_own = (address.scheme, address.netloc) == (own.scheme, own.netloc)
        if (is_own or address.scheme == "https") and address.hostname and address.username is None:
            self.endpoint = told

    def _call(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": self._authorization, "Accept": "application/json"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._url + path, data=data, method=method, headers=headers)
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            raise _refusal(refusal) from None
        except OSError as failure:
            reason = getattr(failure, "reason", failure)
            raise KeyServiceError(0, "unreachable", f"no answer from {self._url}: {reason}") from None
        except ValueError:
            raise KeyServiceError(0, "http", f"{self._url} did not answer with JSON") from None


def _refusal(refusal: urllib.error.HTTPError) -> KeyServiceError:
    try:
        error = json.loads(refusal.read(65536))["error"]
        return KeyServiceError(refusal.code, str(error["code"]), str(error["message"]))
    except (ValueError, KeyError, TypeError):
        return KeyServiceError(refusal.code, "http", f"HTTP {refusal.code}: {refusal.reason}")


CLIENTS = ("claude-code", "cursor", "vscode", "claude-desktop", "codex")


def config_for(client: str, endpoint: str, key: str) -> str:
    """The text a client's configuration wants, the key in it."""
    header = f"Bearer {key}"
    if client in ("claude-code", "cursor"):
        return json.dumps({"mcpServers": {"dke": {"type": "http", "url": endpoint, "headers": {"Authorization": header}}}}, indent=2) + "\n"
    if client == "vscode":
        return json.dumps({"servers": {"dke": {"type": "http", "url": endpoint, "headers": {"Authorization": header}}}}, indent=2) + "\n"
    if client == "claude-desktop":
        args = ["mcp-remote", endpoint, "--transport", "http-only", "--header", "Authorization:${DKE_AUTH}"]
        return json.dumps({"mcpServers": {"dke": {"command": "npx", "args": args, "env": {"DKE_AUTH": header}}}}, indent=2) + "\n"
    if client == "codex":
        return f'[mcp_servers.dke]\nurl = "{endpoint}"\nhttp_headers = {{ Authorization = "{header}" }}\n'
    raise ValueError(f"client is one of {', '.join(CLIENTS)}")


def write_private(path: str, text: str) -> None:
    """Writes a file that only its owner may read; one that is there is never written over."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def main(words: Optional[List[str]] = None) -> int:
    """The command line. 0: done; 1: the service refused; 2: asked wrongly."""
    arguments = _parser().parse_args(words)
    try:
        return arguments.run(arguments)
    except KeyServiceError as refusal:
        print(f"{refusal.code}: {refusal}", file=sys.stderr)
        return 1
    except (ValueError, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2


class _Version(argparse.Action):
    """Says the version and the digest of every module, as the list of digests has them."""

    def __call__(self, parser: argparse.ArgumentParser, *_args: Any) -> None:
        modules = sorted(resource.name for resource in files(__package__).iterdir() if resource.name.endswith(".py"))
        lines = [f"{digest_of((files(__package__) / name).read_bytes())}  dke/{name}" for name in modules]
        print("\n".join([f"dke.keys {__version__}", *lines]))
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dke-keys", description="Makes store keys on this machine: the key is never sent.")
    parser.add_argument("--version", action=_Version, nargs=0, help="the version, and the digests of what this is")
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, run: Any, help_text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help_text)
        sub.set_defaults(run=run)
        sub.add_argument("--account", default=os.environ.get("DKE_ACCOUNT_URL", DEFAULT_ACCOUNT), help="the account service (DKE_ACCOUNT_URL)")
        sub.add_argument("--email", default=os.environ.get("DKE_EMAIL"), help="sign in with this address and a password (DKE_EMAIL, DKE_PASSWORD, or asked for)")
        return sub

    command("stores", _stores, "the stores of the account")
    issue = command("issue", _issue, "make a key")
    issue.add_argument("--store", required=True, help="the store's id")
    issue.add_argument("--label", required=True, help="what the key is for")
    issue.add_argument("--level", default="read", choices=LEVELS)
    issue.add_argument("--opener-file", help="a file with a key that opens the store; - for standard input; DKE_KEY is taken where neither is given")
    issue.add_argument("--copy-of", help="the store that this one was copied from, for its first key: the opener is a key of that one")
    issue.add_argument("--first", action="store_true", help="the store has no key yet: make its data key too")
    issue.add_argument("--out", help="write the key to this new file, for its owner alone")
    issue.add_argument("--print-config", choices=CLIENTS, help="write a client's configuration instead of the bare key")
    issue.add_argument("--endpoint", default=os.environ.get("DKE_URL"), help="what the configuration points to (DKE_URL; where the account service says)")
    issue.add_argument("--show", action="store_true", help="print it here; otherwise --out is needed")
    listing = command("list", _list, "the keys of a store")
    listing.add_argument("--store", required=True)
    revoke = command("revoke", _revoke, "revoke a key")
    revoke.add_argument("--store", required=True)
    revoke.add_argument("key_id")
    verify = commands.add_parser("verify", help="whether a file is one of those that are served, as signed")
    verify.set_defaults(run=_verify)
    verify.add_argument("file")
    verify.add_argument("--digests", default="SHA256SUMS")
    verify.add_argument("--signature", default="SHA256SUMS.sig")
    return parser


def _account(arguments: argparse.Namespace) -> Account:
    token = os.environ.get("DKE_TOKEN")
    if arguments.email:
        try:
            password = os.environ.get("DKE_PASSWORD") or getpass.getpass(f"Password of {arguments.email}: ")
        except EOFError:
            raise ValueError("no password: set DKE_PASSWORD") from None
        return Account(email=arguments.email, password=password, url=arguments.account)
    if not token:
        raise ValueError("no sign-in: set DKE_TOKEN to an account token, or give --email")
    return Account(token=token, url=arguments.account)


def _opener(arguments: argparse.Namespace) -> Optional[str]:
    if arguments.first:
        return None
    if arguments.opener_file == "-":
        return sys.stdin.readline().strip()
    if arguments.opener_file:
        return Path(arguments.opener_file).read_text(encoding="utf-8").strip()
    held = os.environ.get("DKE_KEY")
    if not held:
        raise ValueError("no opener: give --opener-file, set DKE_KEY, or say --first for a store without a key")
    return held


def _stores(arguments: argparse.Namespace) -> int:
    for store in _account(arguments).stores():
        print(f"{store['id']}  {store['name']}")
    return 0


def _issue(arguments: argparse.Namespace) -> int:
    if not arguments.show and not arguments.out:
        raise ValueError("where should the key go? --out FILE writes it for you alone, --show prints it")
    if arguments.out and os.path.exists(arguments.out):
        raise ValueError(f"{arguments.out} is there already, and is not written over")
    if arguments.copy_of and arguments.first:
        raise ValueError("--copy-of names the store whose key is the opener, and --first says there is none: give one of them")
    order = {"opener": _opener(arguments), "label": arguments.label, "level": arguments.level, "copy_of": arguments.copy_of}
    account = _account(arguments)
    key = account.issue(arguments.store, **order)
    # A key goes nowhere but to the service that issued it, unless its owner says so.
    endpoint = arguments.endpoint or account.endpoint
    text = config_for(arguments.print_config, endpoint, key.text) if arguments.print_config else f"{key.text}\n"
    if arguments.out:
        write_private(arguments.out, text)
        print(f"written to {arguments.out}, readable by you alone", file=sys.stderr)
    if arguments.show:
        sys.stdout.write(text)
    return 0


def _list(arguments: argparse.Namespace) -> int:
    for key in _account(arguments).keys(arguments.store):
        state = "revoked" if key["revoked_at"] else key["level"]
        print(f"{key['key_id']}  {state:18}  {key['made']:9}  {key['last_used_at'] or 'never opened':26}  {key['label']}")
    return 0


def _revoke(arguments: argparse.Namespace) -> int:
    if _account(arguments).revoke(arguments.store, arguments.key_id):
        print("That was the store's last key: what is in it cannot be opened any more.", file=sys.stderr)
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    digests = read_digests(Path(arguments.digests).read_bytes(), Path(arguments.signature).read_text(encoding="ascii"), RELEASE_KEY)
    if digests is None:
        print(f"{arguments.digests} is not signed by the release key: do not use what it names", file=sys.stderr)
        return 1
    names = names_of(digests, Path(arguments.file).read_bytes())
    if not names:
        print(f"{arguments.file} is none of the files that {arguments.digests} names: do not use it", file=sys.stderr)
        return 1
    print(f"{arguments.file} is {', '.join(names)}, as signed by {fingerprint_of(RELEASE_KEY)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

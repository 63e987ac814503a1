"""Where the service is and which key opens it: arguments, then the environment, then a file.

| what | argument | environment | in the file |
| --- | --- | --- | --- |
| endpoint | url | KHIVE_URL | url |
| store key | key | KHIVE_KEY, DKE_KEY | key |
| the store expected | db | KHIVE_DB | db |

The file is JSON: the one named by `config` or KHIVE_CONFIG, else `khive/config.json` under XDG_CONFIG_HOME or `~/.config`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional

from .errors import KhiveError

DEFAULT_URL = "http://127.0.0.1:8787/request"


@dataclass(frozen=True)
class Settings:
    url: str
    key: str
    db: Optional[str]


def settings(
    url: Optional[str] = None, key: Optional[str] = None, db: Optional[str] = None, config: Optional[str] = None
) -> Settings:
    """The settings in force. Raises KhiveError where no key is given anywhere, or a named file cannot be read."""
    environment = os.environ
    stored = read_file(config or environment.get("KHIVE_CONFIG") or "")
    found_key = key or environment.get("KHIVE_KEY") or environment.get("DKE_KEY") or stored.get("key")
    if not found_key:
        raise KhiveError("no store key: give key=, set KHIVE_KEY, or write it into the configuration file")
    return Settings(
        url=url or environment.get("KHIVE_URL") or stored.get("url") or DEFAULT_URL,
        key=found_key,
        db=db or environment.get("KHIVE_DB") or stored.get("db"),
    )


def read_file(named: str) -> Dict[str, Any]:
    """The configuration file as data; {} where none is named and the default one does not exist."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    path = Path(named) if named else home / "khive" / "config.json"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named:
            raise KhiveError(f"configuration file {path} does not exist") from None
        return {}
    except (OSError, ValueError) as failure:
        raise KhiveError(f"configuration file {path} cannot be read: {failure}") from failure
    if not isinstance(stored, dict):
        raise KhiveError(f"configuration file {path} must hold a JSON object")
    return stored

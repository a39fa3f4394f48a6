"""The token for a service: from a file, from the environment, or from what `seatfast login` kept."""

import hashlib
import json
import os
import re
import stat
import sys
import time
from calendar import timegm
from pathlib import Path
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")
VARIABLE = "SEATFAST_BEARER"
BYTES_MAX = 1 << 16
STANDARD_PORTS = {"https": 443, "http": 80}


class BadToken(Exception):
    """A token that cannot be used; the message says why, without it."""


def find_token(path, url):
    """Returns the token of a file, else of the environment, else of the login; or None.

    It never comes from the command line, which others can read.
    """
    token, source = os.environ.get(VARIABLE, ""), VARIABLE
    if path:
        source = f"--bearer {path}"
        try:
            with open(path, encoding="ascii") as file:
                token = file.read(BYTES_MAX)
        except (OSError, ValueError) as fault:
            raise BadToken(
                f"{source}: {getattr(fault, 'strerror', None) or 'not a token'}"
            ) from None
    elif not token:
        token, source = kept_token(url), "the login"
        if token is None:
            return None
    token = token.strip()
    if not re.fullmatch(r"[!-~]{8,}", token):
        raise BadToken(f"{source}: not a token")
    parts = urlsplit(url or "")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise BadToken(f"{source}: a token must not be sent over plain http")
    return token


def folder():
    """Where `seatfast login` keeps what it knows; LoginStore.java looks in the same place."""
    chosen = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    if chosen.is_absolute():
        return chosen / "seatfast"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/seatfast"
    if sys.platform == "win32" and "APPDATA" in os.environ:
        return Path(os.environ["APPDATA"]) / "seatfast"
    return Path.home() / ".config/seatfast"


def in_one_form(url):
    """The same text for all ways to write a service's URL, as SafeUrl.java makes it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = parts.port if parts.port != STANDARD_PORTS.get(parts.scheme) else None
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"


def kept_token(url):
    """Returns the token of the login to a service, or None if there is none."""
    if not url:
        return None
    name = in_one_form(url)
    file = folder() / f"login-{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"
    try:
        refuse_if_not_private(file)
        with open(file, encoding="utf-8") as opened:
            kept = json.loads(opened.read(BYTES_MAX))
        token, end = kept["token"], kept.get("expiresAt")
        if kept["url"] != name or not isinstance(token, str):
            raise ValueError
        ended = end and timegm(time.strptime(end[:19], "%Y-%m-%dT%H:%M:%S")) < time.time()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise BadToken(f"cannot read {file}; log in again") from None
    if ended:
        raise BadToken(f"the login has ended; seatfast whoami --url {name} renews it if it can")
    return token


def refuse_if_not_private(file):
    if os.name != "posix":
        return  # a user's folder is private there anyway
    if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadToken(
            f"others can read {file}, so it is not used; revoke its token, or chmod 600 it"
        )
    if file.parent.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise BadToken(f"others can write to {file.parent}; chmod 700 it")

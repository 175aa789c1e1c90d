"""Who may use a server: the addresses it answers to, the token, and sessions that carry both."""

from __future__ import annotations

import base64
import hmac
import ipaddress
import json
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from urllib.parse import urlsplit

from regreact.errors import ConfigError

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
# A random token of 16 hexadecimal digits cannot be found by trying over a network.
SHORTEST_TOKEN = 16
SESSION_SECONDS = 12 * 3600
LONGEST_NAME = 60
# Environment variable that may hold the token; options stand in the list of processes for all to read.
TOKEN_VARIABLE = "REGREACT_TOKEN"


@dataclass(frozen=True, slots=True)
class Session:
    """What a browser's cookie says; signed, so that only this process can have written it.

    Attributes:
        nonce: Random, one a browser.
        reviewer: Name under which decisions are kept, "" where nobody has given one.
        allowed: True if the token was given, or none is needed.
        since: Seconds since 1970.
    """

    nonce: str
    reviewer: str = ""
    allowed: bool = False
    since: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """Rules of one server; `access` makes them.

    Attributes:
        host: Address it binds to.
        port: Port it listens on.
        token: What a client must present, None if none is needed.
        names: Host names that requests may name beside IP addresses.
        reviewer: Name that new sessions start with.
        secret: Key of the signatures, new in every process.
    """

    host: str
    port: int
    token: str | None = field(default=None, repr=False)
    names: frozenset[str] = LOOPBACK_NAMES
    reviewer: str = ""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    @property
    def cookie(self) -> str:
        """Name of the session cookie: servers on other ports of a host share its cookies."""
        return f"regreact_{self.port}"

    def serves(self, host_header: str | None) -> bool:
        """Return whether a request names this server.

        A page of another site whose name was made to point here (DNS rebinding) names its own host. An IP address
        cannot be made to point elsewhere, so that a server open to the network answers to any.
        """
        name = host_name(host_header or "")
        return name in self.names or (not is_loopback(self.host) and is_address(name))

    def knows(self, token: str | None) -> bool:
        """Compare a token in constant time; True for any if none is needed."""
        if self.token is None:
            return True
        return token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def new_session(self) -> Session:
        """Return the session of a browser that has none."""
        return Session(secrets.token_hex(16), self.reviewer, self.token is None, int(time.time()))

    def seal(self, session: Session) -> str:
        """Return a session as the value of a cookie."""
        told = [session.nonce, session.reviewer, session.allowed, session.since]
        body = base64.urlsafe_b64encode(json.dumps(told).encode()).decode()
        return f"{body}.{self._sign('session', body)}"

    def open(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie, None if this process did not write it or it is too old."""
        body, _, signature = (cookie or "").partition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("session", body).encode()):
            return None
        session = Session(*json.loads(base64.urlsafe_b64decode(body)))
        return session if time.time() - session.since < SESSION_SECONDS else None

    def csrf(self, session: Session) -> str:
        """Return the word that forms of this session carry; other sites cannot read it."""
        return self._sign("csrf", session.nonce)

    def is_csrf(self, session: Session, word: str | None) -> bool:
        """Compare the word of a form in constant time."""
        return hmac.compare_digest((word or "").encode(), self.csrf(session).encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self.secret, f"{purpose}:{text}".encode(), sha256).hexdigest()


def access(host: str, port: int, token: str | None, names: Iterable[str] = (), reviewer: str = "") -> Access:
    """Return the rules of a server.

    Args:
        host: Address to bind to.
        port: Port it listens on.
        token: What clients must present; needed unless the address is of this machine alone.
        names: Further host names that it is reached by.
        reviewer: Name that decisions are kept under.

    Raises:
        ConfigError: The address is open to others and there is no token, or the token is too short.
    """
    if token is None and not is_loopback(host):
        raise ConfigError(f"--host {host} is open to other machines: give --token (or REGREACT_TOKEN), or 127.0.0.1")
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise ConfigError(
            f"--token is shorter than {SHORTEST_TOKEN} characters: take a random one, such as "
            "`python -c 'import secrets; print(secrets.token_hex(16))'` gives"
        )
    known = LOOPBACK_NAMES | {name.lower() for name in (host, *names)}
    return Access(host, port, token, known, reviewer_name(reviewer) if reviewer else "")


def reviewer_name(text: str) -> str:
    """Return a reviewer's name without surrounding white space.

    Raises:
        ConfigError: It is empty, longer than 60 characters or holds unprintable ones.
    """
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigError(f"a reviewer's name has 1 to {LONGEST_NAME} printable characters")
    return name


def named(session: Session, reviewer: str) -> Session:
    """Return a session under another name."""
    return replace(session, reviewer=reviewer_name(reviewer))


def host_name(header: str) -> str:
    """Return the host of a Host header or origin without port, in lower case; "" if it is malformed."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Return whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return whether an address is reached from this machine only."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)

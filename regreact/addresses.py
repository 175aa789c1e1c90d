"""Addresses of services: https only, plain http on the own machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from regreact.errors import ConfigError


def is_loopback(host: str) -> bool:
    """True if a host is this machine.

    Example:
        >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("example.org")
        (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def service_address(url: str) -> str:
    """Return the address of a service without a closing slash.

    Raises:
        ConfigError: It is no https address (nor http on this machine), or holds a password, query or fragment.

    Example:
        >>> service_address("https://publications.europa.eu/")
        'https://publications.europa.eu'
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigError(f"{url!r} is no address: {error}") from None
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))):
        raise ConfigError(f"{url!r} is no address of a service: https://… is needed (http only on this machine)")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(f"the address of {host} must hold no user, password, query or fragment")
    return url.rstrip("/")

"""Finds a secret in whatever a run leaves behind, also in other spellings."""

from __future__ import annotations

import base64
import gzip
import zlib
from pathlib import Path
from urllib.parse import quote

# With characters that every encoding spells differently.
CANARY = "sk-canary/7Q+x=9&%~4f0c2b"


def spellings(secret: str) -> list[bytes]:
    """Return a secret plain, quoted as in URLs and JSON, in hexadecimal and in base64 at each of its three offsets."""
    plain = secret.encode()
    made = {plain, quote(secret).encode(), quote(secret, safe="").encode(), plain.hex().encode(), secret[::-1].encode()}
    made |= {secret.replace("/", "\\/").encode(), secret.replace("&", "&amp;").encode(), secret.encode("utf-16-le")}
    for offset in range(3):
        for code in (base64.b64encode, base64.urlsafe_b64encode):
            # The first and last characters also hold bits of what stands beside.
            made.add(code(b"x" * offset + plain)[4 if offset else 0 : -4])
    return sorted(made)


def holding(folder: Path, secret: str = CANARY) -> list[str]:
    """Return the files below a folder, by content or name, that hold a secret; packed files are looked into."""
    wanted = spellings(secret)
    found = []
    for path in sorted(folder.rglob("*")):
        data = str(path).encode() + (b"\n" + unpacked(path.read_bytes()) if path.is_file() else b"")
        if any(w in data for w in wanted):
            found.append(str(path.relative_to(folder)))
    return found


def unpacked(data: bytes) -> bytes:
    """Return data, with its content behind it if it is packed."""
    for unpack in (gzip.decompress, zlib.decompress):
        try:
            return data + unpack(data)
        except (OSError, EOFError, zlib.error):
            continue
    return data

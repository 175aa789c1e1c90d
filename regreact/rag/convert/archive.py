"""Archives of Formex files as Cellar delivers them, read in memory; nothing is ever extracted to disk."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass

from regreact.errors import DocumentRefusedError, SourceFormatError
from regreact.rag.convert.limits import LIMITS, Limits, check_size, refusal

_SIGNATURE = b"PK\x03\x04"
_DIRECTORY_ENTRY = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Absolute, with a drive, or with a step out of the archive.
_OUTSIDE = re.compile(r"[/\\]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)")
_ENCRYPTED = 0x1
# Small members may pack well by chance; only what is large when unpacked needs a ratio.
_SMALL = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: its name within the archive and its bytes."""

    name: str
    data: bytes


def is_archive(data: bytes) -> bool:
    """Tell whether the bytes are a zip archive."""
    return data.startswith((_SIGNATURE, b"PK\x05\x06"))


def read_archive(name: object, data: bytes, *, suffix: str = ".xml", limits: Limits = LIMITS) -> list[Member]:
    """Return the files of an archive that end in `suffix`, in the order of their names.

    Args:
        name: The archive, for messages.
        data: Its bytes.
        suffix: Which files to unpack; the others are counted and left packed.
        limits: What is allowed.

    Raises:
        DocumentRefusedError: Too large, too many files, too much expansion, names that leave the archive, an archive
            within the archive, encrypted files or an unusual compression.
        SourceFormatError: Cut off or damaged (a size or checksum that is not true), or without such a file.
    """
    check_size(name, len(data), limits=limits)
    # Before the directory is read: its entries alone can fill the memory.
    entries = data.count(_DIRECTORY_ENTRY)
    if entries > limits.members:
        raise refusal(name, f"{entries:,} files in the archive", f"{limits.members:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = _wanted(name, archive, suffix, limits)
            return _unpack(name, archive, wanted, limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError) as error:
        raise SourceFormatError(name, f"damaged archive: {error}", "download it again; it may be cut off") from error


def _wanted(name: object, archive: zipfile.ZipFile, suffix: str, limits: Limits) -> list[zipfile.ZipInfo]:
    """Check the directory of an archive; return the entries to unpack, by name."""
    wanted: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        if _OUTSIDE.match(info.filename) or "\0" in info.orig_filename:
            raise DocumentRefusedError(
                name, f"member {info.filename!r} has a name outside the archive", "get the archive from Cellar again"
            )
        if info.filename.lower().endswith(".zip"):
            raise DocumentRefusedError(
                name, f"member {info.filename!r} is an archive; 0 levels allowed", "unpack it and give it alone"
            )
        if not info.filename.lower().endswith(suffix):
            continue
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
            raise DocumentRefusedError(
                name, f"member {info.filename!r} is encrypted or of an unusual compression", "pack it with deflate"
            )
        if info.filename in wanted:
            raise SourceFormatError(name, f"member {info.filename!r} stands twice", "pack it again")
        if info.file_size > _SMALL and info.file_size > limits.expansion * info.compress_size:
            raise refusal(
                name,
                f"member {info.filename!r} expands {info.file_size // max(info.compress_size, 1):,}-fold",
                f"{limits.expansion}-fold",
            )
        wanted[info.filename] = info
    if not wanted:
        raise SourceFormatError(name, f"no {suffix} file in the archive", "give an archive of Formex files")
    return [wanted[key] for key in sorted(wanted)]


def _unpack(name: object, archive: zipfile.ZipFile, wanted: list[zipfile.ZipInfo], limits: Limits) -> list[Member]:
    """Read entries one after another; what the directory says of their sizes is not believed."""
    left = limits.expanded_bytes
    members: list[Member] = []
    for info in wanted:
        if info.file_size > left:
            raise refusal(name, f"more than {limits.expanded_bytes:,} bytes unpacked", f"{limits.expanded_bytes:,}")
        with archive.open(info) as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise refusal(name, f"more than {limits.expanded_bytes:,} bytes unpacked", f"{limits.expanded_bytes:,}")
        if is_archive(content):
            raise DocumentRefusedError(
                name, f"member {info.filename!r} is an archive; 0 levels allowed", "unpack it and give it alone"
            )
        check_size(f"{name}!{info.filename}", len(content), limits=limits)
        members.append(Member(info.filename, content))
    return members

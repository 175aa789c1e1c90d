"""Files of a saved index: `index.json` and `vectors.npz`, read as data from anywhere.

Nothing is unpickled. Arrays are measured before they are allocated, and belong to the JSON by their hash, so that a
write that was cut off between the two is noticed.
"""

from __future__ import annotations

import hashlib
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from regreact.errors import DocumentRefusedError, OutputError, RegReActError, StoreError
from regreact.files import write_whole
from regreact.rag.passages import Chunk

HEAD, ARRAYS = "index.json", "vectors.npz"
MAX_BYTES = 2 << 30  # of either file
AGAIN = "delete the folder and index again"


class SavedChunk(BaseModel):
    """A chunk in JSON."""

    model_config = ConfigDict(extra="forbid", strict=True)

    act: str
    addresses: list[str]
    context: str
    text: str

    def chunk(self) -> Chunk:
        """Return the chunk."""
        return Chunk(self.act, tuple(self.addresses), self.context, self.text)


class SavedIndex(BaseModel):
    """Head of a saved index.

    Attributes:
        version: Of the files and of what the arrays mean.
        encoder: Name of the encoder that made the vectors.
        content: Hash of the chunks.
        hnsw_above: Number of tokens above which candidates come from an HNSW graph.
        chunks: What is indexed.
        arrays: Hash of the file of arrays, set when it is written.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    version: int
    encoder: str
    content: str
    hnsw_above: int
    chunks: list[SavedChunk]
    arrays: str = ""


def write_index(folder: Path, saved: SavedIndex, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write both files, each at once, the head last.

    Raises:
        StoreError: The folder cannot be written.
    """
    try:
        write_whole(folder / ARRAYS, lambda file: np.savez(file, allow_pickle=False, **arrays))
        head = saved.model_copy(update={"arrays": _sha256(folder / ARRAYS)})
        write_whole(folder / HEAD, head.model_dump_json().encode())
    except (OSError, OutputError) as error:
        raise StoreError(f"{folder}: the index cannot be written: {error}") from None


def read_index(folder: Path, version: int, encoder: str) -> tuple[SavedIndex, dict[str, NDArray[Any]]]:
    """Read both files.

    Raises:
        StoreError: A file is missing, damaged, of another version or encoder, or does not belong to the other.
        DocumentRefusedError: A file exceeds the size limit or claims arrays larger than it holds.
    """
    head = folder / HEAD
    try:
        saved = SavedIndex.model_validate_json(_limited(head).read_bytes())
    except OSError as error:
        raise StoreError(f"{head}: there is no index to open: {error.strerror or error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise StoreError(f"{head}: no index of this program: {place}: {first['msg']}; {AGAIN}") from None
    if saved.version != version:
        raise StoreError(f"{head}: written in version {saved.version}, this program reads {version}; {AGAIN}")
    if saved.encoder != encoder:
        raise StoreError(f"{head}: built with encoder {saved.encoder}, asked for is {encoder}; {AGAIN}")
    packed = folder / ARRAYS
    try:
        if _sha256(_limited(packed)) != saved.arrays:
            raise StoreError(f"{packed}: does not belong to {HEAD} beside it; {AGAIN}")
        return saved, _read_arrays(packed)
    except RegReActError:
        raise
    except Exception as error:  # what zipfile and numpy's reader of headers raise on damage is not of one kind
        raise StoreError(f"{packed}: the arrays of the index cannot be read: {error}; {AGAIN}") from None


def _read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
            raise DocumentRefusedError(path, f"unpacks to more than {MAX_BYTES >> 20} MiB", AGAIN)
        for member in archive.infolist():
            _measure(archive, member, path)
    with np.load(path, allow_pickle=False) as loaded:
        return {name: loaded[name] for name in loaded.files}


def _measure(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    """Refuse an array whose header claims more than the file holds: numpy allocates by the header."""
    with archive.open(member) as file:
        major, _ = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(file)
    if dtype.hasobject:
        raise DocumentRefusedError(path, f"{member.filename} holds Python objects, which are not read", AGAIN)
    if math.prod(shape) * dtype.itemsize > member.file_size:
        raise DocumentRefusedError(path, f"{member.filename} claims {shape} values and holds fewer", AGAIN)


def _limited(path: Path) -> Path:
    if path.stat().st_size > MAX_BYTES:
        raise DocumentRefusedError(path, f"larger than {MAX_BYTES >> 20} MiB", AGAIN)
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""Extractions taken over from an earlier version of an act: a section that an amendment leaves alone stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from regreact.errors import ConfigError
from regreact.files import real
from regreact.schema import Extraction, SourceInfo, Usage, unit_file_name

if TYPE_CHECKING:
    from regreact.manifest import ManifestLine
    from regreact.sources.model import Unit


@dataclass(frozen=True, slots=True)
class EarlierVersion:
    """The extractions of an earlier version of a document.

    Attributes:
        folder: `OUT/<document>`.
        document: Id of that version.
        lines: Its manifest lines by unit key.
    """

    folder: Path
    document: str
    lines: Mapping[str, ManifestLine]

    def extraction(self, unit: Unit, digest: str, config: str) -> Extraction | None:
        """Return the extraction of a unit whose content this version has too, as that of the unit's own document.

        Args:
            unit: The unit of the later version.
            digest: Its input hash, had it stood in this version: equal hashes mean equal content.
            config: Hash of the configuration now.
        """
        line = self.lines.get(unit.key)
        if line is None or line.status not in ("done", "kept"):
            return None
        if (line.input_hash, line.config_hash) != (digest, config) or line.file is None:
            return None
        try:
            # Where it belongs, whatever the line says: a folder may come from anybody.
            found = Extraction.model_validate_json((self.folder / unit_file_name(unit.key)).read_bytes())
        except (OSError, ValidationError):
            return None
        source = SourceInfo(document=unit.document, sha256=unit.sha256, format=unit.format)
        # Nothing was spent on this document.
        return found.model_copy(update={"source": source, "usage": Usage()})


def earlier_version(folder: Path) -> EarlierVersion:
    """Return the extractions of `OUT/<document>` as far as the manifest of OUT tells them.

    Raises:
        ConfigError: The folder is not that of a document of an output folder.
    """
    from regreact.manifest import MANIFEST, read_manifest  # noqa: PLC0415

    folder = real(folder)
    lines = {unit: line for (document, unit), line in read_manifest(folder.parent).items() if document == folder.name}
    if not lines or not folder.is_dir():
        problem = f"no extractions that {folder.parent / MANIFEST} lists"
        raise ConfigError(f"--since {folder}: {problem}: give OUT/<document> of an earlier `regreact extract`")
    return EarlierVersion(folder, folder.name, lines)

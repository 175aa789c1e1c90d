"""Reader for a bare HTML fragment: one unit, with the section it holds."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from regreact.errors import SourceFormatError
from regreact.sources.html_blocks import html_blocks
from regreact.sources.model import OBJECTIVES, Document, Unit


def read_html(path: Path, data: bytes, sha256: str) -> Document:
    """Read an HTML fragment as the unit `<file stem>/SC`.

    Args:
        path: The file; its stem is the document id and names the unit.
        data: Content of the file, in UTF-8.
        sha256: Hex digest of `data`.

    Returns:
        A document with one unit. The objective follows from a stem such as `CCM-4.29-paper`, else it is "".

    Raises:
        SourceFormatError: The file is not UTF-8, cannot be parsed, or holds no text.
    """
    stem = path.stem
    try:
        blocks, footnotes = html_blocks(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SourceFormatError(path, "not UTF-8 text", "save the fragment as UTF-8") from error
    except (etree.LxmlError, ValueError) as error:
        raise SourceFormatError(path, f"not readable as HTML: {error}", "check the markup") from error
    if not blocks:
        raise SourceFormatError(path, "no text in the fragment", "put the criteria into <p> and <li>")
    unit = Unit(
        key=f"{stem}/SC",
        activity="",
        objective=OBJECTIVES.get(stem.partition("-")[0], ""),
        section="SC",
        document=stem,
        sha256=sha256,
        format="html",
        blocks=blocks,
        footnotes=footnotes,
    )
    return Document(stem, sha256, "html", (unit,))

"""Writes the JSON Schemas to `data/schema/`: `python -m regreact.schema_export`."""

from __future__ import annotations

import json
from pathlib import Path

from regreact.config import data_dir
from regreact.schema import json_schemas


def rendered() -> dict[str, str]:
    """Return the text of each schema file by name."""
    return {name: json.dumps(schema, indent=1) + "\n" for name, schema in json_schemas().items()}


def export(folder: Path) -> None:
    """Write all schema files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in rendered().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    export(data_dir("schema"))

"""Page of the API made from its OpenAPI description, with nothing loaded from elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response

from regreact.app.pages import render


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation."""

    name: str
    place: str
    required: bool
    description: str
    kind: str
    choices: tuple[str, ...]
    default: str
    example: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A path with a method."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    tag: str
    parameters: tuple[Parameter, ...]
    body: str | None
    body_note: str
    responses: tuple[tuple[str, str, str], ...]


def add_docs(app: FastAPI) -> None:
    """Give an API its page at `/docs`."""

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> Response:
        described = app.openapi()
        found = operations(described)
        tags = list(dict.fromkeys(o.tag for o in found))
        schemas = {
            name: json.dumps(schema, ensure_ascii=False, indent=1)
            for name, schema in sorted(described["components"]["schemas"].items())
        }
        return render(
            request, "docs.html", about=app.description, version=app.version, operations=found, tags=tags,
            schemas=schemas,
        )  # fmt: skip


def operations(described: dict[str, Any]) -> list[Operation]:
    """Return the operations of an OpenAPI description."""
    paths = described["paths"].items()
    return [_operation(path, method, told) for path, methods in paths for method, told in methods.items()]


def _operation(path: str, method: str, told: dict[str, Any]) -> Operation:
    body = told.get("requestBody")
    examples = [c.get("example") for c in body["content"].values()] if body else []
    return Operation(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        summary=told.get("summary", ""),
        description=told.get("description", ""),
        tag=(told.get("tags") or ["other"])[0],
        parameters=tuple(_parameter(p) for p in told.get("parameters", ())),
        body=next((str(e) for e in examples if e), "") if body else None,
        body_note=body.get("description", "") if body else "",
        responses=tuple((code, r.get("description", ""), _schema_name(r)) for code, r in told["responses"].items()),
    )


def _parameter(told: dict[str, Any]) -> Parameter:
    schema = told.get("schema", {})
    kinds = [schema, *schema.get("anyOf", ())]
    # `required` of an optional list is that of its entries.
    choices = next((k["enum"] for k in kinds if "enum" in k), ())
    kind = next((k["type"] for k in kinds if k.get("type") not in (None, "null")), "string")
    default = schema.get("default")
    examples = schema.get("examples") or [""]
    example = examples[0][0] if isinstance(examples[0], list) else examples[0]
    return Parameter(
        name=told["name"],
        place=told["in"],
        required=told.get("required", False),
        description=told.get("description") or schema.get("description", ""),
        kind=kind,
        choices=tuple(str(c) for c in choices),
        default="" if default is None else str(default),
        example=str(example),
    )


def _schema_name(response: dict[str, Any]) -> str:
    for content in response.get("content", {}).values():
        return str(content.get("schema", {}).get("$ref", "")).rpartition("/")[2]
    return ""

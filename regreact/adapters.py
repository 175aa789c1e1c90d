"""How questions are put to a model and its replies are read, where DSPy's own adapters fall short."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

import dspy


class XMLAdapter(dspy.XMLAdapter):
    """DSPy's adapter, but records that may be null and records of several kinds are read by their schema.

    DSPy 3.4 follows neither a reference inside a nullable field nor a discriminated union, so that lists inside
    `threshold`, `references` and `dependencies` come back as mappings and are refused.
    """

    @classmethod
    def _elements_to_value(cls, elements: list[Element], schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
        return super()._elements_to_value(elements, _concrete(elements[0], schema, definitions), definitions)

    @classmethod
    def _schema_to_xml(cls, tag: str, schema: dict[str, Any], definitions: dict[str, Any], seen: frozenset[str]) -> str:
        if kinds := schema.get("oneOf"):
            properties: dict[str, Any] = {}
            for kind in kinds:
                properties.update(definitions[_name(kind)]["properties"])
            schema = {"type": "object", "properties": properties}
        shown: str = super()._schema_to_xml(tag, schema, definitions, seen)
        return shown


def _name(schema: dict[str, Any]) -> str:
    """Return the name of the definition that a schema refers to."""
    return str(schema["$ref"]).rpartition("/")[2]


def _concrete(element: Element, schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Follow references, nullable fields and discriminated unions to the schema that an element is written in."""
    while True:
        kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
        empty = not len(element) and not (element.text or "").strip()
        if "$ref" in schema:
            schema = definitions[_name(schema)]
        elif len(kinds) == 1 and not empty:
            schema = kinds[0]
        elif "discriminator" in schema:
            union = schema["discriminator"]
            kind = union["mapping"].get(element.findtext(union["propertyName"], "").strip())
            if kind is None:
                return schema
            schema = {"$ref": kind}
        else:
            return schema

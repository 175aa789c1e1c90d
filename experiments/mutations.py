"""Ways to damage a document: what `mutate.py` does to real files. Every one is drawn from a seeded generator."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import lxml.html
from lxml import etree


@dataclass(frozen=True)
class Mutant:
    """A damaged document.

    Attributes:
        how: Name of the mutation.
        data: The damaged bytes.
        shows: Bytes whose words a reader must return or tell the loss of: the damaged ones, or those before a change
            of encoding; None where nobody can say what the file shows.
    """

    how: str
    data: bytes
    shows: bytes | None


Mutation = Callable[[bytes, random.Random], tuple[bytes, bytes | None]]


# --- bytes and encodings ----------------------------------------------------------------------------------


def truncate(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    return data[: rng.randrange(len(data))], None


def corrupt(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    out = bytearray(data)
    for _ in range(rng.choice((1, 10, 200))):
        out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out), None


def cut_out(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(1, 5000) :], None


def with_nul(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    at = rng.randrange(len(data))
    return data[:at] + b"\0" + data[at:], None


def in_utf16(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-16-le", "utf-16-be"))), data


def in_latin1(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    return data.decode("utf-8", "replace").encode("latin-1", "xmlcharrefreplace"), data


def with_bom(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    return b"\xef\xbb\xbf" * rng.choice((1, 1, 2)) + data, data


def with_crlf(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    return data.replace(b"\r\n", b"\n").replace(b"\n", rng.choice((b"\r\n", b"\r"))), data


def with_entities(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    """Write letters in text as numbers: the same document."""
    text = data.decode("utf-8", "replace")
    return re.sub(r"(?<=\w)[aeiou](?=\w+[^<>]*<)", lambda m: f"&#{ord(m[0])};", text).encode(), data


def with_unseen(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    """Put characters that show nothing into words of the text."""
    char = rng.choice("\u00ad\u200b\u2060")
    text = data.decode("utf-8", "replace")
    return re.sub(r"(?<=[a-z]{2})(?=[a-z]{2}[a-z ]+ [^<>\"]*<)", char, text, count=2000).encode(), data


BYTES: tuple[Mutation, ...] = (
    truncate, corrupt, cut_out, with_nul, in_utf16, in_latin1, with_bom, with_crlf, with_entities, with_unseen,
)  # fmt: skip


# --- elements ---------------------------------------------------------------------------------------------


def parse(data: bytes) -> etree._Element:
    """Return the root of a page or act, or a section around a fragment; damaged markup is read as far as it goes."""
    if re.search(rb"<\?xml|<html|<!DOCTYPE", data[:500]):
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
    return lxml.html.fragment_fromstring(data.decode("utf-8", "replace"), create_parent="section")


def written(root: etree._Element) -> bytes:
    """Return the bytes of a tree: XML, or a fragment without the section around it."""
    if isinstance(root, lxml.html.HtmlElement):
        return bytes(lxml.html.tostring(root, encoding="utf-8"))
    return bytes(etree.tostring(root, encoding="utf-8", xml_declaration=True))


def _draw(root: etree._Element, rng: random.Random) -> etree._Element:
    """Return an element somewhere below the root; deep ones are as likely as high ones."""
    elements = [e for e in root.iter() if isinstance(e.tag, str) and e.getparent() is not None]
    wanted = rng.choice(sorted({len(list(e.iterancestors())) for e in rng.sample(elements, min(60, len(elements)))}))
    return rng.choice([e for e in elements if len(list(e.iterancestors())) == wanted] or elements)


def drop(e: etree._Element, rng: random.Random) -> None:
    e.getparent().remove(e)


def duplicate(e: etree._Element, rng: random.Random) -> None:
    e.addnext(copy.deepcopy(e))


def swap(e: etree._Element, rng: random.Random) -> None:
    other = e.getnext()
    if other is not None:
        other.addnext(e)


def nest(e: etree._Element, rng: random.Random) -> None:
    """Put an element into as many of its own kind."""
    parent, inner = e.getparent(), e
    at = parent.index(e)
    for _ in range(rng.choice((1, 3, 40))):
        outer = etree.Element(e.tag, dict(e.attrib))
        outer.append(inner)
        inner = outer
    parent.insert(at, inner)


def unwrap(e: etree._Element, rng: random.Random) -> None:
    """Leave out an element and keep what is in it."""
    parent, at = e.getparent(), e.getparent().index(e)
    words = etree.Element(e.tag)
    words.text = e.text
    for n, child in enumerate(([words] if (e.text or "").strip() else []) + list(e)):
        parent.insert(at + n, child)
    parent.remove(e)


def rename(e: etree._Element, rng: random.Random) -> None:
    e.tag = rng.choice(("P", "p", "LIST", "ol", "li", "ITEM", "NP", "TBL", "table", "div", "UNKNOWN", "NOTE", "span"))


def other_namespace(e: etree._Element, rng: random.Random) -> None:
    e.tag = f"{{urn:x-other}}{etree.QName(e).localname}"


def move(e: etree._Element, rng: random.Random) -> None:
    """Put an element into one that stands somewhere before it."""
    places = [p for p in e.itersiblings(preceding=True) if isinstance(p.tag, str)] or [e.getparent()]
    rng.choice(places).append(e)


def no_attributes(e: etree._Element, rng: random.Random) -> None:
    for name in list(e.attrib):
        del e.attrib[name]


def no_text(e: etree._Element, rng: random.Random) -> None:
    e.text = None


ELEMENTS = (drop, duplicate, swap, nest, unwrap, rename, other_namespace, move, no_attributes, no_text)


def of_markup(change: Callable[[etree._Element, random.Random], None]) -> Mutation:
    def mutation(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
        root = parse(data)
        for _ in range(rng.choice((1, 1, 3))):
            change(_draw(root, rng), rng)
        out = written(root)
        # What stands twice need not be read twice.
        return out, data if change is duplicate else out

    mutation.__name__ = change.__name__
    return mutation


# --- JSON -------------------------------------------------------------------------------------------------


def of_json(data: bytes, rng: random.Random) -> tuple[bytes, bytes | None]:
    """Drop, repeat, swap, nest or retype a value somewhere in the document."""
    content = json.loads(data)
    done = [_spoil(content, rng) for _ in range(rng.choice((1, 1, 3)))]
    out = json.dumps(content, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    # What stands twice need not be read twice.
    return out, out if "repeat" not in done else data if done == ["repeat"] else None


def _spoil(value: Any, rng: random.Random) -> str:
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return ""
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and rng.random() < 0.8:
        return _spoil(value[key], rng)
    how = rng.choice(("drop", "retype", "nest", "repeat", "blank", "surrogate"))
    if how == "drop":
        del value[key]
    elif how == "retype":
        value[key] = rng.choice((None, 7, True, [], {}, 1e308))
    elif how == "nest":
        value[key] = [value[key]]
    elif how == "blank":
        value[key] = ""
    elif how == "surrogate":
        value[key] = "<p>\ud800 kiln</p>"
    elif isinstance(value, list):
        value.append(copy.deepcopy(value[key]))
    else:
        value[f"{key}_"] = copy.deepcopy(value[key])
    return how


def mutations(kind: str) -> tuple[Mutation, ...]:
    """Return the mutations for a kind of file: `markup`, `json` or `bytes`."""
    if kind == "markup":
        return (*BYTES, *(of_markup(change) for change in ELEMENTS))
    return (*BYTES[:-2], *(of_json,) * 6) if kind == "json" else BYTES[:4]

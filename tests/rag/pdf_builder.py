"""A minimal PDF writer: text in a fixed-width font, rules, and raw objects for files that break the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT = 595, 842
ADVANCE = 0.6  # width of every character of Courier, as a multiple of the size
FONTS = {"regular": "Courier", "bold": "Courier-Bold", "italic": "Courier-Oblique"}


@dataclass
class PageDrawing:
    """What one page draws; places are points from the left and from the top."""

    operators: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, size: float = 8, font: str = "regular", spacing: float = 0) -> None:
        """Set a line with its baseline at `y`."""
        name = f"F{list(FONTS).index(font)}"
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.operators.append(f"BT /{name} {size} Tf {spacing:.4f} Tw {x} {HEIGHT - y} Td ({escaped}) Tj ET")

    def column(self, x: float, y: float, lines: Sequence[str], width: float = 240, leading: float = 10) -> None:
        """Set lines below one another, all but the last justified to `width`; spaces at a line's start indent it."""
        for i, line in enumerate(lines):
            indent = (len(line) - len(line.lstrip())) * 8 * ADVANCE
            words = line.strip()
            room = width - indent - len(words) * 8 * ADVANCE
            spacing = room / words.count(" ") if i < len(lines) - 1 and " " in words else 0
            self.text(x + indent, y + i * leading, words, spacing=spacing)

    def centred(self, x0: float, x1: float, y: float, text: str, font: str = "bold", size: float = 8) -> None:
        """Set a line in the middle between two edges."""
        self.text((x0 + x1 - len(text) * size * ADVANCE) / 2, y, text, size, font)

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a straight line."""
        self.operators.append(f"0.3 w {x0} {HEIGHT - y0} m {x1} {HEIGHT - y1} l S")

    def marker(self, x: float, y: float, number: str) -> float:
        """Set "(n)" with a raised small number, as the Journal does with a space below it; return where text goes on."""
        self.text(x, y, "(", 8)
        self.text(x + 4.8, y - 2.5, " ", 3)
        self.text(x + 4.8, y - 2.5, number, 5)
        self.text(x + 4.8 + 3 * len(number), y, ")", 8)
        return x + 9.6 + 3 * len(number)


    def turn(self) -> None:
        """Set the page sideways: what ran across it runs up it."""
        self.operators = [f"q 0 1 -1 0 {WIDTH} 0 cm", *self.operators, "Q"]


def write(pages: Sequence[PageDrawing]) -> bytes:
    """Return a PDF of the pages."""
    fonts = {f"F{i}": f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>" for i, name in enumerate(FONTS.values())}
    resources = "/Resources << /Font << " + " ".join(f"/{key} {value}" for key, value in fonts.items()) + " >> >>"
    objects: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}
    kids = []
    for i, page in enumerate(pages):
        number = 3 + 2 * i
        kids.append(f"{number} 0 R")
        objects[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] {resources} /Contents {number + 1} 0 R >>".encode()
        )
        objects[number + 1] = stream("\n".join(page.operators).encode("cp1252"))
    objects[2] = f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(kids)}] >>".encode()
    return assemble(objects)


def stream(content: bytes, entries: str = "") -> bytes:
    """Return a stream object."""
    return f"<< /Length {len(content)} {entries} >>\nstream\n".encode() + content + b"\nendstream"


def assemble(objects: Mapping[int, bytes], trailer: str = "") -> bytes:
    """Return a file of numbered objects with its table of places; object 1 is the catalogue."""
    parts, places, position = [b"%PDF-1.4\n"], {}, 9
    for number, body in sorted(objects.items()):
        places[number] = position
        parts.append(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
        position += len(parts[-1])
    size = max(objects) + 1
    table = "".join(f"{places[n]:010d} 00000 n \n" if n in places else "0000000000 65535 f \n" for n in range(size))
    end = f"xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{position}\n%%EOF\n"
    return b"".join([*parts, end.encode()])

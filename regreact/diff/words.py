"""A difference in words."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from regreact.diff.model import CriterionChange, Difference, FieldChange, UnitChange

_SHORT = 120
# Words shown around a change of a text.
_CONTEXT = 3
_MARKS = {"added": "+", "removed": "-", "changed": "~"}


def render(difference: Difference) -> str:
    """Return a difference as text: activities, then sections with their criteria, then counts."""
    if difference.is_empty:
        return f"no difference in {_counted(difference.same, 'section', 'sections')}\n" + _failed(difference)
    lines = []
    for a in difference.activities:
        if a.change != "changed":
            lines.append(f"{_MARKS[a.change]} activity {a.activity} {a.title}")
        elif a.old_activity != a.activity:
            lines.append(f"~ activity {a.old_activity} is now {a.activity} {a.title}")
        if a.change == "changed" and a.old_title != a.title:
            lines.append(f"~ activity {a.activity} is now called {a.title!r}, was {a.old_title!r}")
    for unit in difference.units:
        lines.extend(_unit(unit))
    return "\n".join(lines) + "\n\n" + summary(difference)


def _unit(unit: UnitChange) -> Iterator[str]:
    before = f" (was {unit.old_unit})" if unit.old_unit not in (None, unit.unit) else ""
    if unit.change != "changed":
        count = _counted(len(unit.criteria), "criterion", "criteria")
        yield f"{_MARKS[unit.change]} {unit.unit} {unit.activity}: {count} {unit.change}"
        return
    yield f"{_MARKS[unit.change]} {unit.unit}{before} {unit.activity}".rstrip()
    for criterion in unit.criteria:
        yield from (f"    {line}" for line in _criterion(criterion))


def _criterion(criterion: CriterionChange) -> Iterator[str]:
    if criterion.change != "changed":
        name = criterion.new_id or criterion.old_id
        yield f"{_MARKS[criterion.change]} {name} {criterion.change}: {_short(criterion.text)}"
        return
    for field in criterion.fields:
        yield f"~ {criterion.new_id} {_field(field)}"


def _field(field: FieldChange) -> str:
    if field.aspect == "place":
        return f"moved: was {field.old}, is {field.new}"
    if field.aspect == "text":
        return f"text: {word_changes(field.old, field.new)}"
    if not field.old:
        return f"{field.aspect} added: {_short(field.new)}"
    if not field.new:
        return f"{field.aspect} removed: {_short(field.old)}"
    return f"{field.aspect}: {_short(field.old)} → {_short(field.new)}"


def word_changes(old: str, new: str) -> str:
    """Return the changed words of a text between those around them.

    Example:
        >>> word_changes("losses are below 5 % of the water used", "losses are below 4 % of the water used")
        '… losses are below [5 → 4] % of the …'
    """
    a, b = old.split(), new.split()
    parts = []
    for kind, i, k, j, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        before, after = " ".join(a[max(0, i - _CONTEXT) : i]), " ".join(a[k : k + _CONTEXT])
        was, now = _short(" ".join(a[i:k])), _short(" ".join(b[j:m]))
        change = f"[+ {now}]" if not was else f"[- {was}]" if not now else f"[{was} → {now}]"
        parts.append(" ".join(p for p in (before, change, after) if p))
    return f"… {' … '.join(parts)} …" if parts else "white space"


def summary(difference: Difference) -> str:
    """Return the counts of a difference as text."""
    counts = difference.summary()
    lines = [f"{difference.a} → {difference.b}"]
    for what in ("activities", "sections", "criteria"):
        lines.append(f"{what:<10}  " + ", ".join(f"{n} {name}" for name, n in counts[what].items()))
    if counts["fields"]:
        lines.append("fields      " + ", ".join(f"{n} {name}" for name, n in counts["fields"].items()))
    return "\n".join(lines) + "\n" + _failed(difference)


def _failed(difference: Difference) -> str:
    return "".join(f"failed: {line}\n" for line in difference.failed)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else line[:_SHORT].rsplit(" ", 1)[0] + " …"

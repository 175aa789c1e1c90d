"""The metrics again, from their definitions alone: slow, exact, and without any code of the package.

Design section 5 ("Scores") and paper appendix E.3. Trees are plain data; numbers are fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Tree = dict[str, Any]

FIELDS = (
    "criterion_id category applicability tags verbatim_text rule_summary evaluation_logic n_required threshold "
    "references dependencies sub_criteria footnotes"
).split()
LABELS = {
    "category": lambda n: n.get("category"),
    "applicability": lambda n: n.get("applicability"),
    "logic": lambda n: (n.get("evaluation_logic"), n.get("n_required")),
    "tags": lambda n: None if n.get("tags") is None else sorted(set(n["tags"])),
}


def listed(tree: Tree, above: Tree | None = None) -> list[tuple[Tree, Tree | None]]:
    """Return every node with the node above it, in document order."""
    found = [(tree, above)]
    for child in tree.get("sub_criteria") or ():
        found += listed(child, tree)
    return found


def common_run(a: str, b: str) -> tuple[int, int, int]:
    """Return start in a, start in b and length of the longest common substring; the earliest in a, then in b."""
    best = (0, 0, 0)
    for i in range(len(a)):
        for j in range(len(b)):
            size = 0
            while i + size < len(a) and j + size < len(b) and a[i + size] == b[j + size]:
                size += 1
            if size > best[2]:
                best = (i, j, size)
    return best


def matching(a: str, b: str) -> int:
    """Return the number of letters that Ratcliff and Obershelp's method matches."""
    i, j, size = common_run(a, b)
    return size + matching(a[:i], b[:j]) + matching(a[i + size :], b[j + size :]) if size else 0


def ratio(a: str, b: str) -> Fraction:
    return Fraction(2 * matching(a, b), len(a) + len(b)) if a or b else Fraction(1)


Node = tuple[Tree, Tree | None]


def aligned(gold: Tree, system: Tree) -> list[tuple[Node, Node]]:
    """Pair nodes by id, then again and again the most similar texts that are left, down to 0.80."""
    left, others, pairs = listed(gold), listed(system), []
    for node in list(left):
        same = [o for o in others if o[0].get("criterion_id") == node[0]["criterion_id"]]
        if same:
            pairs.append((node, same[0]))
            left.remove(node)
            others = [o for o in others if o is not same[0]]
    while True:
        candidates = [
            (-ratio(g[0]["verbatim_text"], o[0]["verbatim_text"]), i, j)
            for i, g in enumerate(left)
            for j, o in enumerate(others)
            if g[0].get("verbatim_text", "").strip() and o[0].get("verbatim_text", "").strip()
        ]
        negative, i, j = min(candidates, default=(Fraction(0), 0, 0))
        if -negative < Fraction(4, 5):
            return pairs
        pairs.append((left.pop(i), others.pop(j)))


def sibling_ids(node: Node) -> set[str]:
    below = node[1]["sub_criteria"] if node[1] is not None else []
    return {c.get("criterion_id") for c in below} - {node[0].get("criterion_id")}


def quality(gold: Node, system: Node) -> Fraction:
    """Return 0.30 parent + 0.25 siblings + 0.25 shape + 0.20 fields."""
    above = [None if n[1] is None else n[1].get("criterion_id") for n in (gold, system)]
    ours, theirs = sibling_ids(gold), sibling_ids(system)
    jaccard = Fraction(len(ours & theirs), len(ours | theirs)) if ours | theirs else Fraction(1)
    sizes = [len(n[0].get("sub_criteria") or ()) for n in (gold, system)]
    shape = Fraction(min(sizes), max(sizes)) if any(sizes) else Fraction(1)
    present = Fraction(len([f for f in FIELDS if f in system[0]]), 13)
    return (
        Fraction(30, 100) * (above[0] == above[1])
        + Fraction(25, 100) * jaccard
        + Fraction(25, 100) * shape
        + Fraction(20, 100) * present
    )


def structural_f1(gold: Tree, system: Tree, with_root: bool) -> Fraction:
    def counted(node: Node) -> bool:
        return with_root or node[0].get("criterion_id") != "ROOT"

    right = sum((quality(g, s) for g, s in aligned(gold, system) if counted(g) and counted(s)), Fraction(0))
    wanted = len([n for n in listed(gold) if counted(n)])
    given = len([n for n in listed(system) if counted(n)])
    if not wanted and not given:
        return Fraction(1)
    precision = right / given if given else Fraction(0)
    recall = right / wanted if wanted else Fraction(0)
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def accuracy(gold: Tree, system: Tree, name: str) -> Fraction:
    """Return the share of all gold nodes whose partner has the same label; one without partner is wrong."""
    read = LABELS[name]
    right = [g for g, s in aligned(gold, system) if read(g[0]) == read(s[0])]
    return Fraction(len(right), len(listed(gold)))

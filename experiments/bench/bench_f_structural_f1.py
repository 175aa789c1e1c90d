"""(f) Structural F1 against a naive implementation: the definitions written down, with difflib for every pair of texts.

How to run me:  python -m experiments.bench.bench_f_structural_f1 [--quick]
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from experiments.bench.common import exponent, interleaved, main, prose, spread, told
from regreact.evaluation.alignment import align, flatten
from regreact.evaluation.structural import structural_score
from regreact.schema import CRITERION_FIELDS

TITLE = "Structural F1"
SIZES = (10, 30, 100, 300)
ROUNDS = 3
# Share of the nodes of the prediction with another id, and with another text, so that texts have to be compared.
RENAMED, REWORDED = 0.3, 0.2
WORDS = "dust noise water kiln limit below above yearly auditor plan loss heat flow verified measured total net".split()

Tree = dict[str, Any]


def made(size: int, seed: int) -> tuple[Tree, Tree]:
    """Return a random tree and a prediction of it with faults."""
    chance = random.Random(seed)

    def node(name: str) -> Tree:
        text = " ".join(chance.choices(WORDS, k=chance.randint(8, 30)))
        return {**dict.fromkeys(CRITERION_FIELDS), "criterion_id": name, "verbatim_text": text, "sub_criteria": []}

    nodes = [node("ROOT")]
    for number in range(size):
        nodes.append(node(str(number)))
        chance.choice(nodes[:-1])["sub_criteria"].append(nodes[-1])
    predicted = copy.deepcopy(nodes[0])
    below = [one for one, _ in listed(predicted)][1:]
    for at, one in enumerate(chance.sample(below, round(RENAMED * size))):
        one["criterion_id"] = f"other-{at}"
    for one in chance.sample(below, round(REWORDED * size)):
        one["verbatim_text"] += " " + " ".join(chance.choices(WORDS, k=4))
    return nodes[0], predicted


def ours(gold: Tree, predicted: Tree) -> float:
    """Return structural F1 without ROOT, as the package computes it."""
    return structural_score(align(flatten(gold), flatten(predicted)), with_root=False).f1


# --- the naive way ------------------------------------------------------------------------------------------


def listed(tree: Tree, above: Tree | None = None) -> list[tuple[Tree, Tree | None]]:
    """Return every node with the node above it, in document order."""
    return [(tree, above)] + [pair for child in tree["sub_criteria"] for pair in listed(child, tree)]


def naive(gold: Tree, predicted: Tree) -> float:
    """Return structural F1 without ROOT from its definition (paper appendix E.3)."""
    left, right = listed(gold), listed(predicted)
    pairs = []
    for mine in list(left):
        same = [o for o in right if o[0]["criterion_id"] == mine[0]["criterion_id"]]
        if same:
            pairs.append((mine, same[0]))
            left.remove(mine)
            right.remove(same[0])
    ratios = sorted(
        (-SequenceMatcher(None, g[0]["verbatim_text"], o[0]["verbatim_text"], autojunk=False).ratio(), i, j)
        for i, g in enumerate(left)
        for j, o in enumerate(right)
    )
    used: tuple[set[int], set[int]] = (set(), set())
    for negative, i, j in ratios:
        if -negative >= 0.8 and i not in used[0] and j not in used[1]:
            pairs.append((left[i], right[j]))
            used[0].add(i)
            used[1].add(j)
    quality = sum(_quality(g, o) for g, o in pairs if g[0]["criterion_id"] != "ROOT" != o[0]["criterion_id"])
    precision, recall = quality / (len(listed(predicted)) - 1), quality / (len(listed(gold)) - 1)
    return 2 * precision * recall / (precision + recall) if quality else 0.0


def _quality(gold: tuple[Tree, Tree | None], predicted: tuple[Tree, Tree | None]) -> float:
    (mine, above), (other, around) = gold, predicted
    parents = [None if a is None else a["criterion_id"] for a in (above, around)]
    siblings = [
        {c["criterion_id"] for c in a["sub_criteria"]} - {n["criterion_id"]} if a else set()
        for n, a in (gold, predicted)
    ]
    either = siblings[0] | siblings[1]
    jaccard = len(siblings[0] & siblings[1]) / len(either) if either else 1.0
    sizes = [len(n["sub_criteria"]) for n in (mine, other)]
    shape = min(sizes) / max(sizes) if any(sizes) else 1.0
    fields = sum(f in other for f in CRITERION_FIELDS) / len(CRITERION_FIELDS)
    return 0.30 * (parents[0] == parents[1]) + 0.25 * jaccard + 0.25 * shape + 0.20 * fields


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    yield from prose(
        f"Random trees; of the prediction {RENAMED:.0%} of the nodes have another id and {REWORDED:.0%} another "
        "text. Naive: the definition as it stands, the difflib ratio of every pair of nodes that are left. Median "
        f"CPU milliseconds of {ROUNDS} rounds in turn (least–greatest)."
    )
    yield ""
    yield "| nodes | F1, both | naive | ours | times as quick |"
    yield "|---:|---:|---:|---:|---:|"
    sizes = (6, 12) if quick else SIZES
    taken = []
    for size in sizes:
        gold, predicted = made(size, seed=size)
        values = ours(gold, predicted), naive(gold, predicted)
        equal = abs(values[0] - values[1]) < 1e-12
        calls = {"naive": lambda g=gold, p=predicted: naive(g, p), "ours": lambda g=gold, p=predicted: ours(g, p)}
        found = interleaved(calls, 1 if quick else ROUNDS, time.process_time)
        times = {name: [max(t, 1e-6) for t in found[name]] for name in found}
        ratios = [a / b for a, b in zip(times["naive"], times["ours"], strict=True)]
        shown = f"{values[0]:.4f}" if equal else f"**{values[0]:.6f} against {values[1]:.6f}**"
        columns = [spread(times["naive"], 1, 1000), spread(times["ours"], 1, 1000), spread(ratios, 0)]
        yield f"| {size} | {shown} | {' | '.join(columns)} |"
        taken.append(min(times["ours"]))
        told(f"{size} nodes")
    yield ""
    yield from prose(
        f"Fitted exponent of ours over the number of nodes: {exponent(sizes, taken):.2f}."
    )


if __name__ == "__main__":
    main(lines)

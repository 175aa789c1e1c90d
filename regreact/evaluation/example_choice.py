"""Choose worked examples from the samples and their gold, and write `data/samples/examples.json`.

How to run me:  make examples   (python -m regreact.evaluation.example_choice)

Inputs and answers are those of `regreact.evaluation.stage_gold`. Which become examples is a fixed rule: see `choose`.
Gold has no evidence, so `quotes` (and the wording of definitions) are the solvers', where their answer is the gold's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from regreact.answers import Answer
from regreact.config import LMSettings, data_dir
from regreact.evaluation.example_phenomena import PHENOMENA, Item, shown_by, view_id, views
from regreact.evaluation.gold import load_gold
from regreact.evaluation.stage_gold import GoldQuestion, section_gold, stage_gold
from regreact.examples import FILE_NAME
from regreact.prices import CHARS_PER_TOKEN
from regreact.simulated import to_item
from regreact.sources import read_many
from regreact.step import RELATING, Step, narrowed

MOST_EXAMPLES = 4
FEWEST_EXAMPLES = 2
MOST_ITEMS = 4
# Tokens of one example; whole sections need more room than a few items, and so do questions that show all criteria.
MOST_TOKENS = 1000
MOST_TOKENS_OF_RELATING = 2000
MOST_TOKENS_OF_SECTION = 2600
WHOLE = ("ParseStructure", "ExtractSection")
CONFIDENCE = 0.95
# Fields that a reply leaves to the program.
_LEFT_OUT = {"link", "link_status", "enrichment", "notes"}
_JSON: TypeAdapter[Any] = TypeAdapter(Any)


def sample_questions() -> Iterator[GoldQuestion]:
    """Yield all questions on all sample units, those of the single pass included, with the gold's answers."""
    samples = data_dir("samples")
    units = {u.key: u for part in ("compass", "formex") for d in read_many(samples / part).documents for u in d.units}
    for gold in load_gold(samples / "gold"):
        yield from stage_gold(gold, units[gold.unit])
        # Gold names the terms that a footnote defines, not the definitions that a node would have to hold.
        if not any(f.terms for n in gold.nodes for f in n.footnotes):
            yield section_gold(gold, units[gold.unit])


Offer = tuple[GoldQuestion, list[Item]]


def choose(name: str, questions: Sequence[GoldQuestion]) -> list[Offer]:
    """Return the items that become examples of one signature, those first that show most.

    Each unit offers, for each phenomenon not yet shown, its shortest item that shows it, up to `MOST_ITEMS` items and
    `MOST_TOKENS` tokens (all items for questions about a whole section). The unit whose offer weighs most becomes the
    next example: what stands first in a table of n phenomena weighs n, the last one 1. Of two equal offers the smaller
    one is taken. It ends with `MOST_EXAMPLES`, or when all is shown and there are at least `FEWEST_EXAMPLES`.
    """
    weights = {p.name: len(PHENOMENA[name]) - place for place, p in enumerate(PHENOMENA[name])}
    left = set(weights)
    chosen: list[Offer] = []
    while len(chosen) < MOST_EXAMPLES:
        used = {q.inputs["unit"].unit for q, _ in chosen}
        offers = [(q, _batch(name, q, left)) for q in questions if q.inputs["unit"].unit not in used]

        def worth(offer: Offer) -> tuple[int, int, int]:
            shown = _shown(name, offer[1])
            new, all_shown = (sum(weights[p] for p in found) for found in (shown & left, shown))  # noqa: B023
            return new, all_shown, -_tokens(_example(*offer))

        best = max((o for o in offers if o[1]), key=worth, default=None)
        if best is None or not worth(best)[0]:
            break
        chosen.append(best)
        left -= _shown(name, best[1])
        if not left and len(chosen) < FEWEST_EXAMPLES:
            left = set(weights)
    return chosen


def _batch(name: str, question: GoldQuestion, left: set[str]) -> list[Item]:
    items = list(_items(question))
    if name in WHOLE:
        return items if _tokens(_example(question, items)) <= MOST_TOKENS_OF_SECTION else []
    most = MOST_TOKENS_OF_RELATING if name in RELATING else MOST_TOKENS
    batch: list[Item] = []
    for phenomenon in PHENOMENA[name]:
        fitting = [i for i in items if phenomenon.name in left and shown_by(name, i) is phenomenon]
        if fitting and len(batch) < MOST_ITEMS:
            more = [*batch, min(fitting, key=lambda i: len(i.text))]
            batch = more if _tokens(_example(question, more)) <= most else batch
    return sorted(batch, key=items.index)


def _shown(name: str, items: Sequence[Item]) -> set[str]:
    return {shown_by(name, i).name for i in items}


def _items(question: GoldQuestion) -> Iterator[Item]:
    texts = {view_id(v): v.text for v in views(question.inputs)}
    texts.update({f.id: f.text for f in question.inputs.get("footnotes", ())})
    for i, answer in question.answers.items():
        yield Item(i, answer.value, texts.get(i, ""), question.inputs)


def _tokens(example: Mapping[str, Any]) -> int:
    return len(json.dumps(example, ensure_ascii=False)) // CHARS_PER_TOKEN


def _example(question: GoldQuestion, items: Sequence[Item]) -> dict[str, Any]:
    """Return an example without the solvers' words: the fields of the signature, and `reasoning`."""
    name = question.signature.__name__
    ids = [i.id for i in items]
    reasoning = "\n".join(f"{i.id}: {shown_by(name, i).reason(i)}" for i in items)
    if name == "ExtractSection":
        return _plain({**question.inputs, "reasoning": reasoning, "nodes": [i.value for i in items]})
    answers = [to_item(name, Answer(i.id, i.value, CONFIDENCE)) for i in items]
    inputs = narrowed(name, question.inputs, ids)
    return _plain({**inputs, "asked": ids, "guidance": "", "reasoning": reasoning, "answers": answers})


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """Return plain JSON data without the fields that a reply leaves to the program."""
    plain: dict[str, Any] = _without(_JSON.dump_python(fields, mode="json", by_alias=True), _LEFT_OUT)
    return plain


def _without(value: Any, keys: set[str]) -> Any:
    """Return JSON data without some keys, at any depth."""
    if isinstance(value, dict):
        return {k: _without(v, keys) for k, v in value.items() if k not in keys}
    return [_without(v, keys) for v in value] if isinstance(value, list) else value


def _with_words(question: GoldQuestion, example: dict[str, Any]) -> dict[str, Any]:
    """Add quotes and definitions of the solver where its answer, but for the name of a metric, is the gold's."""
    if "answers" not in example:
        return example

    def value(item: Any) -> str:
        return re.sub(r'"metric": "[^"]*"', "", json.dumps(without_words(item)))

    found = Step(question.signature, LMSettings(examples=0)).by_rule(question.inputs)
    texts = {view_id(v): (getattr(v, "block", getattr(v, "index", None)), v.text) for v in views(question.inputs)}
    for item_id, item in zip(example["asked"], example["answers"], strict=True):
        solved = found.get(item_id)
        if solved is None or value(to_item(question.signature.__name__, solved)) != value(item):
            continue
        block, text = texts.get(item_id, (None, ""))
        quotes = [text[start:end].strip() for b, start, end in solved.evidence if b == block]
        item["quotes"] = list(dict.fromkeys(quotes))
        if "footnote" in item:
            item["footnote"]["definitions"] = [d.model_dump() for d in solved.value.definitions]
    return example


def without_words(value: Any) -> Any:
    """Return JSON data without what is the solvers' own: quotes, confidence, wording."""
    return _without(value, {"quotes", "confidence", "definition", "condition_summary", *_LEFT_OUT})


def built() -> dict[str, list[dict[str, Any]]]:
    """Return all examples by signature name."""
    by_name: dict[str, list[GoldQuestion]] = {}
    for question in sample_questions():
        by_name.setdefault(question.signature.__name__, []).append(question)
    return {
        name: [_with_words(q, _example(q, items)) for q, items in choose(name, by_name[name])] for name in PHENOMENA
    }


def rendered(examples: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the text of the file: one example a line."""
    parts = []
    for name, listed in examples.items():
        lines = ",\n".join("  " + json.dumps(e, ensure_ascii=False) for e in listed)
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    (data_dir("samples") / FILE_NAME).write_text(rendered(built()), encoding="utf-8")

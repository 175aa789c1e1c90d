"""The data card: README.md of a dataset, with the front matter by which `datasets.load_dataset` finds its tables."""

from __future__ import annotations

from collections.abc import Sequence

from regreact.dataset.overview import render
from regreact.dataset.record import Record, Source
from regreact.dataset.rows import Table
from regreact.dataset.statistics import Statistics

# How the tables are named as splits of a `datasets` configuration.
_SPLITS: dict[str, tuple[tuple[str, Table], ...]] = {
    "flat": (("criteria", "flat"),),
    "nested": (("activities", "nested"), ("appendices", "appendices")),
}


def card(record: Record, statistics: Statistics, tables: Sequence[Table]) -> str:
    """Return the data card.

    Args:
        record: What the dataset was made of.
        statistics: Its counts.
        tables: Tables that it holds.
    """
    parts = [
        _front_matter(record, tables),
        "# Criterion trees of technical screening criteria\n\n" + _summary(record, statistics),
        "## Files\n\n" + _files(record, tables),
        "## How to load\n\n" + _LOADING,
        "## Fields\n\n" + _FIELDS + _text_note(record),
        render(statistics).replace("## ", "### ").replace("### Size", "## Statistics\n\n### Size", 1).rstrip(),
        "## Sources\n\n" + _sources(record.sources),
        "## Licence\n\n" + _licence(record.sources),
        "## How it was made\n\n" + _method(record),
        "## Quality and annotators\n\n" + _QUALITY,
        "## Limits\n\n" + _limits(record),
        "## Citation\n\n" + _CITATION,
    ]
    return "\n\n".join(parts) + "\n"


def _front_matter(record: Record, tables: Sequence[Table]) -> str:
    lines = ["---", "pretty_name: Criterion trees of technical screening criteria", "language:", "- en"]
    if all(source.invented for source in record.sources):
        lines += ["license: apache-2.0"]
    else:
        lines += ["license: other", "license_name: see-section-licence"]
    lines += ["tags:", "- legal", "- eu-taxonomy", "configs:"]
    for name, splits in _SPLITS.items():
        lines += [f"- config_name: {name}", *(["  default: true"] if name == "flat" else []), "  data_files:"]
        for split, table in splits:
            if table in tables:
                lines += [f"  - split: {split}", f"    path: {table}.parquet"]
    return "\n".join([*lines, "---"])


def _summary(record: Record, statistics: Statistics) -> str:
    total = statistics.total
    return (
        f"{total.activities} activities under an objective, {total.sections} sections (substantial contribution and do no "
        f"significant harm), {total.nodes_all} criteria beside {total.roots} ROOT nodes: for each criterion its place in the tree, "
        "evaluation logic, thresholds, references with CELEX ids, dependencies, footnotes, and how sure each field is. "
        + ("The official text is included." if record.text else "The official text is not included; blocks and digests refer to it.")
    )


def _files(record: Record, tables: Sequence[Table]) -> str:
    told = {
        "nested": "one row an activity under an objective: its sections, each with the criterion tree",
        "flat": "one row a criterion (ROOT included), appendices included with section `Appendix`",
        "appendices": "as `nested`, one row an appendix, whose criteria activities refer to",
    }
    lines = ["| file | what it is |", "|---|---|"]
    lines += [f"| `{t}.jsonl`, `{t}.parquet` | {told[t]} |" for t in tables]
    lines += [
        "| `nested.schema.json`, `flat.schema.json` | JSON Schema of the rows of the JSON Lines files |",
        "| `statistics.json` | the counts below |",
        "| `dataset.json` | sources and their digests, code, settings, failures, SHA-256 of every file |",
    ]
    failed = f" {len(record.failures)} units failed and are missing: see `failures` in `dataset.json`."
    return "\n".join(lines) + (f"\n\n{failed.strip()}" if record.failures else "")


_LOADING = '''```python
from datasets import load_dataset

criteria = load_dataset("DIR")["criteria"]                       # flat
activities = load_dataset("DIR", "nested")["activities"]
criteria = load_dataset("parquet", data_files="DIR/flat.parquet")["train"]
criteria = load_dataset("json", data_files="DIR/flat.jsonl")["train"]

import json
import pandas

flat = pandas.read_parquet("DIR/flat.parquet")
limits = flat["threshold"].dropna().map(json.loads)
trees = [json.loads(line) for line in open("DIR/nested.jsonl", encoding="utf-8")]
```

```sql
-- duckdb
SELECT unit, criterion_id, threshold->'$.quantitative.items[0].value' AS value
FROM 'DIR/flat.parquet' WHERE confidence.threshold > 0.9 AND threshold IS NOT NULL;
```

In `nested.parquet` and `appendices.parquet` the column `criteria` of a section is a JSON text, since Parquet knows no recursive type;
`json.loads` gives the tree that `nested.jsonl` holds.'''

_FIELDS = '''A criterion has 13 fields: `criterion_id`, `category`, `applicability`, `tags`, `verbatim_text`, `rule_summary`,
`evaluation_logic` (`AND`, `OR`, `N_OF_K` with `n_required`, `LEAF`), `threshold`, `references`, `dependencies`, `sub_criteria`, `footnotes`.
Complex fields are null when they hold nothing; in `flat` they are JSON texts, and `sub_criteria` lists ids. Beside them:

| field | what it is |
|---|---|
| `document`, `unit`, `section`, `activity_id`, `annex`, `number`, `activity`, `objective` | where the criterion stands |
| `applicable` | false if the section says no more than "N/A" |
| `parent`, `depth`, `position` | place in the tree; ROOT has depth 0, position counts from 0 in document order |
| `block`, `text_sha256`, `footnote_sha256` | index of the source block in its section, SHA-256 of its text and of the footnotes' texts in UTF-8 |
| `threshold_from`, `reference_targets` | criterion whose threshold is inherited; `celex:…`, `standard:…` or unit key of each reference |
| `confidence`, `answered_by` | for each field how sure (0 to 1), and who answered: `rule`, `lm` or `default` |'''


def _text_note(record: Record) -> str:
    if record.text:
        return ""
    return (
        "\n\nThis build holds no official text: `verbatim_text`, `rule_summary` (summaries keep most words of the source), "
        "`condition_summary`, footnote texts, definitions, notes and what retrieval summarised are empty. Figures with their metrics, citation phrases, "
        "titles and identifiers are facts and stay. Whoever has the source finds each text by `unit` and `block`, and proves it "
        "by `text_sha256`."
    )


def _sources(sources: Sequence[Source]) -> str:
    lines = ["| document | version | format | units | SHA-256 | where |", "|---|---|---|---:|---|---|"]
    lines += [
        f"| `{s.document}` | {s.version or ''} | {s.format} | {s.units} | `{s.sha256}` | "
        f"{'invented text, embedded in the package' if s.invented else s.url or 'from the disk of the builder'} |"
        for s in sources
    ]
    return "\n".join(lines)


def _licence(sources: Sequence[Source]) -> str:
    official = [s for s in sources if s.url is not None]
    others = [s for s in sources if s.url is None and not s.invented]
    parts = ["Annotations (everything that is not text of a source): Apache-2.0, the licence of the project."]
    if official:
        parts.append(
            f"Texts of {_listed(official)}: © European Union, https://eur-lex.europa.eu, 1998-2026. Their reuse, commercial or not, is authorised by Commission "
            "Decision 2011/833/EU on the reuse of Commission documents, provided that the source is acknowledged and the meaning of the documents is not distorted. "
            "Changes made here: texts are cut into criteria, white space is folded, and derived fields are added. Only the Official "
            "Journal of the European Union is authentic; consolidated texts and this dataset have no legal effect."
        )
    if any(s.invented for s in sources):
        parts.append(f"Texts of {_listed([s for s in sources if s.invented])}: invented, Apache-2.0.")
    if others:
        parts.append(f"Texts of {_listed(others)}: given by the builder, who must know their licence.")
    return "\n\n".join(parts)


def _listed(sources: Sequence[Source]) -> str:
    return ", ".join(f"`{s.document}`" for s in sources)


def _method(record: Record) -> str:
    code = record.code
    who = {
        "only": "deterministic solvers, without a language model",
        "first": f"deterministic solvers, and {code.model} for what they leave open",
        "off": f"{code.model}",
    }[code.fastpath]
    libraries = ", ".join(f"{name} {version}" for name, version in code.libraries.items())
    return (
        "The method is that of arXiv 2604.12054: seven stages (structure, thresholds, classification, references, dependencies, footnotes, assembly), each observed and repaired "
        f"against the source. Answers are by {who}. Referenced law is {'resolved inline' if code.retrieval else 'cited, not resolved'}.\n\n"
        f"| | |\n|---|---|\n| code | regreact {code.version}, program `{code.program}`, SHA-256 of its files `{code.sha256}` |\n| settings | hash `{code.config}` |\n"
        f"| built with | Python {code.python}, {libraries} |\n\n"
        "The same sources, code, settings and library versions give the same bytes: order is that of the sources, and no time is written."
    )


_QUALITY = """No row of this dataset is annotated by hand. The method is measured on gold trees of other or the same sections whose **annotators were language
models, never human**: they worked independently by written guidelines and were adjudicated, again by language models. Nobody
with legal training has checked them. `regreact score` compares extractions with them. `confidence` is the solvers' own
estimate; `review` of a section counts findings that a person should look at."""


def _limits(record: Record) -> str:
    lines = [
        "* The dataset is a reading of legal texts by a program and no legal advice: whether an activity qualifies is decided by the acts.",
        "* It reflects the versions named under Sources; later amendments need a new build.",
        "* English only. Tables and formulas in a criterion are text. Standards (ISO, EN) are cited, never resolved.",
        "* Activities repeat the same sections word for word (DNSH above all): a random split of rows into train and test leaks. Split by similar texts.",
    ]
    if record.code.model is None:
        lines.append("* Summaries are made from the text and the other fields by rules; they are near to the wording of the source.")
    return "\n".join(lines)


_CITATION = """The method and the dataset that this one is the counterpart of: *RegReAct*, arXiv:2604.12054, 2026, https://arxiv.org/abs/2604.12054. This dataset is a
build of its own and not the one of the paper; name the version, the digests in `dataset.json`, and the sources above."""

"""The data card: README.md of a dataset, with the front matter by which `datasets.load_dataset` finds its tables.

`card.md` beside this module is the text; here its places are filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Template

from regreact.dataset.overview import render
from regreact.dataset.record import Code, Record, Source
from regreact.dataset.rows import Table
from regreact.dataset.statistics import Statistics

# How the tables are named as splits of a `datasets` configuration.
_SPLITS: dict[str, tuple[tuple[str, Table], ...]] = {
    "flat": (("criteria", "flat"),),
    "nested": (("activities", "nested"), ("appendices", "appendices")),
}
_TABLES: dict[Table, str] = {
    "nested": "one row an activity under an objective: its sections, each with the criterion tree",
    "flat": "one row a criterion (ROOT included), appendices included with section `Appendix`",
    "appendices": "as `nested`, one row an appendix, to whose criteria activities refer",
}
_OTHER_LICENSE = "license: other\nlicense_name: see-section-licence"
_BARE = """
This build holds no official text: `verbatim_text`, `rule_summary` (summaries keep most words of the source),
`condition_summary`, texts, definitions and notes of footnotes, and what retrieval summarised are empty. Figures with
their metrics, citation phrases, titles and identifiers are facts and stay. Whoever has the source finds each text by
`unit` and `block`, and proves it by `text_sha256`.
"""
_OFFICIAL = (
    "© European Union, https://eur-lex.europa.eu. Their reuse, commercial or not, is authorised by Commission Decision "
    "2011/833/EU on the reuse of Commission documents, provided that the source is acknowledged and the meaning of the "
    "documents is not distorted. Changes made here: texts are cut into criteria, white space is folded, derived fields "
    "are added. Only the Official Journal of the European Union is authentic; consolidated texts and this dataset have "
    "no legal effect."
)


def card(record: Record, statistics: Statistics, tables: Sequence[Table]) -> str:
    """Return the data card.

    Args:
        record: What the dataset was made of.
        statistics: Its counts.
        tables: Tables that it holds.
    """
    template = Template((Path(__file__).parent / "card.md").read_text(encoding="utf-8"))
    total, code = statistics.total, record.code
    counts = render(statistics, record.official).replace("## ", "### ").strip()
    libraries = (f"{name} {version}" for name, version in {"Python": code.python, **code.libraries}.items())
    return template.substitute(
        license=_OTHER_LICENSE if record.official else "license: apache-2.0",
        configs="\n".join(_configs(tables)),
        activities=total.activities,
        sections=total.sections,
        nodes=total.nodes_all,
        roots=total.roots,
        text="The text of the sources is included."
        if record.text
        else "The text of the sources is not included; block numbers and digests refer to it.",
        tables="\n".join(f"| `{t}.jsonl`, `{t}.parquet` | {_TABLES[t]} |" for t in tables),
        failures=_failures(record),
        bare="" if record.text else _BARE,
        statistics=f"## Statistics\n\n{counts}",
        sources_table="\n".join(_source(source) for source in record.sources),
        licence=_licence(record.sources),
        answered=_answered(code),
        retrieval="resolved inline" if code.retrieval else "cited, not resolved",
        version=code.version,
        program=code.program,
        code=code.sha256,
        config=code.config,
        libraries=", ".join(libraries),
    )


def _configs(tables: Sequence[Table]) -> list[str]:
    lines: list[str] = []
    for name, splits in _SPLITS.items():
        lines += [f"- config_name: {name}", *(["  default: true"] if name == "flat" else []), "  data_files:"]
        for split, table in splits:
            if table in tables:
                lines += [f"  - split: {split}", f"    path: {table}.parquet"]
    return lines


def _failures(record: Record) -> str:
    if not record.failures:
        return ""
    return f"\n{len(record.failures)} units failed and are missing: `failures` in `dataset.json` says which and why.\n"


def _source(source: Source) -> str:
    where = "invented text, embedded in the package" if source.invented else source.url or "from the builder's disk"
    values = (f"`{source.document}`", source.version or "", source.format, source.units, f"`{source.sha256}`", where)
    return "| " + " | ".join(map(str, values)) + " |"


def _licence(sources: Sequence[Source]) -> str:
    official = [s for s in sources if s.url is not None]
    invented = [s for s in sources if s.invented]
    others = [s for s in sources if s.url is None and not s.invented]
    parts = ["Annotations (everything that is no text of a source): Apache-2.0, the licence of the project."]
    if official:
        parts.append(f"Texts of {_listed(official)}: {_OFFICIAL}")
    if invented:
        parts.append(f"Texts of {_listed(invented)}: invented, Apache-2.0.")
    if others:
        parts.append(f"Texts of {_listed(others)}: given by the builder, who must know their licence.")
    return "\n\n".join(parts)


def _listed(sources: Sequence[Source]) -> str:
    return ", ".join(f"`{source.document}`" for source in sources)


def _answered(code: Code) -> str:
    if code.model is None:
        return "deterministic solvers, without a language model"
    if code.fastpath == "first":
        return f"deterministic solvers, and by {code.model} for what they leave open"
    return code.model

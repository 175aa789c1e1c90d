"""Rows of the two tables: an activity with its sections and trees (nested), and one criterion (flat).

The classes are the single description of the tables: the JSON Schemas and the Parquet schemas are derived from them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from pydantic.config import JsonDict

from regreact.schema import AnsweredBy, Applicability, Category, Correction, Criterion, Edge, Logic, Strict, Tag

_JSON: JsonDict = {"contentMediaType": "application/json"}


class Confidence(Strict):
    """How sure each field is, 0 to 1; null where the field was not asked for (ROOT has no text to ask about).

    `criterion_id` stands for the place in the tree. `category` follows from the threshold and has none of its own.
    """

    criterion_id: float | None = None
    applicability: float | None = None
    tags: float | None = None
    rule_summary: float | None = None
    evaluation_logic: float | None = None
    threshold: float | None = None
    references: float | None = None
    dependencies: float | None = None
    footnotes: float | None = None


class Provenance(Strict):
    """Who answered each field: a `rule`, a language model (`lm`), or nobody (`default`); null as in Confidence."""

    criterion_id: AnsweredBy | None = None
    applicability: AnsweredBy | None = None
    tags: AnsweredBy | None = None
    rule_summary: AnsweredBy | None = None
    evaluation_logic: AnsweredBy | None = None
    threshold: AnsweredBy | None = None
    references: AnsweredBy | None = None
    dependencies: AnsweredBy | None = None
    footnotes: AnsweredBy | None = None


class Node(Strict):
    """Place and trust of one criterion of a tree.

    Attributes:
        criterion_id: The criterion.
        parent: Id of its parent, null for ROOT.
        depth: 0 for ROOT, 1 for the top level.
        block: Index of its block in the section as the reader gives it, null for ROOT and inferred groups without one.
        text_sha256: Digest of the block's text in UTF-8, null without block.
        footnote_sha256: Digests of the texts of its footnotes, in their order.
        confidence: How sure each field is.
        answered_by: Who answered each field.
    """

    criterion_id: str
    parent: str | None
    depth: int = Field(ge=0)
    block: int | None
    text_sha256: str | None
    footnote_sha256: tuple[str, ...]
    confidence: Confidence
    answered_by: Provenance


class Section(Strict):
    """One section of an activity.

    Attributes:
        section: `SC`, `DNSH.<objective>` or `Appendix`.
        unit: Unit key, e.g. `CCM-4.29/SC`.
        applicable: False if all that the section says is that it does not apply ("N/A").
        criteria: The tree, from ROOT.
        nodes: One entry a criterion, in document order, ROOT first.
        edges: Edges of the criterion graph.
        corrections: Citations that the source gets wrong.
        review: Number of findings that a person should look at.
    """

    section: str
    unit: str
    applicable: bool
    criteria: Criterion
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    corrections: tuple[Correction, ...]
    review: int


class ActivityRow(Strict):
    """Nested table: one activity under one objective, or one appendix.

    Attributes:
        document: Source document id.
        activity_id: Part of the unit keys before "/", e.g. `CCM-4.29`.
        annex: Key of the objective's annex: `CCM`, `CCA`, `WTR`, `CE`, `PPC`, `BIO`; "" for other documents.
        number: Number as the document gives it, e.g. `4.29`.
        activity: Title of the activity.
        objective: Environmental objective; "" if the document names none.
        sections: Substantial contribution first, then the DNSH sections in the order of the objectives.
    """

    document: str
    activity_id: str
    annex: str
    number: str
    activity: str
    objective: str
    sections: tuple[Section, ...]


class CriterionRow(Strict):
    """Flat table: one criterion, ROOT included. Complex fields are JSON texts, or null when they hold nothing.

    `sub_criteria` holds the ids of the children; `position` counts the criteria of a unit from 0 in document order.
    """

    document: str
    unit: str
    activity_id: str
    annex: str
    number: str
    activity: str
    objective: str
    section: str
    applicable: bool
    position: int = Field(ge=0)
    parent: str | None
    depth: int = Field(ge=0)
    criterion_id: str
    category: Category
    applicability: Applicability
    tags: tuple[Tag, ...]
    verbatim_text: str
    rule_summary: str
    evaluation_logic: Logic
    n_required: int | None
    threshold: str | None = Field(description="JSON of Threshold", json_schema_extra=_JSON)
    references: str | None = Field(description="JSON of References", json_schema_extra=_JSON)
    dependencies: str | None = Field(description="JSON of Dependencies", json_schema_extra=_JSON)
    sub_criteria: tuple[str, ...]
    footnotes: str = Field(description="JSON list of Footnote", json_schema_extra=_JSON)
    threshold_from: str | None = Field(description="Criterion whose threshold is inherited")
    reference_targets: tuple[str, ...] = Field(description="celex:…, standard:… or a unit key")
    block: int | None
    text_sha256: str | None
    footnote_sha256: tuple[str, ...]
    confidence: Confidence
    answered_by: Provenance


Table = Literal["nested", "flat", "appendices"]
# Row of each table.
ROWS: dict[Table, type[ActivityRow] | type[CriterionRow]] = {
    "nested": ActivityRow,
    "flat": CriterionRow,
    "appendices": ActivityRow,
}

"""Questions for every citation of an EU act in the Compass dump."""

from __future__ import annotations

from regreact.fastpath.retrieval.query import invented, rewrite_query
from regreact.legal.citations import find_citations
from regreact.sources.model import Document
from signatures.passages import CitedSource


def test_no_question_names_what_its_criterion_does_not_print(compass: Document) -> None:
    seen = set()
    for unit in compass.units:
        for block in unit.blocks:
            for citation in find_citations(block.text):
                key = (block.text, citation.phrase)
                if citation.kind != "eu-act" or not citation.celex or key in seen:
                    continue
                seen.add(key)
                reference = CitedSource(text=citation.phrase, celex_id=citation.celex, addresses=citation.addresses)
                (answer,) = rewrite_query(block.text, unit.activity, unit.objective, unit.section, reference)
                assert invented(answer.value, [block.text, citation.phrase, unit.activity], citation.addresses) == []
                assert citation.phrase in answer.value and unit.activity.split()[0] in answer.value
    assert len(seen) > 200

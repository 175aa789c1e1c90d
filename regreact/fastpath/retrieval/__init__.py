"""Solvers of `signatures.retrieval`: query, evaluation of passages, refined query, extractive summary."""

from regreact.fastpath.retrieval.evaluation import evaluate_passages
from regreact.fastpath.retrieval.query import refine_query, rewrite_query
from regreact.fastpath.retrieval.summary import summarise_passages

__all__ = ["evaluate_passages", "refine_query", "rewrite_query", "summarise_passages"]

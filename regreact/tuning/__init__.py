"""Prompt optimizers over the gold metrics: one stage, question by question, or the whole program."""

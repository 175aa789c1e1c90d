"""Scores against gold annotations. The only package besides the experiments that reads gold."""

"""Retrieval of referenced law."""

"""RegReAct: from published regulations to criterion trees with evidence for every field."""

__version__ = "0.1.0"

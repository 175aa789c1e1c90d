"""Review of extractions by people: what to look at, what was decided, what follows from it."""

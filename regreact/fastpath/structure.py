"""Fast path of `signatures.structure`."""

"""Fast path of `signatures.classification`."""

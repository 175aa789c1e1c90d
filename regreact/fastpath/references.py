"""Fast path of `signatures.references`."""

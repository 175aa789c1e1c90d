"""Fast path of `signatures.dependencies`."""

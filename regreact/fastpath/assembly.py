"""Fast path of `signatures.assembly`."""

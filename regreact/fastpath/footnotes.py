"""Fast path of `signatures.footnotes`."""

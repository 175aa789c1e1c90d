"""Fast path of `signatures.thresholds`."""

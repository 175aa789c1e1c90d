"""HTTP API: extraction as a service, and the extractions of a folder as data."""

"""Documents in: every reader turns a published file into the same `Unit` and `Block` records."""

from regreact.sources.reader import FolderReading, find_source, read, read_data, read_many

__all__ = ["FolderReading", "find_source", "read", "read_data", "read_many"]

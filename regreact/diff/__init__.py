"""What changed between two extractions, two output folders, or two versions of an act."""

"""Source-grounded checks of stage outputs. Importing the package registers them all."""

from regreact.observers import classification, dependencies, references, structure, thresholds  # noqa: F401

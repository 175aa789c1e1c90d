"""Tools for making gold: sampling, agreement, adjudication, stand-off export and import, splits."""

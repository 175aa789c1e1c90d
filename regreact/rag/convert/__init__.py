"""Documents of the Official Journal, of EUR-Lex and of Cellar into one model of a legal act."""

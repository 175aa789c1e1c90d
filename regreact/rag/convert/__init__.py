"""Published documents into `LegalAct`, whatever their format."""

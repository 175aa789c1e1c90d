"""The seven stages: pure functions from declared inputs to frozen outputs."""

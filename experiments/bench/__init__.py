"""Benchmarks, one module a claim; `experiments/bench.py` runs them and writes `experiments/bench.md`."""

"""The parts of Benchmarks/measure.py."""

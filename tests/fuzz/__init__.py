"""Targets for long runs of fuzzing, outside the tests."""

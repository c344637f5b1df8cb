"""Validation of the generated layouts: legs, probes, witnesses, mutants, report."""

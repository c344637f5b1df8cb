"""Leg L4: deliberate faults, to show that the other legs notice them."""

"""Layouts as data for other programs: one module for each format."""

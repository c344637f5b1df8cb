"""Figures of layouts: scenes as data, and their rendering as SVG, PDF and PNG."""

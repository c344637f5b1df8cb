"""Reading back what was written: pages through docutils, figures, and tables as JSON."""

"""Register layouts of AMD matrix instructions: calculator, figures, tables, pages, validation."""

__version__ = "0.1.0"

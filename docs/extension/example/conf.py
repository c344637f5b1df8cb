extensions = ["layoutgen.sphinx", "myst_parser"]

project = "My library"
copyright = "My company"
version = "1.0"
html_theme = "furo"
numfig = True

layoutgen_spec_dirs = ["specs"]
layoutgen_default_arch = "demo"

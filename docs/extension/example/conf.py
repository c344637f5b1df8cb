extensions = ["layoutgen.sphinx", "myst_parser"]

project = "My library"
html_theme = "furo"
numfig = True

layoutgen_spec_dirs = ["specs"]
layoutgen_default_arch = "demo"

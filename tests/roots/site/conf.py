project = "Reference"
extensions = ["layoutgen.sphinx", "layoutgen.sphinx.mathml"]
smartquotes = False

project = "Reference"
extensions = ["layoutgen.sphinx.mathml"]
smartquotes = False

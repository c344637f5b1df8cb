project = "Foreign documentation"
smartquotes = False

// An example that a page offers for download.

"""Labelled witnesses: layouts that two production compilers use, dumped to committed JSON.

``iree.json`` and ``triton.json`` hold what the tools answered, with name, version and date.
``reading`` turns a record into plain labels; ``refresh`` asks the tools again.
"""

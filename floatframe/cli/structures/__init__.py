"""Commands for finite element models that are built here: mesh files, buckling.

In: words of the command line. Out: models, tables and files.
Open `mesh` first.
"""

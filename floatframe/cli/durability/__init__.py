"""Commands for stresses of bodies in motion and their life.

In: words of the command line, runs. Out: tables.
Open `life` first.
"""

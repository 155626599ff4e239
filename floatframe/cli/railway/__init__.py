"""Commands about railways.

In: words of the command line. Out: tracks, conicity and contacts as tables, pictures and numbers.
Open `track` first.
"""

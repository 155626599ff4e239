"""Commands about railways.

In: words of the command line. Out: the track as table, picture and numbers.
Open `track` first.
"""
